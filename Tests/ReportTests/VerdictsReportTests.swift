import Report
import Testing
import Transcript
import Wire

/// What single connections showed, against texts that were written by hand.
@Suite struct VerdictsReportTests {
    private var verdicts: [ListedVerdict] {
        var run = RunVerdicts()
        func tell(_ connection: UInt64, _ phase: ExperimentPhase, _ kinds: Event.Kind...) -> ConnectionVerdict? {
            for kind in [.opened(client: "127.0.0.1:1", listener: "127.0.0.1:2")] + kinds {
                run.add(Event(connection: connection, monotonic: 0, wall: 0, kind: kind), phase: phase)
            }
            return run.verdict(of: connection)
        }
        let host = "api.example.com:8443"
        let asked = Event.Kind.requested(method: "CONNECT", target: host, endpoint: Endpoint(host))
        let first = tell(7, .baseline, asked, .decided(.tunnel, rule: nil))
        let second = tell(12, .trusted)
        return [first.map { ListedVerdict($0, phase: $0.phase) }, second.map { ListedVerdict($0, phase: nil) }]
            .compactMap { $0 }
    }

    @Test func `a row for each connection, with its phase if it has one`() {
        #expect(
            VerdictsReport(width: 100).text(for: verdicts) == """
                No.  Phase     Host                  Client  Verdict
                ---  --------  --------------------  ------  -----------------------------
                #7   baseline  api.example.com:8443  -       not tested: relayed untouched
                #12  -         -                     -       not tested: unfinished

                """)
        #expect(VerdictsReport().text(for: []).isEmpty)
    }

    @Test func `the same as JSON Lines`() {
        #expect(
            JSONReport().lines(for: verdicts) == [
                #"{"record":"verdict","connection":7,"phase":"baseline","host":"api.example.com","port":8443,"#
                    + #""stack":null,"verdict":"notTested","text":"not tested: relayed untouched"}"#,
                #"{"record":"verdict","connection":12,"phase":null,"host":null,"port":null,"#
                    + #""stack":null,"verdict":"notTested","text":"not tested: unfinished"}"#,
            ])
    }
}
