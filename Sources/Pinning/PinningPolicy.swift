public import Wire

/// What a client knows of a server when it decides: the chain it was shown, whom it wanted, and when.
public struct ServerTrust: Sendable, Equatable {
    /// The certificates as the server sent them.
    public var sent: [CertificateFacts]
    /// The host that the client wanted; nil if its code does not say.
    public var host: HostName?
    /// The host letter for letter as the client's URL has it, where a library minds case or a trailing dot.
    public var spelling: String?
    /// Seconds since 1970-01-01 UTC.
    public var time: Int64

    /// Joins what there is to decide upon.
    public init(sent: [CertificateFacts], host: HostName?, spelling: String? = nil, time: Int64) {
        self.sent = sent
        self.host = host
        self.spelling = spelling
        self.time = time
    }

    /// The host as the client spells it; nil if its code does not say whom it wants.
    public var spelledHost: String? { spelling ?? host?.text }
}

/// The trust decision of one pinning library, at one version, with one configuration.
///
/// Each library is a value of its own, in a file of its own: its configuration as stored properties, its documented
/// steps in `evaluate` in the library's own order, and the rule's identifier at every way out.
public protocol PinningPolicy: Sendable {
    /// What is wrong with the configuration itself, whatever a server presents; nil if nothing is.
    ///
    /// It is asked before connecting: a policy that cannot work as meant must never show as a pass.
    var configurationProblem: PolicyReason? { get }

    /// Decides about a server as the library would.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: The platform's trust evaluation.
    /// - Returns: The verdict, with its reason.
    func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict

    /// What holds for a server that is reached without TLS: nobody asks the library, which is no acceptance.
    var withoutTLS: PolicyReason { get }
}

extension PinningPolicy {
    /// There is nothing to evaluate, so the platform goes on as it likes (PS-0.1).
    public var withoutTLS: PolicyReason { PolicyReason(.noCertificateToEvaluate, rule: RuleID("PS-0.1")) }
}
