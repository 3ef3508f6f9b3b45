/// What TrustKit finds about a server, or about its configuration.
public enum TrustKitFinding: Hashable, Sendable {
    /// No entry covers the host; nil if it is not known.
    case hostNotPinned(String?)
    /// The entry's pins expired at the start of this day, and expired pins are ignored.
    case expired(domain: String, CalendarDate)
    /// The host is excluded from its parent's pins.
    case excluded(domain: String)
    /// A certificate of the path has a key that the library cannot hash, which refuses the server whatever is pinned.
    case unsupportedKey(CertificateFacts, depth: Int)
    /// No pin matches, and the path holds a certificate that a user or administrator trusts.
    case userAnchor(CertificateFacts)
    /// No pin matches, and the entry does not enforce its pins.
    case notEnforced(domain: String)
    /// The configuration raises an exception when it is loaded.
    case misconfigured(domain: String?, TrustKitMistake)
}

/// A mistake in a configuration for which TrustKit raises an exception.
public enum TrustKitMistake: Hashable, Sendable {
    /// There is no `TSKPinnedDomains`, or nothing in it.
    case noDomains
    /// An entry, or one of its keys, is not of the type that is expected.
    case wrongType(key: String)
    /// Delegates are to be swizzled by an instance that is not the shared one.
    case swizzlingNotShared
    /// The domain ends in no public suffix that is known.
    case noPublicSuffix
    /// Subdomains of a bare public suffix.
    case subdomainsOfSuffix
    /// A pin is not the Base64 of 32 octets.
    case badHash(String)
    /// Fewer different pins than are needed.
    case tooFewHashes(Int, least: Int)
    /// No list of algorithms, which releases up to 1.5 want.
    case noAlgorithms
    /// An excluded domain has other keys besides.
    case excludedWithOtherKeys
    /// An excluded domain has no parent that includes subdomains.
    case excludedWithoutParent
    /// A text that is no URI.
    case badReportURI(String)
}

extension TrustKitFinding: CustomStringConvertible {
    /// The finding in one line.
    public var description: String {
        switch self {
        case .hostNotPinned(let host): "nothing is pinned for \(host ?? "an unknown host"): the platform decides"
        case .expired(let domain, let date):
            "the pins of \(domain) expired on \(date), and expired pins are ignored: the platform decides"
        case .excluded(let domain): "\(domain) is excluded from its parent's pins: the platform decides"
        case .unsupportedKey(let certificate, let depth):
            "the key of certificate \(depth) of the path, \(certificate.subject), is "
                + "\(certificate.key?.description ?? "unreadable"), which the library cannot hash, so it refuses the server"
        case .userAnchor(let certificate):
            "no pin matches, but a user or administrator trusts \(certificate.subject), which overrides pins"
        case .notEnforced(let domain): "no pin matches, and the pins of \(domain) are not enforced"
        case .misconfigured(let domain?, let mistake): "the configuration of \(domain) raises an exception: \(mistake)"
        case .misconfigured(nil, let mistake): "the configuration raises an exception: \(mistake)"
        }
    }
}

extension TrustKitMistake: CustomStringConvertible {
    /// The mistake in a few words.
    public var description: String {
        switch self {
        case .noDomains: "no domain is pinned"
        case .wrongType(let key): "\(key) is not of the expected type"
        case .swizzlingNotShared: "only the shared instance may swizzle delegates"
        case .noPublicSuffix: "it ends in no known public suffix"
        case .subdomainsOfSuffix: "subdomains of a public suffix cannot be included"
        case .badHash(let text): "\(text) is not a SHA-256 digest in Base64"
        case .tooFewHashes(let count, let least):
            "there \(count == 1 ? "is" : "are") \(count) of at least \(least) different pins"
        case .noAlgorithms: "there is no list of public key algorithms"
        case .excludedWithOtherKeys: "it is excluded and has other keys"
        case .excludedWithoutParent: "it is excluded and no parent includes subdomains"
        case .badReportURI(let text): "\(text) is no URI"
        }
    }
}
