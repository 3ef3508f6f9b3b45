import Crypto
import Engine
import TestSupport
import Testing
import Transcript
import Wire

/// What can become of a handshake, and what peers may do to a session afterwards.
@Suite struct ChannelHandshakeTests {
    /// A channel that has sent its server's flight and waits for the client.
    private func waiting() async throws -> ChannelFixture {
        let it = try await ChannelFixture()
        // A client whose hello is real, and who then does what the test says.
        let context = try it.clientContext()
        try await it.peer.beginTLS(
            to: .required(testHost), context, verify: .custom { _ in .reject(alert: 48) })
        return it
    }

    @Test func endOfTheStreamInAHandshakeIsAnEnd() async throws {
        let it = try await ChannelFixture()
        try await it.channel.accept(.server(), identity: it.identity)
        try await it.peer.send(raw: [0x16, 0x03, 0x01, 0x00])
        try await it.peer.sendFIN()
        #expect(try await it.channel.wait("the end") { !$0.ends.isEmpty }.ends == [.fin])
    }

    @Test func resetInAHandshakeIsAReset() async throws {
        let it = try await ChannelFixture()
        try await it.channel.accept(.server(), identity: it.identity)
        try await it.peer.reset()
        #expect(try await it.channel.wait("the end") { !$0.ends.isEmpty }.ends == [.reset])
    }

    @Test func alertInAHandshakeIsTheAlert() async throws {
        let it = try await waiting()
        try await it.channel.accept(.server(), identity: it.identity)
        let view = try await it.channel.wait("the end") { !$0.ends.isEmpty }
        #expect(view.ends == [.alert(48)])
        #expect(view.failure == nil)
    }

    /// The alert is told even if the client resets behind it.
    @Test func alertBeforeAResetIsTheAlert() async throws {
        let it = try await waiting()
        try await it.channel.setReading(false)
        try await it.channel.accept(.server(), identity: it.identity)
        try await it.peer.wait("the refusal") { $0.failure != nil }
        try await it.peer.delivered()
        try await it.peer.reset()
        try await it.channel.setReading(true)
        #expect(try await it.channel.wait("the end") { !$0.ends.isEmpty }.ends == [.alert(48)])
    }

    /// A close_notify in the clear, which is allowed until the client has encrypted something (RFC 8446 section 6.1).
    @Test(arguments: [0x0303, 0x0304] as [UInt16])
    func closeNotifyInAHandshakeIsACloseNotify(_ version: UInt16) async throws {
        let it = try await ChannelFixture()
        try await it.peer.setReading(false)
        try await it.peer.beginTLS(to: .required(testHost), it.clientContext(version))
        try await it.channel.accept(.server(), identity: it.identity)
        try await it.peer.send(raw: [0x15, 0x03, 0x03, 0x00, 0x02, 0x01, 0x00])
        #expect(try await it.channel.wait("the end") { !$0.ends.isEmpty }.ends == [.closeNotify])
    }

    @Test func garbageInAHandshakeIsAFailure() async throws {
        let it = try await ChannelFixture()
        try await it.channel.accept(.server(), identity: it.identity)
        try await it.peer.send(raw: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))
        let failure = try await it.channel.wait("the failure") { $0.failure != nil }.failure
        #expect(failure?.kind == .notTLS)
    }

    @Test func refusedCertificateIsAFailureAndIsAnswered() async throws {
        let it = try await ChannelFixture()
        try await it.peer.beginTLS(.server(), identity: it.identity)
        try await it.channel.connect(.client(trust: TrustStore(anchors: [])), to: .required(testHost))
        let failure = try await it.channel.wait("the failure") { $0.failure != nil }.failure
        guard case .certificateRejected = failure?.kind else {
            Issue.record("\(failure.map { "\($0)" } ?? "no failure")")
            return
        }
        try await it.peer.wait("unknown_ca") { $0.alerts == [48] }
    }

    /// Whoever sends without end in a handshake does not keep the loop from others.
    @Test func endlessHandshakeRecordsDoNotHoldTheLoop() async throws {
        let it = try await ChannelFixture()
        try await it.channel.accept(.server(), identity: it.identity)
        // change_cipher_spec records may precede a TLS 1.3 hello's answer; without a hello they are an error.
        try await it.peer.send(raw: [0x16, 0x03, 0x01, 0x40, 0x00, 0x01, 0x00, 0x3F, 0xFC])
        try await it.peer.send(raw: pattern(1 << 20))
        let view = try await it.channel.wait("the end") { $0.failure != nil || !$0.ends.isEmpty }
        #expect(view.failure != nil)
    }

    // MARK: After the handshake

    /// A TLS 1.2 origin that asks for a new handshake: nothing written meanwhile is lost, and nothing spins.
    @Test func renegotiationHoldsWritesBackUntilItIsOver() async throws {
        let it = try await ChannelFixture.connected(version: 0x0303)
        try await it.peer.withSession { $0.requestRenegotiation() }
        let bytes = pattern(300_000)
        try await it.channel.send(Array("before".utf8))
        try await it.channel.send(bytes)
        let arrived = try await it.peer.receive(bytes.count + 6)
        expectSame(arrived, Array("before".utf8) + bytes)
        try await it.peer.send("and back")
        try await it.channel.received("and back")
        try await it.channel.finish(.closeNotify)
        try await it.peer.wait("close_notify") { $0.sawCloseNotify }
    }

    /// A write in the middle of a renegotiation waits: the peer has to be heard first.
    @Test func writeInTheMiddleOfARenegotiationWaits() async throws {
        let it = try await ChannelFixture.connected(version: 0x0303)
        try await it.peer.setReading(false)
        try await it.channel.setReading(false)
        try await it.peer.withSession { $0.requestRenegotiation() }
        // Read until the new hello is on its way.
        try await repeatedly(until: "a hello") {
            try await it.channel.perform { channel in
                _ = channel.read(into: ByteQueue(), upTo: 65_536)
                return !channel.outbound.isEmpty
            }
        }
        try await it.channel.send(Array("late".utf8))
        #expect(it.channel.seen.isFull)
        try await it.peer.setReading(true)
        try await it.channel.setReading(true)
        #expect(try await it.peer.receive(4) == Array("late".utf8))
        try await it.channel.wait("everything to be sent") { !$0.isFull }
    }

    /// A KeyUpdate that asks for one is answered (RFC 8446 section 4.6.3), though nothing else is written.
    @Test func keyUpdatesAreAnswered() async throws {
        let it = try await ChannelFixture.accepted(version: 0x0304)
        let before = it.peer.seen.wire.received
        for _ in 0..<10 { try await it.peer.withSession { $0.updateKeys() } }
        try await it.peer.send("read")
        try await it.channel.received("read")
        // Records with a message of five bytes, 5 + 5 + 1 + 16; OpenSSL answers the last one when it writes.
        try await it.peer.wait("the answers") { $0.wire.received >= before + 9 * 27 }
        try await it.channel.send(Array("new key".utf8))
        #expect(try await it.peer.receive(7) == Array("new key".utf8))
        #expect(it.peer.seen.wire.received == before + 10 * 27 + 29)
    }

    /// A record that does not decrypt is answered with bad_record_mac (20), and the session is over.
    @Test func brokenRecordIsAnsweredWithAnAlert() async throws {
        let it = try await ChannelFixture.accepted()
        try await it.peer.send("good")
        try await it.peer.send(raw: [0x17, 0x03, 0x03, 0x00, 0x20] + pattern(32))
        let view = try await it.channel.wait("the failure") { $0.failure != nil }
        #expect(view.received == Array("good".utf8))
        #expect(view.failure?.kind == .protocolViolation)
        try await it.channel.finish(.proxy)
        #expect(try await it.peer.ended() == .fin)
        #expect(it.peer.seen.alerts == [20])
    }
}
