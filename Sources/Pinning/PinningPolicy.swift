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
    /// The certificates that a user or an administrator told the device to trust.
    public var userAnchors: [CertificateFacts]
    /// What was learnt about whether the path has been revoked.
    public var revocation: RevocationAnswer

    /// Joins what there is to decide upon.
    ///
    /// - Parameters:
    ///   - sent: The certificates as the server sent them.
    ///   - host: The host that the client wanted; nil if its code does not say.
    ///   - spelling: The host letter for letter as the client's URL has it; nil for the canonical text of `host`.
    ///   - time: Seconds since 1970-01-01 UTC.
    ///   - userAnchors: The certificates that a user or an administrator told the device to trust.
    ///   - revocation: What was learnt about whether the path has been revoked.
    public init(
        sent: [CertificateFacts], host: HostName?, spelling: String? = nil, time: Int64,
        userAnchors: [CertificateFacts] = [], revocation: RevocationAnswer = .unanswered
    ) {
        self.sent = sent
        self.host = host
        self.spelling = spelling
        self.time = time
        self.userAnchors = userAnchors
        self.revocation = revocation
    }

    /// The host as the client spells it; nil if its code does not say whom it wants.
    public var spelledHost: String? { spelling ?? host?.text }
}

/// What a client learnt when it asked whether a certificate of the path has been revoked.
public enum RevocationAnswer: String, Sendable, CaseIterable {
    /// Nobody answered, or nobody was asked.
    case unanswered
    /// An answer says that none has.
    case good
    /// An answer says that one has.
    case revoked
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

    /// The part of the configuration that is for a server's host.
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: The entry; nil if none is for the host, or the library has none host by host.
    func entry(for server: ServerTrust) -> PolicyEntry?

    /// What the platform's ordinary validation says of a server that the library leaves to it.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: The platform's trust evaluation.
    /// - Returns: Whether the platform goes on, and the path.
    func platformValidation(of server: ServerTrust, using evaluator: any TrustEvaluator) -> TrustResult

    /// Decides about a server that is reached without TLS: libraries are not asked then, and platforms may forbid it.
    ///
    /// - Parameter server: Whom the client wants; nothing was presented.
    /// - Returns: The verdict; `default` if nothing forbids it, which is no acceptance.
    func verdictWithoutTLS(on server: ServerTrust) -> PolicyVerdict
}

extension PinningPolicy {
    /// One policy for all hosts.
    public func entry(for server: ServerTrust) -> PolicyEntry? { nil }

    /// Apple's: the server must be valid for TLS and the host.
    public func platformValidation(of server: ServerTrust, using evaluator: any TrustEvaluator) -> TrustResult {
        TrustObject(server, using: evaluator).evaluate()
    }

    /// There is nothing to evaluate, so the platform goes on as it likes (PS-0.1).
    public func verdictWithoutTLS(on server: ServerTrust) -> PolicyVerdict {
        PolicyVerdict(.default, PolicyReason(.noCertificateToEvaluate, rule: RuleID("PS-0.1")))
    }
}
