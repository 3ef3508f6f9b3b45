public import Crypto
public import Pinning
public import Wire

/// Everything that one check showed.
///
/// A verdict and a failure do not exclude each other: a server may be accepted and then say nothing.
public struct CheckResult: Sendable {
    /// What the policy decided; nil if it was never asked, and then `failure` says why.
    public internal(set) var verdict: PolicyVerdict?
    /// What the platform's ordinary validation said, if the policy left the decision to it.
    public internal(set) var platform: TrustResult?
    /// Whether the handshake was allowed to finish, so that a request was sent.
    public internal(set) var isAccepted = false
    /// The part of the configuration that is for the host; nil if none is, or there is one policy for all hosts.
    public internal(set) var entry: PolicyEntry?
    /// What the app's platform would check besides, and nobody could here.
    public internal(set) var notChecked: [UncheckedRule] = []
    /// The certificates as they were sent, leaf first.
    public internal(set) var sentChain: [Certificate] = []
    /// Whether the server asked for a client certificate.
    public internal(set) var wasAskedForIdentity = false
    /// What was presented then, leaf first; empty for none.
    public internal(set) var presentedChain: [Certificate] = []
    /// The alert that told the server of the refusal, if it was refused.
    public internal(set) var alert: UInt8?
    /// What the handshake agreed on; nil if it did not finish.
    public internal(set) var parameters: TLSFacts?
    /// The head of the server's answer; nil if there was none.
    public internal(set) var response: HTTPResponseHead?
    /// The failure that a page of the Pinproof proxy tells of, if the answer is one and not the server's.
    public var proxyFault: String? {
        response?.headers.first { $0.name.lowercased() == "pinproof-fault" }?.value
    }
    /// The head of the proxy's answer to CONNECT; nil without a proxy, or if it said nothing of the kind.
    public internal(set) var proxyResponse: HTTPResponseHead?
    /// What went wrong apart from the verdict, with the party at fault; nil if nothing did.
    public internal(set) var failure: CheckFailure?

    init() {}

    /// Notes that the platform refuses what its certificates would do for.
    mutating func object(_ reason: PolicyReason) {
        verdict = PolicyVerdict(.reject, reason, trust: verdict?.trust ?? platform)
        isAccepted = false
    }
}

extension HTTPResponseHead {
    /// The first line of the head.
    public var statusLine: String { "HTTP/1.\(minorVersion) \(status)" + (reason.isEmpty ? "" : " \(reason)") }
}
