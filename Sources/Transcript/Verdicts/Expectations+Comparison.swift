public import Wire

extension Expectations {
    /// What came of an expectation.
    public enum Result: String, Sendable, Equatable, CaseIterable {
        /// What was found is what was expected.
        case asExpected
        /// It is not.
        case differs
        /// What was found decides nothing, or there was nothing to find.
        case undecided

        /// The exit code that stands for it.
        public var exitCode: Int32 {
            switch self {
            case .asExpected: 0
            case .differs: 1
            case .undecided: 3
            }
        }
    }

    /// An expectation and what came of it.
    public struct Outcome: Sendable, Equatable {
        /// The finding; nil for a line that no host of the run falls under.
        public var finding: Finding?
        /// What was expected.
        public var expected: Expected
        /// The line that says so; nil for the default.
        public var line: Int?
        /// The pattern of that line.
        public var pattern: HostPattern?
        /// What came of it.
        public var result: Result

        /// Joins an expectation and what came of it.
        public init(finding: Finding?, expected: Expected, line: Int?, pattern: HostPattern?, result: Result) {
            self.finding = finding
            self.expected = expected
            self.line = line
            self.pattern = pattern
            self.result = result
        }
    }

    /// Compares findings with what is expected.
    ///
    /// Every line needs a host that falls under it, since a host that was never exercised is no pass; only `*` asks for
    /// none. The default is for hosts that somebody asked for, and that no rule relays or refuses: to write such a rule is
    /// to have decided. At a host where something was shown, connections that never came to a certificate are not missed.
    ///
    /// - Parameter findings: The findings of a run.
    /// - Returns: An outcome for each finding of which something is expected, then one for each line without any.
    public func compare(_ findings: [Finding]) -> [Outcome] {
        let shown = Set(findings.filter(\.conclusion.isExercised).map(\.unit.host))
        var used: Set<Int> = []
        var outcomes: [Outcome] = []
        for finding in findings {
            let own = lines(for: finding)
            used.formUnion(own.map(\.number))
            if !finding.conclusion.isExercised, shown.contains(finding.unit.host) { continue }
            outcomes += own.map { line in
                Outcome(
                    finding: finding, expected: line.expected, line: line.number, pattern: line.pattern,
                    result: line.expected.compare(finding))
            }
            if own.isEmpty, let expected = fallback.expected(of: finding) {
                outcomes.append(
                    Outcome(
                        finding: finding, expected: expected, line: nil, pattern: nil,
                        result: expected.compare(finding)))
            }
        }
        for line in lines where !used.contains(line.number) && line.pattern != Self.everyHost && decides(line) {
            outcomes.append(
                Outcome(
                    finding: nil, expected: line.expected, line: line.number, pattern: line.pattern, result: .undecided)
            )
        }
        return outcomes
    }

    /// The result of a whole run: the worst of its outcomes.
    ///
    /// Where a default is expected of every host, no outcome at all is none that is as expected.
    public func result(of outcomes: [Outcome]) -> Result {
        if outcomes.contains(where: { $0.result == .differs }) { return .differs }
        let isEmpty = outcomes.isEmpty && (fallback != .any || !lines.isEmpty)
        return isEmpty || outcomes.contains { $0.result == .undecided } ? .undecided : .asExpected
    }

    /// The lines that decide for a finding: one for each port that was asked for, where they differ.
    private func lines(for finding: Finding) -> [Line] {
        let endpoints = finding.ports.map { Endpoint(host: finding.unit.host, port: $0) }
        let all = endpoints.compactMap { table.values(for: $0).last }
        return Dictionary(all.map { ($0.number, $0) }) { first, _ in first }.values.sorted { $0.number < $1.number }
    }

    /// Whether no later line has the same pattern.
    private func decides(_ line: Line) -> Bool {
        !lines.contains { $0.pattern == line.pattern && $0.number > line.number }
    }

    private static let everyHost = HostPattern("*")
}

extension Expectations.Default {
    /// What the default expects of a finding.
    fileprivate func expected(of finding: Finding) -> Expectations.Expected? {
        switch finding.conclusion {
        case .notExercised(.tunnelled), .notExercised(.refused): return nil
        case .pinned, .notPinned, .brokenValidation, .inconclusive, .notExercised: break
        }
        switch self {
        case .pinned: return .pinned
        case .unpinned: return .unpinned
        case .any: return nil
        }
    }
}

extension Expectations.Expected {
    fileprivate func compare(_ finding: Finding) -> Expectations.Result {
        switch (self, finding.conclusion) {
        // A pin that is looked at after the data is sent protects nothing.
        case (.pinned, .pinned): finding.leakedBytes > 0 ? .differs : .asExpected
        // One connection that was accepted settles it, whatever the others did.
        case (.pinned, _) where finding.untrusted.accepted > 0 || finding.trusted.accepted > 0: .differs
        case (.unpinned, .notPinned): .asExpected
        case (.tunnelled, .notExercised(.tunnelled)), (.refused, .notExercised(.refused)): .asExpected
        case (.tunnelled, .notExercised(.neverConnected)), (.refused, .notExercised(.neverConnected)): .undecided
        // What cannot be reached cannot be relayed either.
        case (.tunnelled, .inconclusive(.failsWithoutProxy)), (.tunnelled, .inconclusive(.originRefusesProxy)):
            .undecided
        case (.tunnelled, _), (.refused, _): .differs
        case (_, .notExercised(.tunnelled)), (_, .notExercised(.refused)): .undecided
        case (_, .inconclusive), (_, .notExercised): .undecided
        case (.pinned, .notPinned), (.pinned, .brokenValidation), (.unpinned, .pinned), (.unpinned, .brokenValidation):
            .differs
        }
    }
}

extension Finding {
    /// How many application bytes the client gave away before it turned away.
    public var leakedBytes: UInt64 { untrusted.leaks.bytes &+ trusted.leaks.bytes }
}

extension Conclusion {
    /// Whether anything was shown.
    fileprivate var isExercised: Bool {
        if case .notExercised = self { false } else { true }
    }
}
