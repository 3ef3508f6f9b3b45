import Crypto
import Testing
import Wire

struct TLSFailureTests {
    // MARK: What a server sends

    private func client(receiving bytes: [UInt8]) throws -> (session: TLSSession, step: TLSSession.HandshakeStep) {
        let session = try TLSSession.connecting(
            .client(trust: nil), to: host(), verify: .trustAndName, alpn: [])
        #expect(session.handshake() == .needsInput)
        session.outbound.consume(session.outbound.count)
        session.inbound.append(bytes)
        return (session, session.handshake())
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\0\0\0\0\0\0\0\0"])
    func aPeerThatSpeaksSomethingElseIsNoTLSPeer(_ text: String) throws {
        let (session, step) = try client(receiving: [UInt8](text.utf8))
        #expect(step.failure == .notTLS)
        // It would not understand an alert either.
        #expect(session.outbound.isEmpty)
    }

    @Test func aFailedSessionAnswersEveryCallWithTheSameFailure() throws {
        let (session, step) = try client(receiving: [UInt8]("garbage".utf8))
        guard case .failed(let failure) = step else {
            Issue.record("\(step)")
            return
        }
        session.outbound.consume(session.outbound.count)
        let plain = ByteQueue()
        plain.append([1])
        #expect(session.handshake() == .failed(failure))
        #expect(session.read(into: ByteQueue(), upTo: 10) == .failed(failure))
        #expect(session.write(from: plain, upTo: 10) == .failed(failure))
        session.sendCloseNotify()
        #expect(session.outbound.isEmpty)
        #expect(session.parameters == nil)
    }

    @Test func alertsAreToldApart() throws {
        #expect(try client(receiving: [21, 3, 3, 0, 2, 2, 40]).step.failure == .peerAlert(40))
        #expect(try client(receiving: [21, 3, 3, 0, 2, 2, 112]).step.failure == .peerAlert(112))
        #expect(try client(receiving: [21, 3, 3, 0, 2, 2, 255]).step.failure == .peerAlert(255))
    }

    @Test func closeNotifyInTheHandshakeIsAnAlert() throws {
        #expect(try client(receiving: [21, 3, 3, 0, 2, 1, 0]).step.failure == .peerAlert(0))
    }

    @Test func aServerOfSSL3HasNoVersionInCommon() throws {
        // ServerHello: SSL 3.0, 32 octets of random, no session, TLS_RSA_WITH_AES_128_CBC_SHA, no compression.
        let body: [UInt8] = [3, 0] + [UInt8](repeating: 7, count: 32) + [0, 0x00, 0x2F, 0]
        let message: [UInt8] = [2, 0, 0, UInt8(body.count)] + body
        let (session, step) = try client(receiving: [22, 3, 0, 0, UInt8(message.count)] + message)
        #expect(step.failure == .noCommonVersion)
        // Fatal, protocol_version.
        #expect(session.outbound.takeAll().suffix(2) == [2, 70])
    }

    @Test func aMessageOutOfPlaceIsAViolation() throws {
        // A Finished in place of the ServerHello.
        let (session, step) = try client(receiving: [22, 3, 3, 0, 16, 20, 0, 0, 12] + [UInt8](repeating: 0, count: 12))
        #expect(step.failure == .protocolViolation)
        // Fatal, unexpected_message.
        #expect(session.outbound.takeAll().suffix(2) == [2, 10])
    }

    // MARK: What a client sends

    private func server(receiving bytes: [UInt8]) throws -> (session: TLSSession, step: TLSSession.HandshakeStep) {
        let identity = try TestAuthority().server(.dns("api.pinproof.test"))
        let session = try TLSSession.accepting(.server(), identity: identity, alpn: nil)
        session.inbound.append(bytes)
        return (session, session.handshake())
    }

    /// A ClientHello in a record (RFC 8446 section 4.1.2).
    private func hello(version: UInt16, suites: [UInt16], extensions: [(type: UInt16, body: [UInt8])] = []) -> [UInt8] {
        let encoded = extensions.flatMap { octets($0.type) + sized($0.body) }
        let body =
            octets(version) + [UInt8](repeating: 7, count: 32) + [0] + sized(suites.flatMap(octets)) + [1, 0]
            + (extensions.isEmpty ? [] : sized(encoded))
        return [22, 3, 1] + sized([1, 0] + sized(body))
    }

    private func octets(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    private func sized(_ bytes: [UInt8]) -> [UInt8] { octets(UInt16(bytes.count)) + bytes }

    /// A TLS 1.3 hello with one group, a share for it, and one signature algorithm.
    private func hello13(suite: UInt16 = 0x1301, group: UInt16 = 0x001D, signature: UInt16 = 0x0403) -> [UInt8] {
        hello(
            version: 0x0303, suites: [suite],
            extensions: [
                (43, [2, 3, 4]), (10, sized(octets(group))), (13, sized(octets(signature))),
                (51, sized(octets(group) + sized([9] + [UInt8](repeating: 0, count: 31)))),
            ])
    }

    @Test func theHandwrittenHelloIsSound() throws {
        let (session, step) = try server(receiving: hello13())
        #expect(step == .needsInput)
        #expect(session.outbound.count > 200)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "CONNECT a:443 HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n\r\n", "\0\0\0\0\0\0"])
    func aClientThatSpeaksSomethingElseIsNoTLSPeer(_ text: String) throws {
        #expect(try server(receiving: [UInt8](text.utf8)).step.failure == .notTLS)
    }

    @Test func noCipherSuiteInCommon() throws {
        // An RSA key exchange, with an ECDSA certificate; and a suite of TLS 1.3 that does not exist.
        let (session, step) = try server(receiving: hello(version: 0x0303, suites: [0x002F]))
        #expect(step.failure == .noCommonCipherSuite)
        #expect(session.outbound.takeAll().suffix(2) == [2, 40])
        #expect(try server(receiving: hello13(suite: 0x13FF)).step.failure == .noCommonCipherSuite)
    }

    @Test func noVersionInCommon() throws {
        #expect(try server(receiving: hello(version: 0x0300, suites: [0x002F])).step.failure == .noCommonVersion)
    }

    @Test func noSignatureAlgorithmInCommon() throws {
        #expect(try server(receiving: hello13(signature: 0x0804)).step.failure == .noCommonSignatureAlgorithm)
    }

    @Test func noGroupInCommon() throws {
        #expect(try server(receiving: hello13(group: 0x0012)).step.failure == .noCommonGroup)
    }

    // OpenSSL's security level forbids the only signatures that TLS 1.0 has; such clients are not rare enough.
    @Test func aClientOfTLS10HasNoSignatureInCommon() throws {
        let step = try server(receiving: hello(version: 0x0301, suites: [0xC00A], extensions: [(10, [0, 2, 0, 23])]))
            .step
        #expect(step.failure == .noCommonSignatureAlgorithm)
    }

    // MARK: What the wire does

    @Test func everyCutLeavesTheSessionWaiting() throws {
        let pair = try TLSPair(TestAuthority())
        _ = pair.client.handshake()
        let hello = pair.client.outbound.takeAll()
        for count in stride(from: 0, to: hello.count, by: 37) {
            #expect(try server(receiving: Array(hello[..<count])).step == .needsInput)
        }
    }

    @Test func aDamagedRecordEndsTheSessionOnBothSides() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        let plain = ByteQueue()
        plain.append([1, 2, 3, 4])
        _ = pair.client.write(from: plain, upTo: 2)
        _ = pair.client.write(from: plain, upTo: 2)
        var bytes = pair.client.outbound.takeAll()
        bytes[bytes.endIndex - 1] ^= 1
        pair.server.inbound.append(bytes)
        let arrived = ByteQueue()
        // What came before the damage is delivered first.
        #expect(pair.server.read(into: arrived, upTo: 100) == .bytes(2))
        #expect(pair.server.read(into: arrived, upTo: 100).failure == .protocolViolation)
        pair.carry(pair.server.outbound, to: pair.client.inbound)
        #expect(pair.client.read(into: arrived, upTo: 100).failure == .peerAlert(20))
        #expect(arrived.takeAll() == [1, 2])
    }

    @Test func garbageAfterTheHandshakeIsAViolation() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        pair.server.inbound.append([UInt8]("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(pair.server.read(into: ByteQueue(), upTo: 100).failure == .protocolViolation)
    }

    // Whatever one changed byte does to a handshake, it is never taken for a good one by both sides. The first record's
    // header is left alone: its version "MUST be ignored" (RFC 8446 section 5.1).
    @Test(arguments: Version.allCases)
    func changedBytesNeverGoUnnoticed(_ version: Version) throws {
        let authority = try TestAuthority()
        let identity = try authority.server(.dns("api.pinproof.test"))
        let servers = try TLSContext.server()
        let clients = try TLSContext.client(trust: authority.trust, maximumVersion: version.rawValue)
        for position in stride(from: 5, to: 600, by: 23) {
            let pair = TLSPair(
                client: try .connecting(clients, to: host(), verify: .trustAndName, alpn: []),
                server: try .accepting(servers, identity: identity, alpn: nil))
            _ = pair.client.handshake()
            pair.carry(pair.client.outbound, to: pair.server.inbound)
            _ = pair.server.handshake()
            var flight = pair.server.outbound.takeAll()
            flight[position] ^= 0x10
            pair.client.inbound.append(flight)
            let first = pair.client.handshake()
            pair.carry(pair.client.outbound, to: pair.server.inbound)
            let second = pair.server.handshake()
            #expect(!(first == .complete && second == .complete))
        }
    }

    @Test func failuresSayWhatHappened() throws {
        let authority = try TestAuthority()
        let refused = try TLSPair(authority, trust: TestAuthority("Another root").trust).handshake()
        guard case .failed(let here) = refused.client, case .failed(let there) = refused.server else {
            Issue.record("\(refused)")
            return
        }
        #expect(here.description == "certificate 0 of the chain refused: unable to get local issuer certificate")
        #expect(there.description == "the peer sent alert 48 (unknown_ca)")
        #expect(here.cause.entries.map(\.reason) == [134])
        #expect(there.cause.entries.map(\.reason) == [1048])
    }
}
