import Testing
import Transcript
import Wire

@testable import Report

/// A connection as a whole, against a text that was written by hand.
@Suite struct ConnectionReportTests {
    private static let refused: [Event.Kind] =
        Recorded.asked + [
            .hello(Recorded.hello), .chain(.origin, ["aa", "bb"]),
            .forged(host: "api.example.com", digest: "cc", key: "EC P-256", fromCache: false, mirrors: [.expired]),
            .chain(.client, ["cc"]), .message(.client, .sent, Recorded.message(11)),
            .alert(.client, .received, level: 2, code: 46), .ended(.client, .alert(46), .clientHandshake),
            .failed(
                Failure(
                    party: .client, code: .clientHandshake, phase: .clientHandshake, detail: "it refused",
                    hint: "does it trust the CA?")), Recorded.closed(client: .alert(46)),
        ]

    private func report(_ kinds: [Event.Kind], _ parts: ConnectionReport.Parts = .standard) -> String {
        ConnectionReport().text(for: Recorded(kinds).story, certificates: Recorded.certificates, parts: parts)
    }

    @Test func `what it came to stands first, with the evidence`() {
        #expect(
            report(Self.refused, .verdict) == """
                Connection 1: api.example.com:443, intercept, 14:02:07.000 UTC
                  rejected: certificate_unknown (46) in the handshake
                  In the handshake, after our certificate was sent, the client sent the alert
                  certificate_unknown (46), which is about the certificate: it is refused for
                  another reason, which is not said.
                  client at fault: clientHandshake, it refused
                  Hint: does it trust the CA?

                """)
    }

    @Test func `a verdict in the file that the events do not show is told`() {
        let forged = Event.Kind.verdict(RecordedVerdict(name: "accepted", text: "accepted: 5 bytes of data"))
        let text = report(Self.refused.dropLast() + [forged] + Self.refused.suffix(1), .verdict)
        #expect(
            text.contains(
                """
                  The file says something else: accepted: 5 bytes of data. What counts is what
                  the events show.

                """))
        let honest = Event.Kind.verdict(
            RecordedVerdict(name: "rejected", text: "rejected: certificate_unknown (46) in the handshake"))
        #expect(!report(Self.refused.dropLast() + [honest] + Self.refused.suffix(1)).contains("something else"))
    }

    /// A gap concerns every connection that is open then: what its events show is told no more.
    @Test func `with events missing the recorded verdict is told, or that it cannot be decided`() {
        func text(_ kinds: [Event.Kind]) -> String {
            var story = ConnectionStory(connection: 1)
            for (index, event) in Recorded(kinds).events.enumerated() {
                if index == 6 { story.add(Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 9))) }
                story.add(event)
            }
            return ConnectionReport().text(for: story, certificates: [:], parts: .verdict)
        }
        let recorded = Event.Kind.verdict(RecordedVerdict(name: "accepted", text: "accepted: 5 bytes of data"))
        #expect(
            text(Self.refused.dropLast() + [recorded] + Self.refused.suffix(1)).contains(
                """
                  accepted: 5 bytes of data
                  Events are missing that may have been this connection's, and those that are
                  left do not decide what it showed.
                  The verdict is the one that was recorded when it ended.

                """))
        #expect(text(Self.refused).contains("\n  not tested: events missing\n"))
    }

    @Test func `a connection without an end has no verdict`() {
        let text = report(Array(Self.refused.dropLast()), .verdict)
        #expect(
            text.contains(
                """
                  not over
                  The transcript has no end of this connection: what it showed cannot be told
                  yet.

                """))
        #expect(!text.contains("certificate_unknown"))
    }

    @Test func `chains, mirrored faults and identities`() {
        let identity = IdentityExchange(
            side: .origin, authorities: ["CN=Clients"], chain: ["aa"], source: "app.p12", fault: nil)
        let text = report(Self.refused + [.identity(identity)], .chains)
        #expect(
            text == """
                Connection 1: api.example.com:443, intercept, 14:02:07.000 UTC

                Chain that the origin showed
                  ● CN=api.example.com
                  │ EC P-256, SHA-256 aa
                  │ 2026-03-01 to 2027-03-01
                  │ DNS:api.example.com
                  ▼ issued by
                  ● CN=Example CA
                    RSA 2048, SHA-256 bb
                    2024-01-01 to 2025-12-31
                    expired when it was shown
                    self-signed

                Chain that the client was shown
                  with the origin's faults: expired
                  ● a certificate that the transcript does not hold
                    SHA-256 cc

                The origin asked for a client certificate
                  of            CN=Clients
                  from          app.p12
                  the proxy gave
                  ● CN=api.example.com
                  │ EC P-256, SHA-256 aa
                  │ 2026-03-01 to 2027-03-01
                  │ DNS:api.example.com
                  ┆ issued by CN=Example CA, not in the chain

                """)
    }

    @Test func `the hello part by part, in the client's order`() {
        #expect(
            report(Self.refused, .hellos) == """
                Connection 1: api.example.com:443, intercept, 14:02:07.000 UTC

                The client's hello
                  server name   api.example.com
                  versions      TLS 1.3, TLS 1.2
                  ALPN          h2
                  cipher suites GREASE, TLS_AES_128_GCM_SHA256
                  extensions    server_name, application_layer_protocol_negotiation,
                                supported_versions, GREASE
                  GREASE        yes
                  JA4           t13d0103h2_0123456789ab_0123456789ab
                  JA3           0123456789abcdef0123456789abcdef

                """)
    }

    @Test func `messages octet by octet`() {
        let kinds: [Event.Kind] = [.message(.client, .sent, Recorded.message(14)), .message(.origin, .sent, [])]
        #expect(
            report(kinds, .messages) == """
                Connection 1: no host, 14:02:07.000 UTC

                ServerHelloDone, proxy to client, 4 octets
                    0000 0e 00 00 00                                       ....

                empty message, proxy to origin, 0 octets

                """)
    }

    @Test(arguments: UInt64(1)...60)
    func `whatever a transcript holds, lines fit the terminal and no control character is printed`(_ seed: UInt64) {
        var dice = Dice(seed)
        for _ in 0..<8 {
            let kinds = (0..<dice.number(40)).map { _ in dice.event() }
            let width = 60 + dice.number(100)
            let story = Recorded(kinds).story
            let text = ConnectionReport(width: width).text(
                for: story, certificates: Recorded.certificates, parts: [.standard, .messages])
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                let isDump = line.hasPrefix("    0")
                #expect(TerminalText.width(line) <= width || isDump && TerminalText.width(line) <= 76, "\(line)")
                #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
            }
            for event in Recorded(kinds).events {
                var fold = ConnectionFold()
                _ = fold.add(event)
                for line in fold.openLines {
                    let listed = ConnectionList().text(for: ListedConnection(line))
                    #expect(TerminalText.width(listed.dropLast()) <= 80)
                }
            }
            _ = HandshakeComparison(story.record, Recorded((0..<9).map { _ in dice.event() }).story.record)
        }
    }
}
