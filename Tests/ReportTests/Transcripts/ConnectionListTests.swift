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
                  14 open     a.example.com    -          -      not over                -     -

                """)
    }

    private func gapped(_ recorded: RecordedVerdict?, isOpen: Bool = false) -> ListedConnection {
        ListedConnection(
            line(5, "a.example.com:443") {
                $0.verdict = .notTested(.eventsMissing)
                $0.recordedVerdict = recorded
            }, isOpen: isOpen)
    }

    private static let accepted = RecordedVerdict(name: "accepted", text: "accepted: 122 bytes of data")

    /// What the events show is not printed where some are missing; what was recorded is, and marked.
    @Test func `a row says that events are missing`() {
        func shown(_ listed: ListedConnection, width: Int) -> Substring {
            ConnectionList(width: width, colour: true).text(for: listed).dropFirst(49).prefix { $0 != "\n" }
        }
        #expect(shown(gapped(Self.accepted), width: 80).hasPrefix("gap: accepted       "))
        #expect(shown(gapped(nil), width: 80).hasPrefix("events missing      "))
        #expect(
            ConnectionList(width: 160).text(for: gapped(Self.accepted))
                .contains(" events missing: accepted: 122 bytes of data "))
        let silent = RecordedVerdict(name: "rejectedSilently", text: "rejected silently: FIN in the handshake")
        #expect(shown(gapped(silent), width: 80).hasPrefix("gap: rejected sile… "))
        #expect(gapped(Self.accepted).isSelected(host: nil, verdicts: ["accepted"]))
        #expect(!lines[3].isSelected(host: nil, verdicts: ["notTested"]))
    }

    @Test func `JSON says what a verdict rests on`() {
        for (listed, members) in [
            (
                gapped(Self.accepted),
                #""verdict":"accepted","text":"accepted: 122 bytes of data","evidence":"eventsMissing""#
            ),
            (gapped(nil), #""verdict":"notTested","text":"not tested: events missing","evidence":"eventsMissing""#),
            (gapped(Self.accepted, isOpen: true), #""evidence":"eventsMissing""#),
            (lines[3], #""verdict":null,"text":null,"evidence":"notOver""#),
            (lines[0], #""verdict":"accepted","text":"accepted: 234 bytes of data","evidence":"whole""#),
        ] {
            #expect(JSONReport().line(for: listed).contains(members))
        }
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
                    + #""verdict":"accepted","text":"accepted: 234 bytes of data","evidence":"whole","failure":null,"clientBytes":234,"#
                    + #""originBytes":1000,"nanoseconds":43000000}"#,
                #"{"record":"listed","connection":14,"closed":null,"client":null,"host":"a.example.com","port":443,"#
                    + #""stack":null,"decision":"intercept","phase":null,"version":null,"alpn":null,"#
                    + #""verdict":null,"text":null,"evidence":"notOver","failure":null,"clientBytes":null,"#
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
                The run ended; no event was lost while it was recorded.

                """)
    }

    /// Names in a file are not to be trusted: the census counts those that it knows.
    @Test func `verdicts that are recorded, undecided or not over are counted`() {
        var census = census([Self.opened, Recorded.closed(), .runEnded(RunEnded(connections: 1, lost: 0))])
        var line = ConnectionLine(
            connection: 1, wall: 0,
            closed: Closed(
                by: .client, phase: .relay, client: nil, origin: nil, clientBytes: 0, originBytes: 0, nanoseconds: 0))
        line.verdict = .notTested(.eventsMissing)
        for name in ["accepted", "x\u{1B}[2J"] {
            line.recordedVerdict = RecordedVerdict(name: name, text: "")
            census.add(ListedConnection(line))
        }
        line.verdict = .accepted(bytes: 1)
        census.add(ListedConnection(line, isOpen: true))
        #expect(
            census.text(width: 200) == """
                3 connections: 1 accepted, 1 undecided, 1 not over
                0 B up, 0 B down
                The run ended; no event was lost while it was recorded. Of 2 listed connections events may be missing; what is said of \
                them is what was recorded, not what the events show.

                """)
    }

    @Test func `lines that do not follow are told, and who tells more`() {
        let text = census([.runEnded(RunEnded(connections: 0, lost: 0))])
            .text(brokenOrder: "a: line 3 does not follow a: line 2, or that was changed", width: 300)
        #expect(
            text.hasSuffix(
                """
                The run ended; no event was lost while it was recorded. Lines are missing, were added or were changed, first \
                where a: line 3 does not follow a: line 2, or that was changed; 'pinproof transcript verify' tells more.

                """))
    }

    @Test(arguments: [
        ([2, 31], "files 3 to 30 are missing"), ([3], "file 2 is missing"),
        ([3, 5], "2 of the files 2 to 4 are missing"),
        ([.min, .max, .min], "the run was not over when it ends"),
    ]) func `files that are missing are told`(_ files: [Int], _ fault: String) {
        let run = RunStarted(tool: "", openssl: "", listeners: [], authorities: [])
        let kinds = [.runStarted(run)] + files.map { Event.Kind.runContinued(RunContinued(run: run, file: $0)) }
        #expect(census(kinds).text(width: 200).contains(fault))
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
