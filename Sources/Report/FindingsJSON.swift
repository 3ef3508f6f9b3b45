public import Transcript
import Wire

extension JSONReport {
    /// The lines of an experiment, without newlines: one for each finding, one for each expectation, one for the whole;
    /// the fields: `docs/findings.md`.
    ///
    /// - Parameters:
    ///   - findings: The findings.
    ///   - outcomes: What came of what was expected.
    ///   - exitCode: The exit code of the process.
    ///   - baselineFailed: Whether the command failed in the baseline.
    ///   - isInterrupted: Whether the experiment was ended before it was over.
    ///   - label: The name that the user gave the experiment.
    /// - Returns: The lines.
    public func lines(
        for findings: [Finding], outcomes: [Expectations.Outcome], exitCode: Int32, baselineFailed: Bool,
        isInterrupted: Bool, label: String? = nil
    ) -> [String] {
        let whole = object("experiment") { json in
            json.member("findings", findings.count)
            json.member("baselineFailed", baselineFailed)
            json.member("interrupted", isInterrupted)
            json.member("exitCode", exitCode)
            json.member("label", label)
        }
        return findings.map(line) + outcomes.map(line) + [whole]
    }

    private func line(for finding: Finding) -> String {
        object("finding") { json in
            json.member("host", finding.unit.host.text)
            json.key("ports")
            json.beginArray()
            for port in finding.ports { json.value(port) }
            json.endArray()
            json.member("stack", finding.unit.stack)
            json.member("finding", finding.conclusion.name)
            json.writeDetails(of: finding.conclusion)
            json.member("stacksDiffer", finding.stacksDiffer)
            json.member("sentence", finding.sentence)
            json.member("candidateCauses", finding.candidateCauses)
            for phase in ExperimentPhase.allCases {
                json.key(phase.key)
                json.beginObject()
                json.writeMembers(of: finding.evidence(phase))
                json.endObject()
            }
        }
    }

    private func line(for outcome: Expectations.Outcome) -> String {
        object("expectation") { json in
            json.member("host", outcome.finding?.unit.host.text)
            json.member("stack", outcome.finding?.unit.stack)
            json.member("pattern", outcome.pattern?.description)
            json.member("line", outcome.line)
            json.member("expected", outcome.expected)
            json.member("found", outcome.finding?.conclusion.name)
            json.member("result", outcome.result)
        }
    }
}

extension ExperimentPhase {
    fileprivate var key: StaticString {
        switch self {
        case .baseline: "baseline"
        case .untrusted: "untrusted"
        case .trusted: "trusted"
        }
    }
}

extension JSONWriter {
    /// Writes why a conclusion is none, or what it rests on.
    fileprivate mutating func writeDetails(of conclusion: Conclusion) {
        var reason: String?
        var phase: ExperimentPhase?
        var hint: String?
        var trust: String?
        var rejectsTrusted = false
        switch conclusion {
        case .inconclusive(let why): (reason, phase, hint) = (why.name, why.phase, why.hint)
        case .notExercised(let why): reason = why.rawValue
        case .pinned(let evidence): trust = evidence.text
        case .brokenValidation(let rejects): rejectsTrusted = rejects
        case .notPinned: break
        }
        member("reason", reason)
        member("phase", phase)
        member("hint", hint)
        member("trustShownBy", trust)
        member("rejectsTrusted", rejectsTrusted)
    }

    fileprivate mutating func writeMembers(of evidence: PhaseEvidence) {
        member("connections", evidence.connections)
        member("accepted", evidence.accepted)
        member("acceptedBytes", evidence.acceptedBytes)
        member("rejected", evidence.firm)
        member("silent", evidence.silent)
        member("leftAfterSending", evidence.leftAfterSending)
        member("idle", evidence.idle)
        member("excused", evidence.excused)
        member("originFailures", evidence.originFailures)
        member("leakedBytes", evidence.leaks.bytes)
        member("leakedIdentities", evidence.leaks.identities)
        key("samples")
        beginArray()
        for sample in evidence.samples {
            beginObject()
            member("connection", sample.connection)
            member("verdict", sample.verdict.name)
            member("text", sample.verdict.text)
            endObject()
        }
        endArray()
    }
}
