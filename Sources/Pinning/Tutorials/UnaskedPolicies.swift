/// A policy object that is configured, and that no code path ever asks (PS-11-3).
///
/// Whatever it pins, the platform's ordinary validation decides.
public struct UnaskedPolicy: PinningPolicy {
    /// Describes it; what is configured makes no difference.
    public init() {}

    /// What is never asked cannot fail.
    public var configurationProblem: PolicyReason? { nil }

    /// Leaves every server to the platform.
    ///
    /// - Parameters:
    ///   - server: What the server presented, which is not looked at.
    ///   - evaluator: The platform's trust evaluation, which is not asked here.
    /// - Returns: The verdict `default`.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        PolicyVerdict(.default, PolicyReason(.policyNeverAsked, rule: .unaskedPolicy))
    }
}

/// A delegate that answers every challenge with the client identity, the one about the server too (PS-11-3).
///
/// The server is never evaluated, and whoever asks gets the client's certificate. Without an identity, because its file
/// does not open, the challenge is left to the platform.
public struct IdentityForEveryChallenge: PinningPolicy {
    /// The identity's file.
    public var use: IdentityUse
    /// What the code takes for its password.
    public var password: IdentityPassword

    /// Describes the delegate.
    public init(_ use: IdentityUse, password: IdentityPassword = .right) {
        self.use = use
        self.password = password
    }

    /// Any identity works as it is meant, and so does none.
    public var configurationProblem: PolicyReason? { nil }

    /// Accepts everybody as long as there is an identity to answer with.
    ///
    /// - Parameters:
    ///   - server: What the server presented, which is not looked at.
    ///   - evaluator: The platform's trust evaluation, which is not asked here.
    /// - Returns: The verdict `accept`; `default` if there is no identity.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        guard use.opens(with: password) else {
            let kind = PolicyReason.Kind.identityUnavailable(file: use.file, password: password)
            return PolicyVerdict(.default, PolicyReason(kind, rule: .unaskedPolicy))
        }
        return PolicyVerdict(.accept, PolicyReason(.identityInsteadOfEvaluation, rule: .unaskedPolicy))
    }
}

extension RuleID {
    static let unaskedPolicy = RuleID("PS-11-3")
}
