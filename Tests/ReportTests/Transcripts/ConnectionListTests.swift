import Testing
import Transcript
import Wire

@testable import Report

/// Lists of connections, against texts that were written by hand.
@Suite struct ConnectionListTests {
    private func line(_ number: UInt64, _ host: String, _ change: (inout ConnectionLine) -> Void) -> ConnectionLine {
        var line = ConnectionLine(
            connection: number, wall: 1_772_373_727_123_456,
            closed: Closed(
                by: .client, phase: .relay, client: nil, origin: nil, clientBytes: 234, originBytes: 1000,
                nanoseconds: 43_000_000))
        line.endpoint = Endpoint(host)
        line.decision = .intercept
        change(&line)
        return line
    }

    private var lines: [ListedConnection] {
        [
            ListedConnection(
                line(1, "api.example.com:443") {
                    $0.stack = "t13d1516h2_8daaf6152771_e5627efa2ab1"
                    $0.clientSession = .init(version: 0x0304, alpn: "http/1.1")
                    $0.verdict = .accepted(bytes: 234)
                }),
            ListedConnection(
                line(12, "accounts.very-long-name.example.com:8443") {
                    $0.verdict = .rejected(alert: 48, .beforeFinished)
                    $0.closed.nanoseconds = 63_000_000_000
                }),
            ListedConnection(line(13, "tunnel.example.com:443") { $0.decision = .tunnel }),
            ListedConnection(line(14, "a.example.com:443") { $0.verdict = .notTested(.unfinished) }, isOpen: true),
        ]
    }

    @Test func `a line for each connection in 80 columns`() {
        let list = ConnectionList()
        #expect(
            list.heading + lines.map(list.text).joined() == """
                  No UTC      Host             Client     TLS    What it shows       Bytes  Took
                   1 14:02:07 api.example.com  t13d1516h2 1.3 h1 accepted             1.2k  43ms
                  12 14:02:07 account…com:8443 -          -      rejected: alert 48   1.2k 1m03s
                  13 14:02:07 tunnel.…mple.com -          -      tunnel               1.2k  43ms
                  14 open     a.example.com    -          -      not tested: unfini…     -     -

                """)
    }

    @Test func `a wider terminal shows more`() {
        #expect(
            ConnectionList(width: 120).text(for: lines[1])
                == "  12 14:02:07 accounts.very-…xample.com:8443 -          -      "
                + "rejected: unknown_ca (48) in the handshake     1.2k 1m03s\n")
        #expect(
            ConnectionList(width: 90).text(for: lines[1])
                == "  12 14:02:07 accounts.…e.com:8443 -          -      rejected: unknown_ca (48)  1.2k 1m03s\n")
    }

    @Test(arguments: [80, 81, 100, 119, 120, 160, 200])
    func `no line is wider than the terminal`(_ width: Int) {
        let list = ConnectionList(width: width)
        for text in [list.heading] + lines.map(list.text) {
            #expect(TerminalText.width(text.dropLast()) <= width, "\(text)")
        }
    }

    @Test func `hosts and verdicts can be picked`() {
        let pattern = HostPattern("*.example.com")
        #expect(lines[0].isSelected(host: pattern, verdicts: []))
        #expect(!lines[0].isSelected(host: HostPattern("other.example.com"), verdicts: []))
        #expect(!lines[0].isSelected(host: nil, verdicts: ["rejected"]))
        #expect(lines[1].isSelected(host: pattern, verdicts: ["accepted", "rejected"]))
        #expect(!ListedConnection(line(1, "") { _ in }).isSelected(host: pattern, verdicts: []))
    }

    @Test func `the same as JSON Lines`() {
        #expect(
            lines.prefix(1).map { JSONReport().line(for: $0) } + [JSONReport().line(for: lines[3])] == [
                #"{"record":"listed","connection":1,"closed":"2026-03-01T14:02:07.123456Z","client":null,"#
                    + #""host":"api.example.com","port":443,"stack":"t13d1516h2_8daaf6152771_e5627efa2ab1","#
                    + #""decision":"intercept","phase":null,"version":"TLS 1.3","alpn":"http/1.1","#
                    + #""verdict":"accepted","text":"accepted: 234 bytes of data","failure":null,"clientBytes":234,"#
                    + #""originBytes":1000,"nanoseconds":43000000}"#,
                #"{"record":"listed","connection":14,"closed":null,"client":null,"host":"a.example.com","port":443,"#
                    + #""stack":null,"decision":"intercept","phase":null,"version":null,"alpn":null,"#
                    + #""verdict":"notTested","text":"not tested: unfinished","failure":null,"clientBytes":null,"#
                    + #""originBytes":null,"nanoseconds":null}"#,
            ])
    }
}

/// Whether a transcript is whole, against texts that were written by hand.
@Suite struct TranscriptCensusTests {
    private func census(_ kinds: [Event.Kind], listed: [Verdict] = []) -> TranscriptCensus {
        var census = TranscriptCensus()
        for kind in kinds { census.add(Event(connection: 1, monotonic: 0, wall: 0, kind: kind)) }
        for verdict in listed {
            var line = ConnectionLine(
                connection: 1, wall: 0,
                closed: Closed(
                    by: .client, phase: .relay, client: nil, origin: nil, clientBytes: 1000, originBytes: .max,
                    nanoseconds: 0))
            line.verdict = verdict
            census.add(ListedConnection(line))
        }
        return census
    }

    private static let opened = Event.Kind.opened(client: "", listener: "")

    @Test func `one that is whole says so`() {
        let kinds = [Self.opened, Recorded.closed(), .runEnded(RunEnded(connections: 1, lost: 0))]
        #expect(
            census(kinds, listed: [.accepted(bytes: 1)]).text() == """
                1 connection: 1 accepted
                1.0 kB up, 18.4 EB down
                The transcript is whole.

                """)
    }

    @Test(
        arguments: [
            ([opened], nil, "the run was not over when it ends; 1 without an end."),
            ([], 17, "the run was not over when it ends; its last line is broken (17 octets)."),
            ([.gap(lost: 2), .runEnded(RunEnded(connections: 0, lost: 3))], nil, "3 events missing."),
            (
                [.gap(lost: .max), .gap(lost: 1), .runEnded(RunEnded(connections: 0, lost: 0))], nil,
                "18446744073709551615 events missing."
            ),
            ([.runEnded(RunEnded(connections: 2, lost: 0))], nil, "the run had 2 connections."),
        ] as [([Event.Kind], Int?, String)])
    func `what is missing is told`(_ kinds: [Event.Kind], _ truncated: Int?, _ fault: String) {
        #expect(
            census(kinds).text(truncated: truncated, width: 200) == """
                0 connections
                0 B up, 0 B down
                The transcript is not whole: \(fault)

                """)
    }

    @Test func `a further file of a run is no whole transcript`() {
        let run = RunStarted(tool: "", openssl: "", listeners: [], authorities: [])
        let text = census([
            .runContinued(RunContinued(run: run, file: 2)), .runEnded(RunEnded(connections: 9, lost: 0)),
        ])
        .text(unknownEvents: 1)
        #expect(
            text == """
                0 connections
                0 B up, 0 B down
                The transcript is not whole: it begins with file 2 of the run. 1 event of
                unknown kinds left out.

                """)
    }
}
