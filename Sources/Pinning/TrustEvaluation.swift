public import Wire

/// What a platform's trust evaluation is asked to check (PS-0.3-6, PS-0.3-7).
public enum TrustPolicy: Hashable, Sendable {
    /// Path, validity and critical extensions; no host name, no extended key usage.
    case basicX509
    /// What is asked of a TLS server; the host is compared only if one is given.
    case ssl(host: HostName?)
    /// What Android's trust manager asks: path and validity. The host is the HTTP stack's affair (PS-5-9).
    case android
    /// What the trust manager of a JVM asks, with the same about the host (PS-4-5).
    case jvm
    /// What a client on OpenSSL asks of a TLS server; the host is compared only if one is given (PS-7-2).
    case openssl(host: HostName?)
}

/// A platform's trust evaluation as a function (PS-0.3).
///
/// A policy decides what to ask and what the answer means; what a path is and when it is valid belongs to the platform,
/// so it is injected. `Crypto.PathBuilder` answers as Apple's SecTrust does.
public protocol TrustEvaluator: Sendable {
    /// Builds a path from the first sent certificate and validates it.
    ///
    /// - Parameters:
    ///   - policy: What to check beside the path itself.
    ///   - anchors: The application's anchors; nil if it set none. An empty list is a list: nothing is anchored by it.
    ///   - anchorsOnly: Whether the platform's own anchors are out. Setting anchors switches it on (PS-0.3-5).
    ///   - sent: The certificates as the server sent them.
    ///   - time: Seconds since 1970-01-01 UTC at which everything must be valid.
    /// - Returns: Whether the path is valid, and the path, even where it is not.
    func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult
}

/// What a trust evaluation yielded.
public struct TrustResult: Sendable, Equatable {
    /// Whether the path is anchored and everything that was checked holds.
    public let valid: Bool
    /// The path as built, leaf first, which is never the sent list (PS-0.3-1).
    ///
    /// Where nothing anchors, the best partial path (PS-0.3-2).
    public let path: [CertificateFacts]
    /// What is wrong, in the order in which it was found; empty if valid.
    public let errors: [TrustError]
    /// What the real platform checks as well, and this evaluation did not.
    public let notChecked: [UncheckedRule]

    /// Joins what an evaluation yielded; it is valid if there are no errors.
    public init(path: [CertificateFacts], errors: [TrustError], notChecked: [UncheckedRule]) {
        self.valid = errors.isEmpty
        self.path = path
        self.errors = errors
        self.notChecked = notChecked
    }
}

/// A rule of the emulated platform that an evaluation did not apply.
public struct UncheckedRule: Hashable, Sendable {
    /// The rule.
    public let rule: RuleID
    /// What it would check, in a few words.
    public let summary: String

    /// Names a rule that was not applied.
    public init(rule: RuleID, summary: String) {
        self.rule = rule
        self.summary = summary
    }
}
