import Crypto
import TestSupport
import Testing
import Transcript
import Wire

/// How a client ends in each phase: verdicts rest on the phase and on FIN, RST, alert and close_notify told apart.
@Suite struct ProxyClientEndTests {
    private static let request = "CONNECT \(testHost):443 HTTP/1.1\r\n\r\n"

    /// What a client did before it went.
    enum Point: CaseIterable {
        case atOnce, inTheRequest, afterTheAnswer, inTheHello

        var phase: Phase {
            switch self {
            case .atOnce, .inTheRequest: .greeting
            case .afterTheAnswer, .inTheHello: .hello
            }
        }
    }

    @Test(arguments: Point.allCases, [End.fin, .reset])
    func clientGoesBeforeItsHelloIsThere(_ point: Point, _ end: End) async throws {
        let stage = try await Stage()
        let client = try await stage.client()
        switch point {
        case .atOnce: break
        case .inTheRequest: try await client.send("CONNECT api.pin")
        case .afterTheAnswer, .inTheHello:
            try await client.send(Self.request)
            _ = try await client.receive(through: "\r\n\r\n")
            if point == .inTheHello { try await client.send(raw: [0x16, 0x03, 0x01, 0x01, 0x00, 0x01]) }
        }
        try await client.delivered()
        if end == .fin { try await client.sendFIN() } else { try await client.reset() }
        let story = try await stage.log.story()
        #expect(story.ends(.client) == ["\(end) in \(point.phase)"])
        #expect(story.closed.by == .client)
        #expect(story.closed.phase == point.phase)
        #expect(story.closed.client == end)
        // Half a hello is worth a word: nobody stops there without a reason.
        #expect(story.failures == (point == .inTheHello ? [.peerVanished] : []))
    }

    /// A client whose hello is there, and that ends before the origin has shown a certificate: it was shown none.
    @Test(arguments: [End.fin, .reset]) func clientGoesWhileTheOriginIsAsked(_ end: End) async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext())
        let origin = try await stage.origin.accept()
        try await origin.wait("the proxy's hello") { $0.count > 0 }
        if end == .fin { try await client.sendFIN() } else { try await client.reset() }
        try await stage.log.first("the client's end") { if case .ended(.client, _, _) = $0 { () } else { nil } }
        #expect(try await origin.ended() == .fin)
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.ends(.client) == ["\(end) in originHandshake"])
        #expect(story.closed.phase == .originHandshake)
        #expect(story.closed.by == .client)
        #expect(!story.lines.contains { $0.hasPrefix("message client") })
        // Its hello is evidence all the same.
        #expect(story.lines.contains("wire client received"))
    }

    /// How a client may turn away from the certificate.
    enum Refusal: String, CaseIterable {
        case fin, reset, alert, closeNotify
    }

    @Test(arguments: Refusal.allCases, [0x0303, 0x0304] as [UInt16])
    func clientGoesAfterTheCertificate(_ refusal: Refusal, _ version: UInt16) async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        // Whoever sends the alert reads the certificate; whoever just goes does not.
        if refusal != .alert { try await client.setReading(false) }
        try await client.beginTLS(
            to: .required(testHost), stage.clientContext(version), verify: .custom { _ in .reject(alert: 48) })
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        try await origin.secured()
        // The last message of the flight: Finished, or ServerHelloDone.
        let last: UInt8 = version == 0x0304 ? 20 : 14
        try await stage.log.first("the proxy's flight") {
            if case .message(.client, .sent, let bytes, _) = $0, bytes.first == last { () } else { nil }
        }
        switch refusal {
        case .fin: try await client.sendFIN()
        case .reset: try await client.reset()
        case .alert: break
        case .closeNotify: try await client.send(raw: [0x15, 0x03, 0x03, 0x00, 0x02, 0x01, 0x00])
        }
        #expect(try await origin.ended() == .fin)
        #expect(origin.seen.sawCloseNotify)
        try await origin.close()
        try await client.close()
        let story = try await stage.log.story()
        let expected: End =
            switch refusal {
            case .fin: .fin
            case .reset: .reset
            case .alert: .alert(48)
            case .closeNotify: .closeNotify
            }
        #expect(story.ends(.client).first == "\(expected) in clientHandshake")
        #expect(story.closed.client == expected)
        #expect(story.closed.by == .client)
        #expect(story.closed.phase == .clientHandshake)
        #expect(story.failures == [])
        if refusal == .alert { #expect(story.lines.contains("alert client received 2 48")) }
    }

    /// curl with a wrong pin, OkHttp: the handshake is completed, then the connection is closed without a byte.
    @Test(arguments: Refusal.allCases) func clientGoesAfterTheHandshakeWithoutAByte(_ refusal: Refusal) async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        switch refusal {
        case .fin: try await client.sendFIN()
        case .reset: try await client.reset()
        // OpenSSL sends bad_record_mac (20) when it gets a record that does not decrypt.
        case .alert: try await client.withSession { $0.inbound.append([0x17, 0x03, 0x03, 0x00, 0x20] + pattern(32)) }
        case .closeNotify: try await client.sendCloseNotify()
        }
        if refusal == .alert { try await client.provoke() }
        let expected: End =
            switch refusal {
            case .fin: .fin
            case .reset: .reset
            case .alert: .alert(20)
            case .closeNotify: .closeNotify
            }
        // Passed on as it was; an alert of one session is a stream that stops in the other.
        switch refusal {
        case .closeNotify:
            try await origin.wait("close_notify") { $0.sawCloseNotify }
            try await origin.sendCloseNotify()
        case .reset: #expect(try await origin.ended() == .reset)
        case .fin, .alert:
            #expect(try await origin.ended() == .fin)
            #expect(origin.seen.alerts == [])
        }
        try await origin.close()
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.ends(.client).first == "\(expected) in relay")
        #expect(story.closed.client == expected)
        #expect(story.closed.by == .client)
        #expect(story.closed.phase == .relay)
        #expect(story.closed.clientBytes == 0)
        #expect(!story.lines.contains("first data client"))
    }

    /// The alert is not lost to what the proxy sends at the same moment: an origin that speaks first, as with HTTP/2.
    @Test func alertIsSeenThoughTheOriginSpeaksFirst() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        try await client.setReading(false)
        try await client.withSession { $0.inbound.append([0x17, 0x03, 0x03, 0x00, 0x20] + pattern(32)) }
        try await client.provoke()
        try await client.delivered()
        try await client.reset()
        try await origin.send(pattern(100_000))
        let story = try await stage.log.story()
        #expect(story.ends(.client).first == "alert(20) in relay")
        #expect(story.closed.client == .alert(20))
    }

    /// A client that has no suite in common is told so, and is not said to have refused.
    @Test func clientWithNothingInCommonFailsOnOurSide() async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        // TLS 1.2 with TLS_RSA_WITH_RC4_128_SHA and nothing else, and rsa_pkcs1_sha256.
        let body: [UInt8] =
            [0x03, 0x03] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x00, 0x05, 1, 0]
            + [0, 8, 0, 13, 0, 4, 0, 2, 0x04, 0x01]
        let message: [UInt8] = [1, 0, 0, UInt8(body.count)] + body
        try await client.send(raw: [0x16, 0x03, 0x01, 0, UInt8(message.count)] + message)
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        // handshake_failure (40, RFC 5246 section 7.2.2), then the end.
        #expect(try await client.ended() == .fin)
        #expect(client.seen.received == [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.failures == [.clientHandshake])
        #expect(story.closed.phase == .clientHandshake)
    }
}
