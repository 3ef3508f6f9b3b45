import Crypto
import Testing
import Wire

/// Expectations are the flights of RFC 8446 section 2 and RFC 5246 section 7.3.
struct TLSMessageTests {
    /// What a session sent (">") and received ("<").
    private final class Log {
        var messages: [TLSMessage] = []
        var lines: [String] { messages.map(Log.line) }

        init(_ session: TLSSession) { session.onMessage = { [unowned self] in messages.append($0) } }

        private static func line(_ message: TLSMessage) -> String {
            let name =
                switch message.content {
                case .handshake: names[message.bytes[0]] ?? "handshake message \(message.bytes[0])"
                case .alert: "alert \(message.bytes)"
                case .changeCipherSpec: "change_cipher_spec \(message.bytes)"
                }
            return (message.sent ? "> " : "< ") + name
        }

        private static let names: [UInt8: String] = [
            1: "client_hello", 2: "server_hello", 8: "encrypted_extensions", 11: "certificate",
            12: "server_key_exchange", 14: "server_hello_done", 15: "certificate_verify", 16: "client_key_exchange",
            20: "finished",
        ]
    }

    @Test func aHandshakeOfTLS13InTheClear() throws {
        let pair = try TLSPair(TestAuthority())
        let (client, server) = (Log(pair.client), Log(pair.server))
        pair.handshake()
        #expect(
            client.lines == [
                "> client_hello", "< server_hello", "< encrypted_extensions", "< certificate", "< certificate_verify",
                "< finished", "> change_cipher_spec [1]", "> finished",
            ])
        #expect(
            server.lines == [
                "< client_hello", "> server_hello", "> change_cipher_spec [1]", "> encrypted_extensions",
                "> certificate", "> certificate_verify", "> finished", "< finished",
            ])
    }

    @Test func aHandshakeOfTLS12() throws {
        let pair = try TLSPair(TestAuthority(), version: .tls12)
        let (client, server) = (Log(pair.client), Log(pair.server))
        pair.handshake()
        #expect(
            client.lines == [
                "> client_hello", "< server_hello", "< certificate", "< server_key_exchange", "< server_hello_done",
                "> client_key_exchange", "> change_cipher_spec [1]", "> finished", "< finished",
            ])
        #expect(
            server.lines == [
                "< client_hello", "> server_hello", "> certificate", "> server_key_exchange", "> server_hello_done",
                "< client_key_exchange", "< finished", "> change_cipher_spec [1]", "> finished",
            ])
    }

    @Test(arguments: Version.allCases)
    func bothEndsSeeTheSameBytes(_ version: Version) throws {
        let pair = try TLSPair(TestAuthority(), version: version)
        let (client, server) = (Log(pair.client), Log(pair.server))
        pair.handshake()
        let handshake: (Log, Bool) -> [[UInt8]] = { log, sent in
            log.messages.filter { $0.sent == sent && $0.content == .handshake }.map(\.bytes)
        }
        #expect(handshake(client, true) == handshake(server, false))
        #expect(handshake(client, false) == handshake(server, true))
        // A header of four bytes, then as much as it says.
        for message in client.messages where message.content == .handshake {
            let length = message.bytes[1...3].reduce(0) { $0 << 8 | Int($1) }
            #expect(message.bytes.count == 4 + length)
        }
        let certificate = try #require(client.messages.first { $0.bytes[0] == 11 && !$0.sent })
        let leaf = try #require(pair.client.peerChain.first)
        #expect(certificate.bytes.indices.contains { certificate.bytes[$0...].starts(with: leaf.der) })
    }

    @Test(arguments: Version.allCases)
    func applicationDataIsNoMessage(_ version: Version) throws {
        let pair = try TLSPair(TestAuthority(), version: version)
        pair.handshake()
        let (client, server) = (Log(pair.client), Log(pair.server))
        #expect(pair.send([1, 2, 3], from: pair.client, to: pair.server).bytes == [1, 2, 3])
        #expect(client.lines.isEmpty)
        #expect(server.lines.isEmpty)
    }

    @Test(arguments: Version.allCases)
    func theCloseIsAnAlertOfTwoBytes(_ version: Version) throws {
        let pair = try TLSPair(TestAuthority(), version: version)
        pair.handshake()
        let (client, server) = (Log(pair.client), Log(pair.server))
        pair.client.sendCloseNotify()
        pair.carry(pair.client.outbound, to: pair.server.inbound)
        #expect(pair.server.read(into: ByteQueue(), upTo: 10) == .closed)
        #expect(client.lines == ["> alert [1, 0]"])
        #expect(server.lines == ["< alert [1, 0]"])
    }

    @Test(arguments: Version.allCases)
    func aRefusalIsAnAlert(_ version: Version) throws {
        let pair = try TLSPair(TestAuthority(), verify: .custom { _ in .reject(alert: 46) }, version: version)
        let (client, server) = (Log(pair.client), Log(pair.server))
        pair.handshake()
        #expect(client.lines.last == "> alert [2, 46]")
        #expect(server.lines.last == "< alert [2, 46]")
    }

    @Test func anObserverThatLeavesSeesNothingMore() throws {
        let pair = try TLSPair(TestAuthority())
        let log = Log(pair.client)
        _ = pair.client.handshake()
        #expect(log.lines == ["> client_hello"])
        pair.client.onMessage = nil
        pair.handshake()
        #expect(pair.client.isHandshakeComplete)
        #expect(log.lines == ["> client_hello"])
    }
}
