/// AFNetworking without host checking, pinned to what a widely copied certificate script makes: RSA of 1024 bits, a
/// common name and no alternative name, ten years (PS-11-2).
///
/// It decides as `AFSecurityPolicy` does. Where it accepts, it looks once more, with the rules for TLS servers, and says
/// what only passes because they do not apply.
public struct ScriptCertificatePolicy: PinningPolicy {
    /// The policy that decides.
    public let policy: AFSecurityPolicy

    /// Pins certificates that the script made.
    public init(pins: [AFSecurityPolicy.Pin]) {
        policy = AFSecurityPolicy(
            mode: .certificate, pins: pins, allowInvalidCertificates: true, validatesDomainName: false)
    }

    /// What is wrong with the policy that decides.
    public var configurationProblem: PolicyReason? { policy.configurationProblem }

    /// Decides as the policy does, and names what it did not look at.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The policy's verdict.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        let verdict = policy.evaluate(server, using: evaluator)
        guard verdict.decision == .accept, let match = verdict.match else { return verdict }
        let asServer = evaluator.evaluate(
            policy: .ssl(host: server.host), anchors: policy.pins.compactMap(\.certificate), anchorsOnly: true,
            sent: server.sent, time: server.time)
        guard !asServer.valid else { return verdict }
        let kind = PolicyReason.Kind.pinMatchedWithoutServerRules(match, asServer.errors)
        return PolicyVerdict(.accept, PolicyReason(kind, rule: verdict.reason.rule), trust: verdict.trust)
    }
}
