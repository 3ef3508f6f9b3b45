public import Transcript
import Wire

/// Findings as text: a table of hosts and client stacks, then a sentence for each, and how to get what is missing.
public struct FindingsReport: Sendable {
    private let width: Int
    private let colour: Bool

    /// Says how the text is to look.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark what was found with control sequences.
    public init(width: Int = 80, colour: Bool = false) {
        self.width = width
        self.colour = colour
    }

    /// The findings as lines, each with a newline at its end.
    ///
    /// - Parameters:
    ///   - findings: The findings.
    ///   - outcomes: What came of what was expected.
    /// - Returns: The text.
    public func text(for findings: [Finding], outcomes: [Expectations.Outcome] = []) -> String {
        guard !findings.isEmpty || !outcomes.isEmpty else { return "No host was asked for: nothing was exercised.\n" }
        var text = findings.isEmpty ? "" : table(findings) + "\n" + findings.map(remarks).joined(separator: "\n")
        if !outcomes.isEmpty { text += (text.isEmpty ? "" : "\n") + outcomes.map(line).joined() }
        return text
    }

    /// The table alone, for a place of so many lines, with a last line that says what to do.
    public func board(for findings: [Finding], height: Int) -> String {
        let open = findings.count { !$0.conclusion.isFirm }
        let state =
            findings.isEmpty
            ? "Nobody has asked for a host yet: have the client make its requests."
            : open == 0
                ? "Every finding is firm. Ctrl-C ends and reports."
                : "\(open) of \(findings.count) not firm yet: have the client make its requests again. Ctrl-C ends and reports."
        let last = LineWrap.lines(of: state, width: max(1, width))
        let lines =
            findings.isEmpty ? [] : table(findings).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let room = max(height - last.count - 1, 0)
        let shown =
            lines.count <= room ? lines.map(String.init) : lines.prefix(max(room - 1, 0)).map(String.init) + ["…"]
        return (shown + (shown.isEmpty ? [] : [""]) + last).map { $0 + "\n" }.joined()
    }

    /// A finding in one line, with the time of day at which it came about.
    public func line(for finding: Finding, wall: Int64, secondsFromUTC: Int) -> String {
        let stack = finding.unit.stack.map { "  client \($0)" } ?? ""
        return Quantity.timeOfDay(wall: wall, secondsFromUTC: secondsFromUTC)
            + "  \(TerminalText.escape(finding.unit.host.text))\(TerminalText.escape(stack))  "
            + finding.conclusion.style.applied(to: finding.conclusion.label.joined(separator: ": "), colour: colour)
    }

    private func table(_ findings: [Finding]) -> String {
        var table = TextTable(columns: [
            .init("Host"), .init("Client"), .init("Finding"), .init("Baseline"), .init("Untrusted CA"),
            .init("Trusted CA"),
        ])
        for finding in findings {
            table.add(row: [
                .init(finding.unit.host.text),
                // The whole fingerprint is in the sentence below; here it tells stacks apart.
                .init(finding.unit.stack.map { String($0.prefix { $0 != "_" }) } ?? "-"),
                .init(paragraphs: finding.conclusion.label, style: finding.conclusion.style),
                .init(paragraphs: finding.baseline.cell),
                .init(paragraphs: finding.untrusted.cell),
                .init(paragraphs: finding.trusted.cell),
            ])
        }
        return table.text(width: width, colour: colour)
    }

    private func remarks(_ finding: Finding) -> String {
        var text = wrapped(finding.sentence, indent: "")
        if !finding.candidateCauses.isEmpty {
            let causes = finding.candidateCauses.map(\.text).joined(separator: ", ")
            text += wrapped("Not ruled out: \(causes).", indent: "  ")
        }
        if case .inconclusive(let reason) = finding.conclusion, let hint = reason.hint {
            text += wrapped("To decide it: \(hint).", indent: "  ")
        }
        return text
    }

    private func line(_ outcome: Expectations.Outcome) -> String {
        let host = outcome.finding?.unit.host.text ?? outcome.pattern?.description ?? "-"
        let found = outcome.finding.map { $0.conclusion.label.joined(separator: ": ") } ?? "never asked for"
        let source = outcome.line.map { "line \($0)" } ?? "--default"
        let text = "\(outcome.result.label): \(host) expected \(outcome.expected.rawValue) (\(source)), found \(found)"
        return LineWrap.lines(of: TerminalText.escape(text), width: max(1, width)).map {
            outcome.result.style.applied(to: $0, colour: colour) + "\n"
        }.joined()
    }

    private func wrapped(_ text: String, indent: String) -> String {
        LineWrap.lines(of: TerminalText.escape(text), width: max(1, width - indent.count)).map { indent + $0 + "\n" }
            .joined()
    }
}

extension Conclusion {
    /// The conclusion in a few words, and why it is none.
    public var label: [String] {
        switch self {
        case .pinned: ["pinned"]
        case .notPinned: ["not pinned"]
        case .brokenValidation: ["broken validation"]
        case .inconclusive(let reason): ["inconclusive", reason.label]
        case .notExercised(let reason): ["not exercised", reason.label]
        }
    }

    /// Whether it is not to be expected that more connections change it.
    fileprivate var isFirm: Bool {
        switch self {
        case .pinned, .notPinned, .brokenValidation, .notExercised(.tunnelled), .notExercised(.refused): true
        case .inconclusive, .notExercised: false
        }
    }

    fileprivate var style: Style {
        switch self {
        case .pinned: .good
        case .notPinned, .inconclusive, .notExercised: .warning
        case .brokenValidation: .bad
        }
    }
}

extension InconclusiveReason {
    fileprivate var label: String {
        switch self {
        case .trustNotShown: "CA trust not shown"
        case .originRefusesProxy: "the origin refuses the proxy"
        case .failsWithoutProxy: "fails without us too"
        case .baselineMissing: "no baseline"
        case .mixedConduct(let phase): "mixed conduct (\(phase.rawValue))"
        case .unusedConnections(let phase): "unused connections (\(phase.rawValue))"
        case .commandCrashed(let phase): "the command crashed (\(phase.rawValue))"
        case .tooFewRepeats(let phase): "too few repeats (\(phase.rawValue))"
        case .leftAfterSending(let phase): "left after sending (\(phase.rawValue))"
        case .onlyIdle(let phase): "idle (\(phase.rawValue))"
        case .untested(let phase): "untested (\(phase.rawValue))"
        }
    }
}

extension NotExercisedReason {
    fileprivate var label: String {
        switch self {
        case .neverConnected: "never connected"
        case .tunnelled: "tunnelled by rule"
        case .refused: "refused by rule"
        case .certificateNeverShown: "no certificate shown"
        }
    }
}

extension Expectations.Result {
    fileprivate var label: String {
        switch self {
        case .asExpected: "as expected"
        case .differs: "DIFFERS"
        case .undecided: "undecided"
        }
    }

    fileprivate var style: Style {
        switch self {
        case .asExpected: .good
        case .differs: .bad
        case .undecided: .warning
        }
    }
}

extension PhaseEvidence {
    /// The connections by what they showed, with their numbers.
    fileprivate var cell: [String] {
        guard connections > 0 else { return ["-"] }
        var groups: [(label: String, numbers: [UInt64])] = []
        for sample in samples {
            let label = sample.verdict.label
            if let index = groups.firstIndex(where: { $0.label == label }) {
                groups[index].numbers.append(sample.connection)
            } else {
                groups.append((label, [sample.connection]))
            }
        }
        let shown = groups.map { group in
            let numbers = group.numbers.sorted().prefix(Self.numbersShown).map { "#\($0)" }.joined(separator: " ")
            return "\(group.label): \(numbers)\(group.numbers.count > Self.numbersShown ? " …" : "")"
        }
        let rest = connections &- UInt64(samples.count)
        return rest > 0 ? shown + ["and \(rest) more"] : shown
    }

    private static let numbersShown = 4
}

extension Verdict {
    /// The verdict without what differs from one connection to the next.
    fileprivate var label: String {
        switch self {
        case .accepted: "accepted"
        case .rejected(let alert, _): "\(TLSNames.alert(alert)) (\(alert))"
        case .rejectedSilently: "silent, in handshake"
        case .abandoned: "silent, after handshake"
        case .leaked: "leaked"
        case .notTested(.tunnelled): "relayed"
        case .notTested(let reason): reason.text
        case .idle: "idle"
        }
    }
}
