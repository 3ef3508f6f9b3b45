/// The identifier of one rule of the pinning semantics, such as `PS-1.3-1`.
///
/// Verdicts name the rule that decided, so that a reader can look up what the emulated library really does.
public struct RuleID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it is printed.
    public let description: String

    /// Names a rule.
    public init(_ description: String) { self.description = description }
}
