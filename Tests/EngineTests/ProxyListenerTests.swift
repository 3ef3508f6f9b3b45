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

/// Where the proxy listens, and that it never calls itself.
@Suite struct ProxyListenerTests {
    /// A proxy that refuses nothing but what the test did not name, at an address of the test's choice.
    private func stage(_ listen: String, _ hosts: [String]) async throws -> Stage {
        let address = try #require(SocketAddress(address: listen, port: 0))
        return try await Stage {
            $0.listen = address
            $0.hosts = hosts
            $0.resolves = false
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.0.0.1", "localhost"), ("127.0.0.1", "LOCALHOST."),
        ("127.0.0.1", "any.localhost"), ("127.0.0.1", "0.0.0.0"), ("127.0.0.1", "[::ffff:127.0.0.1]"),
        ("0.0.0.0", "127.0.0.1"), ("0.0.0.0", "127.1.2.3"), ("0.0.0.0", "0.0.0.0"),
        ("::1", "[::1]"), ("::1", "localhost"), ("::1", "[0:0:0:0:0:0:0:1]"), ("::1", "[::]"), ("::", "[::1]"),
        ("::", "127.0.0.1"),
    ])
    func noSpellingLeadsTheProxyToItself(_ listen: String, _ host: String) async throws {
        let stage = try await stage(listen, ["localhost", "any.localhost", "*"])
        let port = stage.proxy.address.port
        let home = listen.contains(":") ? "::1" : "127.0.0.1"
        let address = try #require(SocketAddress(address: home, port: port))
        let client = try await Peer.connect(on: stage.loop, to: address)
        try await client.send("CONNECT \(host):\(port) HTTP/1.1\r\n\r\n")
        #expect(try await client.ended() == .fin)
        #expect(client.seen.text.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        #expect(client.seen.text.contains("is this proxy itself"))
        try await client.close()
        #expect(try await stage.log.story().failures == [.ownListener])
        #expect(stage.recorder.connectionCount == 1)
    }

    /// Another port of this machine is somebody else's.
    @Test func anotherPortOfThisMachineIsServed() async throws {
        let stage = try await Stage {
            $0.hosts = ["127.0.0.1"]
            $0.resolves = false
        }
        let client = try await stage.client()
        try await client.send("CONNECT \(stage.origin.address) HTTP/1.1\r\n\r\n")
        _ = try await client.receive(through: "200 Connection established\r\n\r\n")
        _ = try await stage.origin.accept()
    }

    /// An override may name the proxy too.
    @Test func overrideDoesNotLeadTheProxyToItself() async throws {
        let loop = try TestLoop()
        let reserved = try await PeerListener(on: loop.loop)
        let address = reserved.address
        try await reserved.close()
        let stage = try await Stage {
            $0.listen = address
            $0.origin = address
        }
        let client = try await stage.client()
        try await client.send("CONNECT \(testHost):443 HTTP/1.1\r\n\r\n")
        #expect(try await client.ended() == .fin)
        #expect(client.seen.text.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
    }

    /// Whoever records the beginning of a run can do so before any client is there.
    @Test func addressIsToldBeforeAnyClientIsAccepted() async throws {
        let log = EventLog()
        let recorder = Recorder([log])
        let configuration = ProxyConfiguration(
            listen: .anyLoopbackPort, authority: try .ephemeral(now: Int64(time(nil))),
            originTrust: try TrustStore(anchors: []))
        let proxy = try ProxyServer(configuration, recorder: recorder) { address in
            // A client that is quicker than any can be: it waits in the kernel's queue, and has gone again.
            _ = try? connectedSocket(to: address)
            recorder.record(
                .runStarted(
                    RunStarted(tool: "test", openssl: "test", listeners: [address.description], authorities: [])),
                connection: nil)
        }
        try await log.closed(1)
        let first = log.all.first?.kind
        if case .runStarted = first {} else { Issue.record("the first event is \(String(describing: first))") }
        proxy.stop()
    }

    /// A proxy that cannot listen says so, and leaves no thread and no descriptor behind.
    @Test func portInUseIsAnError() async throws {
        await #expect(processExitsWith: .success) {
            let loop = try TestLoop()
            let taken = try await PeerListener(on: loop.loop)
            let configuration = ProxyConfiguration(
                listen: taken.address, authority: try .ephemeral(now: Int64(time(nil))),
                originTrust: try TrustStore(anchors: []))
            func fail() throws {
                #expect(throws: ReactorError.self) { try ProxyServer(configuration, recorder: Recorder([])) }
            }
            try fail()
            let before = try openDescriptors()
            for _ in 0..<10 { try fail() }
            #expect(try openDescriptors() == before)
        }
    }

    /// Fewer workers than one are one.
    @Test func aProxyHasAtLeastOneWorker() async throws {
        let stage = try await Stage {
            $0.workers = 0; $0.decision = .tunnel
        }
        let (client, origin) = try await stage.tunnelledPair()
        try await client.send("served")
        #expect(try await origin.receive(6) == Array("served".utf8))
    }
}
