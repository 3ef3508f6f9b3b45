import Crypto
import TestSupport
import Testing
import Transcript
import Wire

/// What is recorded of whole connections, written down from the RFCs and docs/events.md.
@Suite struct ProxyStoryTests {
    /// The TLS 1.3 handshake is that of RFC 8446 section 2; 1 and 2 are the hellos, 8 EncryptedExtensions, 11 Certificate,
    /// 15 CertificateVerify, 20 Finished.
    @Test(arguments: [1, 2]) func interceptedConnectionOverTLS13(_ workers: Int) async throws {
        let stage = try await Stage { $0.workers = workers }
        let (client, origin) = try await stage.interceptedPair(alpn: "http/1.1", offering: ["h2", "http/1.1"])
        try await exchangeAndEnd(client, origin)
        let story = try await stage.log.story()
        #expect(
            story.lines == [
                "opened", "requested CONNECT api.pinproof.test:443",
                "decided intercept by --intercept api.pinproof.test", "connected", "hello",
                "message origin sent 1", "origin hello", "wire origin sent", "message origin received 2",
                "server hello origin",
                "secret origin SERVER_HANDSHAKE_TRAFFIC_SECRET", "message origin received 8",
                "message origin received 11", "message origin received 15", "message origin received 20",
                "wire origin received",
                "secret origin CLIENT_HANDSHAKE_TRAFFIC_SECRET", "message origin sent 20", "wire origin sent",
                "chain origin 1",
                "secured origin http/1.1", "forged api.pinproof.test EC P-256", "chain client 1",
                "message client received 1", "wire client received", "message client sent 2", "server hello client",
                "secret client SERVER_HANDSHAKE_TRAFFIC_SECRET", "secret client CLIENT_HANDSHAKE_TRAFFIC_SECRET",
                "message client sent 8",
                "message client sent 11", "message client sent 15", "message client sent 20", "wire client sent",
                "message client received 20", "wire client received", "secured client http/1.1",
            ] + Self.exchange)
    }

    /// RFC 5246 section 7.3 with an ECDHE suite: 12 ServerKeyExchange, 14 ServerHelloDone, 16 ClientKeyExchange.
    @Test func interceptedConnectionOverTLS12() async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(0x0303))
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(maximumVersion: 0x0303), identity: stage.originIdentity())
        try await client.secured()
        try await exchangeAndEnd(client, origin)
        let story = try await stage.log.story()
        #expect(
            story.lines == [
                "opened", "requested CONNECT api.pinproof.test:443",
                "decided intercept by --intercept api.pinproof.test", "connected", "hello",
                "message origin sent 1", "origin hello", "wire origin sent", "message origin received 2",
                "server hello origin",
                "message origin received 11", "message origin received 12", "message origin received 14",
                "wire origin received", "message origin sent 16", "message origin sent 20", "wire origin sent",
                "message origin received 20", "wire origin received", "chain origin 1", "secured origin -",
                "forged api.pinproof.test EC P-256", "chain client 1",
                "message client received 1", "wire client received", "message client sent 2", "server hello client",
                "message client sent 11", "message client sent 12", "message client sent 14", "wire client sent",
                "message client received 16", "message client received 20", "wire client received",
                "message client sent 20", "wire client sent", "secured client -",
            ] + Self.exchange)
    }

    private func exchangeAndEnd(_ client: Peer, _ origin: Peer) async throws {
        try await client.send("ping")
        #expect(try await origin.receive(4) == Array("ping".utf8))
        try await origin.send("answer")
        #expect(try await client.receive(6) == Array("answer".utf8))
        try await client.sendCloseNotify()
        try await client.sendFIN()
        #expect(try await origin.ended() == .fin)
        #expect(origin.seen.sawCloseNotify)
        try await origin.sendCloseNotify()
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        #expect(client.seen.sawCloseNotify)
    }

    private static let exchange = [
        "first data client", "first data origin", "alert client received 1 0", "ended client closeNotify relay",
        "alert origin sent 1 0", "ended client fin closing", "alert origin received 1 0",
        "ended origin closeNotify closing", "alert client sent 1 0",
        "verdict accepted",
        "closed by client in relay client closeNotify origin closeNotify bytes 4 6",
    ]

    /// Every certificate of the run once, before the first event that names its digest.
    @Test func certificatesComeOnceAndBeforeTheirNames() async throws {
        let stage = try await Stage()
        for connection in [1, 2] as [UInt64] {
            let client = try await stage.connectedClient()
            try await client.beginTLS(to: .required(testHost), stage.clientContext())
            let origin = try await stage.origin.accept()
            try await origin.beginTLS(.server(), identity: stage.originIdentity())
            try await client.secured()
            try await client.close()
            try await origin.close()
            _ = try await stage.log.story(of: connection)
        }
        var known: [String] = []
        for event in stage.log.all {
            switch event.kind {
            case .certificate(let digest, let der):
                #expect(!known.contains(digest))
                #expect(Hex.encode(Digest.sha256(der)) == digest)
                #expect(event.connection == nil)
                known.append(digest)
            case .forged(_, let digest, _, _, _): #expect(known.contains(digest))
            case .chain(_, let digests): for digest in digests { #expect(known.contains(digest)) }
            default: break
            }
        }
        // The origin has a new certificate for each connection here; the forged leaf is the same.
        #expect(known.count == 3)
    }

    /// What the events hold is what was on the wire: the bytes of both directions, put together, are the handshake's.
    @Test func wireBytesAreComplete() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        // Its part of the handshake is over a moment before its last bytes are counted.
        try await client.delivered()
        let sent = client.seen.wire
        try await client.close()
        try await origin.close()
        var bytes: [Direction: [UInt8]] = [:]
        for case .wire(.client, let direction, let part) in try await stage.log.story().kinds {
            bytes[direction, default: []] += part
        }
        let answer = "HTTP/1.1 200 Connection established\r\n\r\n".utf8.count
        let request = "CONNECT \(testHost):443 HTTP/1.1\r\nHost: \(testHost):443\r\n\r\n".utf8.count
        #expect(bytes[.sent]?.count == sent.received - answer)
        #expect(bytes[.received]?.count == sent.sent - request)
        // Records of the handshake: type 22.
        #expect(bytes[.sent]?.first == 22)
        #expect(bytes[.received]?.first == 22)
    }

    @Test func tunnelledConnection() async throws {
        let stage = try await Stage { $0.decision = .tunnel }
        let (client, origin) = try await stage.tunnelledPair()
        try await client.send("ping")
        #expect(try await origin.receive(4) == Array("ping".utf8))
        try await origin.send("answer")
        #expect(try await client.receive(6) == Array("answer".utf8))
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        try await client.sendFIN()
        #expect(try await origin.ended() == .fin)
        #expect(
            try await stage.log.story().lines == [
                "opened", "requested CONNECT api.pinproof.test:443", "decided tunnel by --tunnel api.pinproof.test",
                "connected", "first data client", "first data origin", "ended origin fin relay",
                "ended client fin closing", "verdict notTested",
                "closed by origin in relay client fin origin fin bytes 4 6",
            ])
    }

    /// What came with the CONNECT is the first of what is carried.
    @Test func bytesBehindTheConnectAreCarriedToo() async throws {
        let stage = try await Stage { $0.decision = .tunnel }
        let client = try await stage.client()
        try await client.send("CONNECT \(testHost):443 HTTP/1.1\r\n\r\nearly")
        let origin = try await stage.origin.accept()
        #expect(try await origin.receive(5) == Array("early".utf8))
    }

    @Test func refusedConnection() async throws {
        let stage = try await Stage()
        let client = try await stage.client()
        try await client.send("CONNECT elsewhere.pinproof.test:443 HTTP/1.1\r\n\r\n")
        #expect(try await client.ended() == .fin)
        #expect(client.seen.text.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        try await client.sendFIN()
        #expect(
            try await stage.log.story().lines == [
                "opened", "requested CONNECT elsewhere.pinproof.test:443", "decided refuse by --refuse *",
                "failed refusedByRule by proxy in greeting", "answered 403 refusedByRule",
                "ended client fin closing", "verdict notTested",
                "closed by proxy in greeting client fin origin - bytes 0 0",
            ])
        #expect(stage.origin.callers == 0)
    }

    /// An origin that is not trusted: its chain is evidence, and the client is told inside its own session.
    @Test func pageInPlaceOfAnUntrustedOrigin() async throws {
        let stage = try await Stage { $0.trustsOrigin = false }
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        try await client.secured()
        #expect(try await origin.ended() == .fin)
        #expect(origin.seen.alerts == [48])
        try await client.send("GET / HTTP/1.1\r\nHost: \(testHost)\r\nConnection: close\r\n\r\n")
        #expect(try await client.ended() == .fin)
        #expect(client.seen.text.hasPrefix("HTTP/1.1 502 "))
        #expect(client.seen.text.contains("--origin-ca"))
        #expect(client.seen.sawCloseNotify)
        try await client.sendCloseNotify()
        try await client.sendFIN()
        let story = try await stage.log.story()
        #expect(
            story.lines == [
                "opened", "requested CONNECT api.pinproof.test:443",
                "decided intercept by --intercept api.pinproof.test", "connected", "hello",
                "message origin sent 1", "origin hello", "wire origin sent", "message origin received 2",
                "server hello origin",
                "secret origin SERVER_HANDSHAKE_TRAFFIC_SECRET", "message origin received 8",
                "message origin received 11", "wire origin received", "alert origin sent 2 48", "wire origin sent",
                "chain origin 1", "failed originUntrusted by origin in originHandshake",
                "forged api.pinproof.test EC P-256", "chain client 1",
                "message client received 1", "wire client received", "message client sent 2", "server hello client",
                "secret client SERVER_HANDSHAKE_TRAFFIC_SECRET", "secret client CLIENT_HANDSHAKE_TRAFFIC_SECRET",
                "message client sent 8",
                "message client sent 11", "message client sent 15", "message client sent 20", "wire client sent",
                "message client received 20", "wire client received", "secured client http/1.1",
                "first data client", "answered 502 originUntrusted", "alert client sent 1 0",
                "alert client received 1 0", "ended client closeNotify closing",
                "verdict accepted",
                "closed by origin in originHandshake client closeNotify origin - bytes 62 0",
            ])
    }
}
