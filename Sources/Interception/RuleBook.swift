public import Transcript
public import Wire

/// One per-host rule: which hosts it is for, and what is decided for them.
public struct Rule: Sendable, Equatable {
    /// The hosts that it is for.
    public let pattern: HostPattern
    /// What is decided for them.
    public let decision: Decision

    /// Joins a pattern and a decision.
    public init(_ pattern: HostPattern, _ decision: Decision) {
        self.pattern = pattern
        self.decision = decision
    }
}

/// All per-host rules.
///
/// The most specific matching rule wins; among equally specific ones the last given, so that the command line overrides a
/// configuration file. A host without a rule is intercepted.
public struct RuleBook: Sendable {
    private let rules: HostTable<Rule>

    /// Keeps the rules in the order in which they were given.
    public init(_ rules: [Rule] = []) {
        self.rules = HostTable(rules.map { ($0.pattern, $0) })
    }

    /// Decides for an endpoint.
    ///
    /// - Parameter endpoint: What the client asked for.
    /// - Returns: The decision, and the rule that made it; nil for the default.
    public func decide(_ endpoint: Endpoint) -> (decision: Decision, rule: Rule?) {
        let rule = rules.values(for: endpoint).last
        return (rule?.decision ?? .intercept, rule)
    }
}

extension Rule: CustomStringConvertible {
    /// The rule as it could be written on the command line.
    public var description: String { "--\(decision.rawValue) \(pattern)" }
}
