import Crypto
import Glibc
import Testing
import Wire

struct TLSTransferTests {
    /// Bytes whose order shows: their period is a prime, so that a misplaced record or segment is noticed.
    static func pattern(_ count: Int) -> [UInt8] {
        var state: UInt32 = 1
        let period = (0..<65_521).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes += period.prefix(count - bytes.count) }
        return bytes
    }

    @Test(arguments: Version.allCases, [(8 << 20, 1 << 20), (8 << 20, 1000), (100_000, 7)])
    func bytesArriveAsTheyWereSent(_ version: Version, _ amounts: (total: Int, segment: Int)) throws {
        let pair = try TLSPair(TestAuthority(), version: version)
        pair.handshake()
        pair.segment = amounts.segment
        let sent = Self.pattern(amounts.total)
        let up = pair.send(sent, from: pair.client, to: pair.server)
        #expect(up.bytes == sent)
        #expect(up.end == .needsInput)
        let down = pair.send(sent, from: pair.server, to: pair.client)
        #expect(down.bytes == sent)
        #expect(down.end == .needsInput)
    }

    @Test func nothingIsWrittenForNothing() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        #expect(pair.client.write(from: ByteQueue(), upTo: 100) == .bytes(0))
        #expect(pair.client.outbound.isEmpty)
    }

    @Test func writingKeepsToItsLimit() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        let plain = queue(Self.pattern(1000))
        #expect(pair.client.write(from: plain, upTo: 300) == .bytes(300))
        #expect(plain.takeAll() == Array(Self.pattern(1000)[300...]))
    }

    // RFC 8446 section 5.2: a record adds 5 bytes of header, 1 of type and 16 of tag, and holds at most 16,384.
    @Test func recordsAreAsLargeAsTheyMayBe() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        #expect(pair.client.write(from: queue(Self.pattern(40_000)), upTo: .max) == .bytes(40_000))
        #expect(pair.client.outbound.count == 40_000 + 3 * 22)
    }

    @Test func readingKeepsToItsLimitAndGoesOnWhereItStopped() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        _ = pair.client.write(from: queue(Self.pattern(40_000)), upTo: .max)
        pair.carry(pair.client.outbound, to: pair.server.inbound)
        let arrived = ByteQueue()
        #expect(pair.server.read(into: arrived, upTo: 100) == .bytes(100))
        #expect(pair.server.read(into: arrived, upTo: 100) == .bytes(0))
        #expect(pair.server.read(into: arrived, upTo: 20_000) == .bytes(19_900))
        #expect(arrived.takeAll() == Array(Self.pattern(40_000)[..<20_000]))
        #expect(pair.server.read(into: arrived, upTo: 1 << 20) == .bytes(20_000))
        #expect(arrived.takeAll() == Array(Self.pattern(40_000)[20_000...]))
        #expect(pair.server.read(into: arrived, upTo: 1 << 20) == .needsInput)
    }

    @Test func applicationDataMayFollowTheHandshakeAtOnce() throws {
        let pair = try TLSPair(TestAuthority())
        _ = pair.client.handshake()
        pair.carry(pair.client.outbound, to: pair.server.inbound)
        _ = pair.server.handshake()
        pair.carry(pair.server.outbound, to: pair.client.inbound)
        #expect(pair.client.handshake() == .complete)
        _ = pair.client.write(from: queue([1, 2, 3]), upTo: 3)
        pair.carry(pair.client.outbound, to: pair.server.inbound)
        #expect(pair.server.handshake() == .complete)
        let arrived = ByteQueue()
        #expect(pair.server.read(into: arrived, upTo: 100) == .bytes(3))
        #expect(arrived.takeAll() == [1, 2, 3])
    }

    @Test(arguments: Version.allCases)
    func closeNotifyComesAfterTheData(_ version: Version) throws {
        let pair = try TLSPair(TestAuthority(), version: version)
        pair.handshake()
        _ = pair.client.write(from: queue([1, 2, 3]), upTo: 3)
        pair.client.sendCloseNotify()
        pair.carry(pair.client.outbound, to: pair.server.inbound)
        let arrived = ByteQueue()
        #expect(pair.server.read(into: arrived, upTo: 100) == .bytes(3))
        #expect(pair.server.read(into: arrived, upTo: 100) == .closed)
        #expect(pair.server.read(into: arrived, upTo: 100) == .closed)
    }

    @Test(arguments: Version.allCases)
    func oneDirectionGoesOnAfterTheOtherIsClosed(_ version: Version) throws {
        let pair = try TLSPair(TestAuthority(), version: version)
        pair.handshake()
        pair.client.sendCloseNotify()
        pair.carry(pair.client.outbound, to: pair.server.inbound)
        #expect(pair.server.read(into: ByteQueue(), upTo: 100) == .closed)
        let sent = Self.pattern(100_000)
        let down = pair.send(sent, from: pair.server, to: pair.client)
        #expect(down.bytes == sent)
        pair.server.sendCloseNotify()
        pair.carry(pair.server.outbound, to: pair.client.inbound)
        #expect(pair.client.read(into: ByteQueue(), upTo: 100) == .closed)
    }

    @Test func closeNotifyIsSentOnce() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        pair.client.sendCloseNotify()
        let alert = pair.client.outbound.count
        // A second one must not take for its answer what the peer still sends.
        _ = pair.server.write(from: queue([1, 2, 3]), upTo: 3)
        pair.carry(pair.server.outbound, to: pair.client.inbound)
        pair.client.sendCloseNotify()
        #expect(pair.client.read(into: ByteQueue(), upTo: 100) == .bytes(3))
        // Header, level and description, inner type, tag.
        #expect(alert == 5 + 2 + 1 + 16)
        #expect(pair.client.outbound.count == alert)
    }

    @Test func nothingIsClosedBeforeTheHandshake() throws {
        let pair = try TLSPair(TestAuthority())
        pair.client.sendCloseNotify()
        #expect(pair.client.outbound.isEmpty)
        #expect(pair.handshake().client == .complete)
    }

    @Test func writingAfterCloseNotifyFails() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        pair.client.sendCloseNotify()
        let plain = queue([1])
        guard case .failed = pair.client.write(from: plain, upTo: 1) else {
            Issue.record("written")
            return
        }
        #expect(plain.count == 1)
    }

    @Test func applicationDataBeforeTheHandshakeIsAMistake() async {
        await #expect(processExitsWith: .failure) {
            guard let pair = try? TLSPair(TestAuthority()) else { exit(EXIT_SUCCESS) }
            _ = pair.client.read(into: ByteQueue(), upTo: 1)
        }
        await #expect(processExitsWith: .failure) {
            guard let pair = try? TLSPair(TestAuthority()) else { exit(EXIT_SUCCESS) }
            _ = pair.client.write(from: ByteQueue(), upTo: 1)
        }
    }

    @Test func theWireIsObservedAsItIs() throws {
        let pair = try TLSPair(TestAuthority())
        var sent: [[UInt8]] = [[], []]
        var received: [[UInt8]] = [[], []]
        for (index, session) in [pair.client, pair.server].enumerated() {
            session.onWire = { isSent, bytes in
                if isSent { sent[index] += bytes } else { received[index] += bytes }
            }
        }
        pair.handshake()
        #expect(sent[0] == received[1])
        #expect(sent[1] == received[0])
        // Both begin with a handshake record.
        #expect(sent.map { $0.first } == [22, 22])
        let counts = sent.map(\.count)
        pair.client.onWire = nil
        pair.server.onWire = nil
        _ = pair.send([1, 2, 3], from: pair.client, to: pair.server)
        #expect(sent.map(\.count) == counts)
    }

    @Test func anIdleSessionKeepsNoQueueMemory() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        _ = pair.send(Self.pattern(100_000), from: pair.client, to: pair.server)
        let queues = [pair.client.inbound, pair.client.outbound, pair.server.inbound, pair.server.outbound]
        #expect(queues.contains { room(in: $0) > 10_000 })
        pair.client.releaseQueues()
        pair.server.releaseQueues()
        #expect(queues.allSatisfy { room(in: $0) < 100 })
    }

    private func queue(_ bytes: [UInt8]) -> ByteQueue {
        let queue = ByteQueue()
        queue.append(bytes)
        return queue
    }

    /// What a queue can take without new memory, or the little it then asks for.
    private func room(in queue: ByteQueue) -> Int {
        var room = 0
        queue.withRoom(1) {
            room = $0.count
            return 0
        }
        return room
    }
}
