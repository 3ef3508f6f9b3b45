import Crypto
import Engine
import Reactor
import TestSupport
import Testing
import Transcript
import Wire

/// Origins that fail: an honest answer to the CONNECT while it is not answered, a page in the forged session afterwards.
@Suite struct ProxyOriginFaultTests {
    /// Nobody listens at the origin's address.
    @Test func originThatRefusesTheConnection() async throws {
        let stage = try await Stage()
        try await stage.origin.close()
        let client = try await stage.client()
        try await client.send("CONNECT \(testHost):443 HTTP/1.1\r\n\r\n")
        #expect(try await client.ended() == .fin)
        let lines = client.seen.text.split(separator: "\r\n")
        #expect(lines.first == "HTTP/1.1 502 Bad Gateway")
        #expect(
            lines.last?.hasPrefix(
                "pinproof: no connection to \(testHost):443: connect to \(stage.origin.address): Connection refused")
                == true)
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.failures == [.connectionFailed])
        #expect(
            story.lines.suffix(5) == [
                "failed connectionFailed by origin in connecting", "answered 502 connectionFailed",
                "ended client fin closing", "verdict notTested",
                "closed by origin in connecting client fin origin - bytes 0 0",
            ])
    }

    /// RFC 6761 section 6.4: nobody is asked for a name below `invalid`.
    @Test func nameThatHasNoAddress() async throws {
        let stage = try await Stage {
            $0.resolves = false; $0.hosts = ["nobody.invalid"]
        }
        let client = try await stage.client()
        try await client.send("CONNECT nobody.invalid:443 HTTP/1.1\r\n\r\n")
        #expect(try await client.ended() == .fin)
        #expect(client.seen.text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        try await client.close()
        #expect(try await stage.log.story().failures == [.nameNotResolved])
    }

    /// What an origin may do in place of its part of the handshake.
    enum Fault: String, CaseIterable {
        case closesAtOnce, closesAfterTheHello, resets, alerts, speaksHTTP, sendsNoise

        var code: Failure.Code { .originHandshake }

        /// What the page says of it.
        var words: String {
            switch self {
            case .closesAtOnce: "the origin ended before TLS began: it closed the connection"
            case .closesAfterTheHello: "the origin ended the handshake: it closed the connection"
            case .resets: "the origin ended the handshake: it reset the connection"
            case .alerts: "the origin ended the handshake: it sent the alert handshake_failure (40)"
            case .speaksHTTP, .sendsNoise: "the peer does not speak TLS"
            }
        }
    }

    @Test(arguments: Fault.allCases, ["http/1.1", "h2"])
    func originThatFailsInTheHandshake(_ fault: Fault, _ alpn: String) async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        let origin = try await stage.origin.accept()
        if fault == .closesAtOnce {
            try await origin.sendFIN()
            try await stage.log.first("its end") { if case .ended(.origin, .fin, _) = $0 { true } else { nil } }
        }
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: [alpn])
        if fault != .closesAtOnce { try await origin.wait("the proxy's hello") { $0.count > 0 } }
        switch fault {
        case .closesAtOnce: break
        case .closesAfterTheHello: try await origin.sendFIN()
        case .resets: try await origin.reset()
        case .alerts: try await origin.send(raw: [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])
        case .speaksHTTP: try await origin.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        case .sendsNoise: try await origin.send(raw: pattern(100_000))
        }
        try await client.secured()
        #expect(client.seen.facts?.alpn == Array(alpn.utf8))
        #expect(client.seen.chain.first?.subjectAltNames == ["DNS:\(testHost)"])
        let page = try await client.fetchPage(alpn)
        #expect(page.contains(fault.words))
        #expect(page.contains("To mend it: try the origin directly"))
        try await client.sendCloseNotify()
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.failures == [fault.code])
        #expect(story.lines.contains("answered 502 \(fault.code)"))
        #expect(story.closed.by == .origin)
        #expect(story.closed.phase == (fault == .closesAtOnce ? .hello : .originHandshake))
        // The client's handshake is evidence of its own.
        #expect(story.lines.contains("secured client \(alpn)"))
    }

    /// What may be wrong with an origin's certificate.
    enum Defect: String, CaseIterable {
        case untrusted, expired, notYetValid, wrongName
    }

    @Test(arguments: Defect.allCases) func originWithAFaultyCertificate(_ defect: Defect) async throws {
        let stage = try await Stage { $0.trustsOrigin = defect != .untrusted }
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        let identity =
            switch defect {
            case .untrusted: try stage.originIdentity()
            case .expired: try stage.originIdentity(notBefore: -7200, notAfter: -3600)
            case .notYetValid: try stage.originIdentity(notBefore: 3600, notAfter: 7200)
            case .wrongName: try stage.originIdentity("other.pinproof.test")
            }
        try await origin.beginTLS(.server(), identity: identity)
        try await client.secured()
        let page = try await client.fetchPage("http/1.1")
        #expect(page.contains("the origin's certificate is refused"))
        let code: Failure.Code =
            switch defect {
            case .untrusted: .originUntrusted
            case .expired: .originExpired
            case .notYetValid: .originNotYetValid
            case .wrongName: .originWrongName
            }
        #expect(page.contains("(\(code.rawValue))"))
        #expect(page.contains("it is for DNS:other.pinproof.test") == (defect == .wrongName))
        // unknown_ca (48), certificate_expired (45), bad_certificate (42) for the two others: libssl's numbers.
        try await origin.wait("the alert") { !$0.alerts.isEmpty }
        #expect(origin.seen.alerts == [defect == .untrusted ? 48 : defect == .expired ? 45 : 42])
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.failures == [code])
        #expect(story.lines.contains("chain origin 1"))
    }

    /// An origin that stalls in its handshake: the page comes when the limit is over, and says 504.
    @Test func originThatStalls() async throws {
        let stage = try await Stage { $0.limits.handshake = .milliseconds(300) }
        let client = try await stage.connectedClient()
        let origin = try await stage.origin.accept()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        try await origin.wait("the proxy's hello") { $0.count > 0 }
        // A record that never ends.
        try await origin.send(raw: [0x16, 0x03, 0x03, 0x40, 0x00, 0x02])
        try await client.secured()
        try await client.send("GET / HTTP/1.1\r\nHost: \(testHost)\r\nConnection: close\r\n\r\n")
        #expect(try await client.ended() == .fin)
        #expect(client.seen.text.hasPrefix("HTTP/1.1 504 "))
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.failures == [.timeout])
        // What came is evidence, also of a handshake that did not end by itself.
        #expect(
            story.lines.prefix(10) == [
                "opened", "requested CONNECT api.pinproof.test:443",
                "decided intercept by --intercept api.pinproof.test", "connected", "hello", "message origin sent 1",
                "origin hello", "wire origin sent", "wire origin received",
                "failed timeout by origin in originHandshake",
            ])
    }

    /// An origin that resets after the handshake takes nothing back of what it sent (C75).
    @Test func originThatResetsAfterItsAnswer() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        try await client.send("request")
        _ = try await origin.receive(7)
        // No more than the kernels on the way hold while the client does not read.
        let answer = pattern(40_000)
        try await client.setReading(false)
        try await origin.send(answer)
        try await origin.delivered()
        try await origin.reset()
        try await client.setReading(true)
        #expect(try await client.ended() == .reset)
        expectSame(client.seen.received, answer)
        #expect(client.seen.alerts == [])
        let story = try await stage.log.story()
        #expect(story.ends(.origin) == ["reset in relay"])
        #expect(story.closed.by == .origin)
        #expect(story.closed.originBytes == 40_000)
    }

    /// The origin's alert after the handshake: its session's own affair; the client sees a stream that stops.
    @Test func originThatSendsAnAlertAfterTheHandshake() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        try await origin.send("part")
        _ = try await client.receive(4)
        try await origin.withSession { $0.inbound.append([0x17, 0x03, 0x03, 0x00, 0x20] + pattern(32)) }
        try await origin.provoke()
        #expect(try await client.ended() == .fin)
        #expect(client.seen.alerts == [])
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.ends(.origin).first == "alert(20) in relay")
        #expect(story.closed.by == .origin)
    }
}
