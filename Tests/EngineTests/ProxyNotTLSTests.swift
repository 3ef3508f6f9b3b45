import Crypto
import Engine
import Interception
import Reactor
import TestSupport
import Testing
import Transcript
import Wire

/// C34: tunnels that were to be intercepted and hold something else.
@Suite struct ProxyNotTLSTests {
    @Test("C34: an origin that greets first is heard, and answered")
    func originFirst() async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        let origin = try await stage.origin.accept()
        try await client.turns(200)
        try await origin.send("220 mail.example ESMTP\r\n")
        #expect(try await client.receive(through: "ESMTP\r\n") == "220 mail.example ESMTP\r\n")
        try await client.send("QUIT\r\n")
        #expect(try await origin.receive(through: "QUIT\r\n") == "QUIT\r\n")
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.lines.contains("not TLS originFirst"))
        #expect(story.failures == [])
        #expect(story.closed.originBytes == 24)
        #expect(story.closed.clientBytes == 6)
    }

    /// The silence is listed and changes nothing: whoever speaks then is heard.
    @Test("C34: a tunnel in which nobody speaks is listed, and kept")
    func silence() async throws {
        let stage = try await Stage { $0.limits.silence = .milliseconds(50) }
        let client = try await stage.connectedClient()
        try await stage.log.first("the silence") { if case .notTLS(.silence) = $0 { true } else { nil } }
        try await client.beginTLS(to: .required(testHost), stage.clientContext())
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        try await client.secured()
        try await origin.secured()
        try await client.send("late")
        #expect(try await origin.receive(4) == Array("late".utf8))
    }

    @Test("C34: a tunnel that stays silent ends by the idle limit, and is in the report")
    func endlessSilence() async throws {
        let stage = try await Stage {
            $0.limits.silence = .milliseconds(50)
            $0.limits.idle = .milliseconds(200)
        }
        let client = try await stage.connectedClient()
        #expect(try await client.ended() == .fin)
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.lines.contains("not TLS silence"))
        #expect(story.failures == [])
        #expect(story.closed.by == .proxy)
    }

    /// A dead back end behind a live port: the reason reaches the client inside TLS.
    @Test func originThatEndsBeforeTheHelloIsExplained() async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        let origin = try await stage.origin.accept()
        try await origin.sendFIN()
        try await stage.log.first("the origin's end") {
            if case .ended(.origin, .fin, .hello) = $0 { true } else { nil }
        }
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        try await client.secured()
        try await client.send("GET / HTTP/1.1\r\nHost: \(testHost)\r\n\r\n")
        #expect(try await client.receive(through: "\r\n").hasPrefix("HTTP/1.1 502 "))
        _ = try await client.receive(through: "the origin ended before TLS began")
    }
}
