/// Something in a configuration, or in how it is asked, that makes the library throw: no connection ever succeeds.
public struct ConfigurationFault: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// A pin whose kind of digest is not known, or not in this version.
        case unknownPinKind(String)
        /// A digest algorithm that is not supported; nil if none is named.
        case unsupportedDigest(String?)
        /// Text that is not Base64, as the library reads it.
        case notBase64(String)
        /// A digest of another length than its algorithm's, in octets.
        case digestLength(String, octets: Int)
        /// Text that is no day.
        case invalidDate(String)
        /// A pattern with an asterisk where none may be, or that names no host.
        case invalidPattern(String)
        /// A domain that the library takes for none.
        case invalidDomain(String)
        /// A domain that has an entry already.
        case duplicateDomain(String)
        /// An entry for no domain at all.
        case noDomain
        /// Fewer pins than the library wants.
        case tooFewPins(domain: String, count: Int)
        /// A host that begins with a dot.
        case leadingDot(String)
        /// There are entries for domains, and the client does not say whom it wants.
        case hostUnknown
        /// Text that is no fingerprint: not hexadecimal, or of no digest's length.
        case invalidFingerprint(String)
    }

    /// What is wrong.
    public let kind: Kind
    /// The rule that the library follows in throwing.
    public let rule: RuleID

    /// Joins what is wrong with the rule that says so.
    public init(_ kind: Kind, rule: RuleID) {
        self.kind = kind
        self.rule = rule
    }

    /// The fault as the reason of a verdict.
    var reason: PolicyReason { PolicyReason(.invalidConfiguration(self), rule: rule) }

    /// The verdict that it makes.
    var verdict: PolicyVerdict { PolicyVerdict(.configError, reason) }
}

extension ConfigurationFault: CustomStringConvertible {
    /// What is wrong, in one line.
    public var description: String {
        switch kind {
        case .unknownPinKind(let pin): "pin \(pin) does not begin with a kind of digest that this version knows"
        case .unsupportedDigest(let name?): "the digest \(name) is not supported"
        case .unsupportedDigest(nil): "a pin does not name its digest"
        case .notBase64(let text): "pin \(text) is not Base64"
        case .digestLength(let text, let octets): "pin \(text) is of \(octets) octets, which is no SHA-256 digest"
        case .invalidDate(let text): "the expiration \(text) is no day"
        case .invalidPattern(let pattern): "the pattern \(pattern) is none"
        case .invalidDomain(let domain): "\(domain) is no domain that can be pinned"
        case .duplicateDomain(let domain): "\(domain) has two entries"
        case .noDomain: "an entry is for no domain"
        case .tooFewPins(let domain, let count):
            "\(domain) has \(count == 0 ? "no pin" : "one pin") and the library wants two"
        case .leadingDot(let host): "the host \(host) begins with a dot"
        case .hostUnknown: "there are entries for domains, and the client does not say whom it wants"
        case .invalidFingerprint(let text): "\(text) is no fingerprint by MD5, SHA-1 or SHA-256"
        }
    }
}
