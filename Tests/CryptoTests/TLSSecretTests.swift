import Crypto
import Testing
import Wire

/// Labels and their order are those of RFC 9850 section 2 and of the key schedule of RFC 8446 section 7.1.
struct TLSSecretTests {
    /// The secrets that a session told.
    private final class Log {
        var secrets: [(label: String, random: [UInt8], secret: [UInt8])] = []
        var lines: [String] { secrets.map { "\($0.label) \(hex($0.random)) \(hex($0.secret))" } }

        init(_ session: TLSSession) { session.onSecret = { [unowned self] in secrets.append(($0, $1, $2)) } }
    }

    @Test(arguments: Version.allCases)
    func bothEndsTellTheSameSecrets(_ version: Version) throws {
        let pair = try TLSPair(TestAuthority(), version: version)
        let (client, server) = (Log(pair.client), Log(pair.server))
        var hello: [UInt8] = []
        pair.client.onMessage = { if hello.isEmpty { hello = $0.bytes } }
        pair.handshake()
        let labels: Set<String> =
            version == .tls12
            ? ["CLIENT_RANDOM"]
            : [
                "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0",
                "SERVER_TRAFFIC_SECRET_0", "EXPORTER_SECRET",
            ]
        #expect(Set(client.secrets.map(\.label)) == labels)
        #expect(Set(client.lines) == Set(server.lines))
        // A ClientHello: four octets of header, two of the version, then the random.
        for secret in client.secrets {
            #expect(secret.random == Array(hello[6..<38]))
            #expect(secret.secret.count == 48)
        }
    }

    /// Two sessions of one context: each tells its own.
    @Test func secretsGoToTheirOwnSession() throws {
        let authority = try TestAuthority()
        let clients = try TLSContext.client(trust: authority.trust)
        let servers = try TLSContext.server()
        let identity = try authority.server(.dns("api.pinproof.test"))
        func pair() throws -> TLSPair {
            TLSPair(
                client: try .connecting(clients, to: host(), verify: .trustAndName, alpn: []),
                server: try .accepting(servers, identity: identity, alpn: nil))
        }
        let (heard, unheard) = (try pair(), try pair())
        let log = Log(heard.client)
        unheard.handshake()
        #expect(log.lines.isEmpty)
        heard.handshake()
        #expect(!log.lines.isEmpty)
    }
}
