import Authority
import Crypto
import Engine
import Glibc
import Interception
import Reactor
import TestSupport
import Testing
import Transcript
import Wire

/// From a name to a TCP connection.
@Suite struct ProxyConnectTests {
    /// The second address of a name is tried when the first does not answer.
    @Test func everyAddressOfANameIsTried() async throws {
        let stage = try await Stage {
            $0.hosts = ["localhost"]; $0.resolves = false; $0.decision = .tunnel
        }
        // `localhost` is 127.0.0.1 and then ::1; only the latter listens.
        let address = try #require(SocketAddress(address: "::1", port: 0))
        let origin = try await PeerListener(on: stage.loop, at: address)
        let client = try await stage.client()
        try await client.send("CONNECT localhost:\(origin.address.port) HTTP/1.1\r\n\r\n")
        _ = try await client.receive(through: "200 Connection established\r\n\r\n")
        _ = try await origin.accept()
        let connected = try await stage.log.first("the connection") {
            if case .connected(let origin, _, _) = $0 { origin } else { nil }
        }
        #expect(connected == origin.address.description)
    }

    /// A listener whose queue is full: the kernel drops what else comes, as a firewall does.
    private final class Silent {
        let address: SocketAddress
        private var descriptors: [Int32] = []

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            descriptors.append(listener)
            var storage = sockaddr_in()
            storage.sin_family = sa_family_t(AF_INET)
            storage.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let port = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                    _ = bind(listener, raw, length)
                    _ = listen(listener, 0)
                    _ = getsockname(listener, raw, &length)
                }
                return UInt16(bigEndian: pointer.pointee.sin_port)
            }
            address = try #require(SocketAddress(address: "127.0.0.1", port: port))
            // More than the queue holds.
            for _ in 0..<3 {
                let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
                descriptors.append(filler)
                withUnsafePointer(to: storage) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(filler, $0, length) }
                }
            }
        }

        deinit { for descriptor in descriptors { Glibc.close(descriptor) } }
    }

    @Test func originThatDoesNotAnswerGives504() async throws {
        let silent = try Silent()
        let stage = try await Stage {
            $0.origin = silent.address
            $0.limits.connect = .milliseconds(300)
        }
        let client = try await stage.client()
        try await client.send("CONNECT \(testHost):443 HTTP/1.1\r\n\r\n")
        #expect(try await client.ended() == .fin)
        #expect(client.seen.text.hasPrefix("HTTP/1.1 504 Gateway Timeout\r\n"))
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.failures == [.timeout])
        #expect(story.closed.by == .origin)
        withExtendedLifetime(silent) {}
    }

    /// A client that does not wait for the connection: it goes on its own, and so does the connection.
    @Test func stoppingWhileConnectingLeavesNothing() async throws {
        let silent = try Silent()
        let stage = try await Stage { $0.origin = silent.address }
        let client = try await stage.client()
        try await client.send("CONNECT \(testHost):443 HTTP/1.1\r\n\r\n")
        try await stage.log.first("the decision") { if case .decided = $0 { () } else { nil } }
        stage.proxy.stop()
        _ = try await client.ended()
        #expect(try await stage.log.story().closed.phase == .connecting)
        withExtendedLifetime(silent) {}
    }

    /// A client of TLS 1.2 that takes RSA certificates only: the leaf is one, and works.
    @Test func clientWithoutECDSAGetsAnRSALeaf() async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        let trust = try TrustStore(anchors: [stage.proxyAuthority.certificate])
        try await client.beginTLS(
            to: .required(testHost), .oldClient(trust: trust, suites: "ECDHE-RSA-AES128-GCM-SHA256"))
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        try await client.secured()
        #expect(client.seen.facts?.version == 0x0303)
        // TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 (RFC 5289)
        #expect(client.seen.facts?.cipherSuite == 0xC02F)
        #expect(client.seen.chain.first?.keyDescription == "RSA 2048")
        try await client.send("ping")
        #expect(try await origin.receive(4) == Array("ping".utf8))
        let key = try await stage.log.first("the leaf") {
            if case .forged(_, _, let key, _, _) = $0 { key } else { nil }
        }
        #expect(key == "RSA 2048")
    }

    /// A client that goes while its RSA key is being made.
    @Test func clientMayGoWhileItsLeafIsMade() async throws {
        let stage = try await Stage()
        var clients: [Peer] = []
        for _ in 0..<4 {
            let client = try await stage.connectedClient()
            let trust = try TrustStore(anchors: [stage.proxyAuthority.certificate])
            try await client.beginTLS(to: .required(testHost), .oldClient(trust: trust, suites: "aRSA"))
            let origin = try await stage.origin.accept()
            try await origin.beginTLS(.server(), identity: stage.originIdentity())
            try await origin.secured()
            try await client.reset()
            clients.append(client)
        }
        for connection in 1...4 as ClosedRange<UInt64> {
            #expect(try await stage.log.story(of: connection).closed.client == .reset)
        }
    }

    /// Names and addresses that a client may ask for have their certificate.
    @Test(
        arguments: [
            ("127.0.0.1", nil, ["IP:127.0.0.1", "IP:::ffff:127.0.0.1"]), ("[::1]", nil, ["IP:::1"]),
            (testHost, "other.pinproof.test", ["DNS:other.pinproof.test"]),
        ] as [(String, String?, [String])])
    func leafIsForWhatTheClientAskedFor(_ host: String, _ serverName: String?, _ expected: [String]) async throws {
        let stage = try await Stage { $0.hosts = [host] }
        let client = try await stage.connectedClient(host)
        try await client.beginTLS(to: .required(serverName ?? host), stage.clientContext())
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        // The origin is not for this name; the client gets its handshake all the same.
        try await client.secured()
        #expect(client.seen.chain.first?.subjectAltNames == expected)
        try await client.close()
        #expect(try await stage.log.story().failures == [.originWrongName])
    }
}
