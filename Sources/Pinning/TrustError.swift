/// One thing that is wrong with a path.
///
/// It is a value of the result, not a thrown error: a path that does not validate is an answer.
public struct TrustError: Hashable, Sendable {
    /// What is wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// No certificate was sent, or the first one cannot be read.
        case noCertificate
        /// No path leads to an anchor.
        case noAnchor
        /// The path is longer than its certificates or the builder permit.
        case pathTooLong
        /// A certificate of the path has signed another without being a certificate authority.
        case issuerNotAuthority
        /// A certificate has expired.
        case expired
        /// A certificate is not valid yet.
        case notYetValid
        /// A critical extension that the platform does not know.
        case criticalExtension
        /// A name that an authority of the path may not certify.
        case nameConstraint
        /// The certificate is for another host.
        case hostMismatch
        /// The certificate, or an authority, is not meant for TLS servers.
        case wrongPurpose
        /// A key is too short.
        case weakKey
        /// A signature uses a broken hash.
        case weakSignature
        /// The leaf is valid for longer than its authority may issue it for.
        case lifetimeTooLong
        /// The pins of the app's Info.plist, which the platform applies by itself, are not on the path.
        case pinMismatch
        /// Something else that the library underneath refused.
        case other
    }

    /// What is wrong.
    public let kind: Kind
    /// Which certificate of the path it concerns: 0 is the leaf.
    public let depth: Int
    /// The library's or the rule's own words, for people.
    public let detail: String

    /// Joins what is wrong with where.
    public init(_ kind: Kind, depth: Int, detail: String) {
        self.kind = kind
        self.depth = depth
        self.detail = detail
    }

    /// The rule that finds this wrong.
    public var rule: RuleID {
        switch kind {
        case .noAnchor, .noCertificate: RuleID("PS-0.3-2")
        case .expired, .issuerNotAuthority, .notYetValid, .pathTooLong: RuleID("PS-0.3-4")
        case .criticalExtension, .nameConstraint, .other: RuleID("PS-0.3-6")
        case .lifetimeTooLong, .weakKey, .weakSignature, .wrongPurpose: RuleID("PS-0.3-7")
        case .hostMismatch: RuleID("PS-0.5-1")
        case .pinMismatch: RuleID("PS-6.1-4")
        }
    }
}

extension TrustError: CustomStringConvertible {
    /// What is wrong, where and by which rule, in one line.
    public var description: String { "\(detail) (certificate \(depth) of the path, \(rule))" }
}
