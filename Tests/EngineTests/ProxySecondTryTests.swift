import Crypto
import Engine
import Reactor
import TestSupport
import Testing
import Transcript
import Wire

/// C52 and C76: the client speaks what the origin took, and an origin that cannot bear HTTP/2 is not offered it twice.
@Suite struct ProxySecondTryTests {
    private static let both = ["h2", "http/1.1"]

    /// How an origin drops a hello.
    enum Drop: CaseIterable {
        case fin, reset, alert

        var end: End {
            switch self {
            case .fin: .fin
            case .reset: .reset
            case .alert: .alert(120)
            }
        }
    }

    private func drop(_ origin: Peer, _ how: Drop) async throws {
        let hello = try await origin.wait("the proxy's hello") { $0.count > 0 }
        #expect(hello.received.firstRange(of: [2] + Array("h2".utf8)) != nil)
        switch how {
        case .fin: try await origin.sendFIN()
        case .reset: try await origin.reset()
        // no_application_protocol (RFC 7301 section 3.2).
        case .alert: try await origin.send(raw: [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x78])
        }
    }

    @Test("C52: an origin that drops an h2 offer is asked again without it, and remembered", arguments: Drop.allCases)
    func asksAgain(_ how: Drop) async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: Self.both)
        let first = try await stage.origin.accept()
        try await drop(first, how)
        let second = try await stage.origin.accept()
        try await second.beginTLS(.server(), identity: stage.originIdentity(), alpn: "http/1.1")
        try await client.secured()
        #expect(client.seen.facts?.alpn == Array("http/1.1".utf8))
        try await client.send("ping")
        #expect(try await second.receive(4) == Array("ping".utf8))
        // The proxy lets go of the first one.
        if how != .reset { try await first.ended() }

        let next = try await stage.connectedClient()
        try await next.beginTLS(to: .required(testHost), stage.clientContext(), alpn: Self.both)
        let third = try await stage.origin.accept()
        let hello = try await third.wait("the proxy's hello") { $0.count > 0 }
        #expect(hello.received.firstRange(of: [2] + Array("h2".utf8)) == nil)
        try await third.beginTLS(.server(), identity: stage.originIdentity(), alpn: "http/1.1")
        try await next.secured()
        #expect(next.seen.facts?.alpn == Array("http/1.1".utf8))
        #expect(stage.origin.callers == 3)

        for peer in [client, next, second, third] { try await peer.close() }
        let story = try await stage.log.story(of: 1)
        #expect(story.failures == [])
        #expect(story.lines.contains("withheld HTTP/2 after \(how.end) offered http/1.1"))
        #expect(story.lines.count { $0 == "connected" } == 2)
        #expect(story.lines.count { $0 == "message origin sent 1" } == 2)
        #expect(story.closed.phase == .relay)
        #expect(try await stage.log.story(of: 2).lines.contains("withheld HTTP/2 after - offered http/1.1"))
    }

    @Test("C52: a second try that fails is what the page tells") func secondTryFails() async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: Self.both)
        try await drop(stage.origin.accept(), .fin)
        let second = try await stage.origin.accept()
        try await second.wait("the proxy's hello") { $0.count > 0 }
        try await second.send(raw: [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])
        try await client.secured()
        #expect(try await client.fetchPage("h2").contains("it sent the alert handshake_failure (40)"))
        try await client.close()
        try await second.close()
        #expect(try await stage.log.story().failures == [.originHandshake])
        #expect(stage.origin.callers == 2)
    }

    @Test("C52: a client that leaves while the origin is asked again leaves nothing behind")
    func clientLeaves() async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: Self.both)
        try await drop(stage.origin.accept(), .fin)
        let second = try await stage.origin.accept()
        try await client.reset()
        try await second.ended()
        try await second.close()
        #expect(try await stage.log.story().closed.by == .client)
    }

    @Test("C76: an origin without h2 leaves nothing to translate", arguments: ["http/1.1", nil])
    func clientSpeaksWhatTheOriginTook(_ alpn: String?) async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(alpn: alpn, offering: Self.both)
        #expect(client.seen.facts?.alpn == alpn.map { Array($0.utf8) })
        #expect(origin.seen.facts?.alpn == alpn.map { Array($0.utf8) })
        #expect(stage.origin.callers == 1)
    }

    @Test("C52: a later GOAWAY passes through untouched") func goAway() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(alpn: "h2", offering: Self.both)
        // SETTINGS, then GOAWAY with HTTP_1_1_REQUIRED (RFC 9113 sections 6.5, 6.8 and 7).
        let frames: [UInt8] =
            [0, 0, 0, 4, 0, 0, 0, 0, 0]
            + [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0D]
        try await origin.send(frames)
        try await origin.sendCloseNotify()
        #expect(try await client.receive(frames.count) == frames)
        try await client.wait("the origin's end") { $0.sawCloseNotify }
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(stage.origin.callers == 1)
        #expect(story.failures == [])
    }
}
