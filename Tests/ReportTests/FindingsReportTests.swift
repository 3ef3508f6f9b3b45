import Report
import Testing
import Transcript
import Wire

/// Findings as people and programs read them, against texts that were written by hand.
@Suite struct FindingsReportTests {
    private let api = "api.example.com:443"
    private static let stack = "t13d1516h2_8daaf6152771_e5627efa2ab1"

    /// The events of connections of which each does one thing, two in each phase.
    private func findings(_ trusted: [Event.Kind]) -> [Finding] {
        var run = RunVerdicts()
        let opening: [Event.Kind] = [
            .opened(client: "127.0.0.1:1", listener: "127.0.0.1:2"),
            .requested(method: "CONNECT", target: api, endpoint: Endpoint(api)),
        ]
        let tunnel: [Event.Kind] =
            [.decided(.tunnel, rule: nil), .firstData(.client), .firstData(.origin)] + [closed(700, 5000)]
        let shown: [Event.Kind] = [
            .decided(.intercept, rule: nil), .hello(.named(Self.stack)), .message(.client, .sent, [11, 0, 0, 0]),
        ]
        let refused: [Event.Kind] = shown + [.alert(.client, .received, level: 2, code: 48), closed(0, 0)]
        var connection: UInt64 = 0
        for (phase, kinds) in [(ExperimentPhase.baseline, tunnel), (.untrusted, refused), (.trusted, shown + trusted)] {
            for _ in 1...2 {
                connection += 1
                for kind in opening + kinds {
                    run.add(Event(connection: connection, monotonic: 0, wall: 0, kind: kind), phase: phase)
                }
            }
        }
        return run.findings()
    }

    private func closed(_ client: UInt64, _ origin: UInt64) -> Event.Kind {
        .closed(
            Closed(
                by: .client, phase: .relay, client: .fin, origin: nil, clientBytes: client, originBytes: origin,
                nanoseconds: 5))
    }

    /// A client that does with the CA that it was given as with the other one.
    private var alike: [Event.Kind] { [.alert(.client, .received, level: 2, code: 48), closed(0, 0)] }

    @Test func `a table, then a sentence for each, what is not ruled out and how to decide it`() {
        #expect(
            FindingsReport(width: 120).text(for: findings(alike)) == """
                Host             Client      Finding             Baseline        Untrusted CA            Trusted CA
                ---------------  ----------  ------------------  --------------  ----------------------  ----------------------
                api.example.com  t13d1516h2  inconclusive        relayed: #1 #2  unknown_ca (48): #3 #4  unknown_ca (48): #5 #6
                                             CA trust not shown

                api.example.com (client t13d1516h2_8daaf6152771_e5627efa2ab1) is inconclusive: the client turned away from a CA that it
                was not given in 2 of 2 connections (alert unknown_ca (48) in 2) and turned away from the CA that it was given in 2 of 2
                connections (alert unknown_ca (48) in 2), and nothing shows that it trusts the latter.
                  Not ruled out: the client does not trust the CA, the CA is not valid at the client's time, the certificate's lifetime,
                  missing certificate transparency, the client's rule for names.
                  To decide it: show that the client trusts the CA: have it fetch an unpinned URL too (run --control-url URL), or run
                  --control COMMAND in the same environment; if that fails as well, give the client the CA first.

                """)
    }

    @Test func `nothing at all is said to be nothing`() {
        #expect(FindingsReport().text(for: []) == "No host was asked for: nothing was exercised.\n")
    }

    @Test func `what was expected is compared line by line`() throws {
        let findings = findings(alike)
        let expectations = try Expectations("pinned api.example.com\nunpinned cdn.example.com\n")
        let text = FindingsReport(width: 200).text(for: findings, outcomes: expectations.compare(findings))
        #expect(
            text.contains(
                "undecided: api.example.com expected pinned (line 1), found inconclusive: CA trust not shown\n"
                    + "undecided: cdn.example.com expected unpinned (line 2), found never asked for\n"))
    }

    @Test func `the same as JUnit's XML, where nothing undecided is a pass`() throws {
        let findings = findings(alike)
        let expectations = try Expectations("pinned api.example.com\nunpinned cdn.example.com\n")
        let sentence = findings[0].sentence
        #expect(
            FindingsJUnit().text(
                for: findings, outcomes: expectations.compare(findings), problem: "a < b & \"c\"\u{1}")
                    == """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <testsuite name="pinproof run" tests="3" failures="0" errors="3" skipped="0">
                      <testcase classname="\(Self.stack)" name="api.example.com is pinned">
                        <error message="found inconclusive: CA trust not shown"/>
                        <system-out>\(sentence)</system-out>
                      </testcase>
                      <testcase classname="-" name="cdn.example.com is unpinned">
                        <error message="found never asked for"/>
                      </testcase>
                      <testcase classname="-" name="experiment">
                        <error message="a &lt; b &amp; &quot;c&quot;\u{FFFD}"/>
                      </testcase>
                    </testsuite>

                    """)
        #expect(
            FindingsJUnit().text(for: findings, outcomes: nil, problem: nil).contains(
                "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""))
    }

    @Test func `the same as JSON Lines`() throws {
        let findings = findings(alike)
        let lines = JSONReport().lines(
            for: findings, outcomes: try Expectations("pinned api.example.com").compare(findings), exitCode: 3,
            baselineFailed: false, isInterrupted: true)
        #expect(lines.count == 3)
        #expect(
            lines[0].hasPrefix(
                #"{"record":"finding","host":"api.example.com","ports":[443],"stack":"\#(Self.stack)","#
                    + #""finding":"inconclusive","reason":"trustNotShown","phase":null,"hint":"show that"#))
        #expect(
            lines[0].contains(
                #""untrusted":{"connections":2,"accepted":0,"acceptedBytes":0,"rejected":2,"silent":0,"#
                    + #""leftAfterSending":0,"idle":0,"excused":0,"originFailures":0,"leakedBytes":0,"#
                    + #""leakedIdentities":0,"samples":[{"connection":3,"verdict":"rejected","#
                    + #""text":"rejected: unknown_ca (48) in the handshake"}"#))
        #expect(
            lines[1]
                == #"{"record":"expectation","host":"api.example.com","stack":"\#(Self.stack)","#
                + #""pattern":"api.example.com","line":1,"expected":"pinned","found":"inconclusive","result":"undecided"}"#
        )
        #expect(
            lines[2]
                == #"{"record":"experiment","findings":1,"baselineFailed":false,"interrupted":true,"exitCode":3,"label":null}"#
        )
    }

    @Test func `a board fits its place and says what to do next`() {
        let report = FindingsReport(width: 120)
        #expect(
            report.board(for: [], height: 24)
                == "Nobody has asked for a host yet: have the client make its requests.\n")
        #expect(
            report.board(for: findings(alike), height: 24) == """
                Host             Client      Finding             Baseline        Untrusted CA            Trusted CA
                ---------------  ----------  ------------------  --------------  ----------------------  ----------------------
                api.example.com  t13d1516h2  inconclusive        relayed: #1 #2  unknown_ca (48): #3 #4  unknown_ca (48): #5 #6
                                             CA trust not shown

                1 of 1 not firm yet: have the client make its requests again. Ctrl-C ends and reports.

                """)
        #expect(
            report.board(for: findings(alike), height: 5) == """
                Host             Client      Finding             Baseline        Untrusted CA            Trusted CA
                ---------------  ----------  ------------------  --------------  ----------------------  ----------------------
                …

                1 of 1 not firm yet: have the client make its requests again. Ctrl-C ends and reports.

                """)
        #expect(
            report.board(for: findings([.firstData(.client), .firstData(.origin), closed(90, 800)]), height: 24)
                .hasSuffix(
                    "\nEvery finding is firm. Ctrl-C ends and reports.\n"))
    }

    @Test func `a finding in a line`() {
        #expect(
            FindingsReport().line(for: findings(alike)[0], wall: 1_772_373_727_123_456, secondsFromUTC: 0)
                == "14:02:07.123  api.example.com  client \(Self.stack)  inconclusive: CA trust not shown")
    }
}

extension HelloRecord {
    /// A hello with nothing in it but a fingerprint (RFC 8446 section 4.1.2).
    fileprivate static func named(_ ja4: String) -> HelloRecord {
        let body = [0x03, 0x03] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 0x01, 1, 0]
        guard let hello = try? ClientHello(message: body) else { preconditionFailure("the hello is whole") }
        return HelloRecord(hello: hello, ja3Text: "", ja3: "", ja4: ja4)
    }
}
