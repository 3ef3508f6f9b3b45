import Report
import Testing
import Transcript
import Wire

struct SummaryReportTests {
    @Test func aTableOfHostsThenWhatWentWrong() {
        #expect(
            SummaryReport().text(for: .sample) == #"""
                Host             Connections  Decisions    Handshakes      Up    Down
                ---------------  -----------  -----------  ----------  ------  ------
                api.example.com            3  2 intercept  1 client    1.2 kB  3.4 MB
                                              1 tunnel     2 origin
                cdn.example.com            1  1 refuse     -              0 B     0 B
                (no host)                  1  -            -              4 B     0 B

                api.example.com
                  the client sent alert certificate_unknown (46): once
                  originExpired: once, last: the certificate of api.example.com expired on
                    2026-02-28, three weeks ago
                  clientHandshake: 2 times, last: the client refused the certificate
                  the app gave the proxy its client certificate: once
                  the origin asked for a client certificate: 2 times, given once
                  not TLS: nobody said anything: once
                  answered by the proxy itself: once
                (no host)
                  greetingMalformed: once, last: \x1b[2J

                5 connections, 2 hosts, 1 still open, 3 events lost

                """#)
    }

    @Test func aRunThatSawNothing() {
        #expect(SummaryReport().text(for: RunSummary()) == "0 connections, 0 hosts\n")
    }

    @Test func aRunInWhichNothingWentWrong() {
        var summary = RunSummary()
        let kinds: [Event.Kind] = [
            .opened(client: "", listener: ""),
            .requested(method: "CONNECT", target: "a.example:443", endpoint: Endpoint("a.example:443")),
        ]
        for kind in kinds { summary.add(Event(connection: 1, monotonic: 0, wall: 0, kind: kind)) }
        #expect(
            SummaryReport().text(for: summary) == """
                Host       Connections  Decisions  Handshakes   Up  Down
                ---------  -----------  ---------  ----------  ---  ----
                a.example            1  -          -           0 B   0 B

                1 connection, 1 host, 1 still open

                """)
    }

    @Test(arguments: [80, 100])
    func fitsTheWidth(_ width: Int) {
        var summary = RunSummary.sample
        let host = (0..<4).map { "label\($0)-" + String(repeating: "x", count: 50) }.joined(separator: ".")
        let kinds: [Event.Kind] = [
            .opened(client: "", listener: ""),
            .requested(method: "CONNECT", target: "", endpoint: Endpoint(host + ":443")),
            .failed(Failure(party: .origin, code: .timeout, phase: .relay, detail: String(repeating: "y", count: 200))),
        ]
        for kind in kinds { summary.add(Event(connection: 9, monotonic: 0, wall: 0, kind: kind)) }
        let lines = SummaryReport(width: width).text(for: summary).split(separator: "\n")
        #expect(lines.contains { $0.contains("label0-") })
        #expect(lines.allSatisfy { $0.count <= width })
    }

    /// A wide character does not fit into one column; the text goes on all the same.
    @Test func theNarrowestTerminalGetsEverything() {
        var summary = RunSummary()
        let failure = Failure(party: .origin, code: .timeout, phase: .relay, detail: "日本")
        for kind: Event.Kind in [.opened(client: "", listener: ""), .failed(failure)] {
            summary.add(Event(connection: 1, monotonic: 0, wall: 0, kind: kind))
        }
        #expect(SummaryReport(width: 0).text(for: summary).contains("    日\n    本\n"))
    }

    @Test func coloursOnlyIfAsked() {
        #expect(!SummaryReport().text(for: .sample).contains("\u{1B}"))
        let text = SummaryReport(colour: true).text(for: .sample)
        #expect(
            text.contains("  \u{1B}[33mclientHandshake: 2 times, last: the client refused the certificate\u{1B}[0m\n"))
        #expect(text.contains("\u{1B}[1m(no host)\u{1B}[0m\n"))
    }
}
