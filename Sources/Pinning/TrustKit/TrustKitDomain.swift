/// What TrustKit is told of one domain: an entry of `TSKPinnedDomains` (PS-3.1-3).
public struct TrustKitDomain: Hashable, Sendable {
    /// An algorithm of `TSKPublicKeyAlgorithms`.
    public enum Algorithm: String, Sendable, CaseIterable {
        case rsa2048 = "TSKAlgorithmRsa2048"
        case rsa4096 = "TSKAlgorithmRsa4096"
        case secp256r1 = "TSKAlgorithmEcDsaSecp256r1"
        case secp384r1 = "TSKAlgorithmEcDsaSecp384r1"
    }

    /// `TSKPublicKeyHashes`: pins in Base64.
    public var publicKeyHashes: [String]
    /// `TSKIncludeSubdomains`.
    public var includesSubdomains: Bool
    /// `TSKEnforcePinning`.
    public var enforcesPinning: Bool
    /// `TSKExpirationDate`, as it is written.
    public var expirationDate: String?
    /// `TSKReportUris`.
    public var reportURIs: [String]
    /// Whether the domain is excluded from its parent's pins.
    public var isExcluded: Bool
    /// `TSKPublicKeyAlgorithms`, which releases up to 1.5 want and others ignore; nil if absent.
    public var publicKeyAlgorithms: [Algorithm]?
    /// `TSKAdditionalTrustAnchors`, which builds for debugging with 1.5 put beside the platform's anchors.
    public var additionalAnchors: [CertificateFacts]

    /// Describes a domain, with the library's own defaults.
    public init(
        publicKeyHashes: [String], includesSubdomains: Bool = false, enforcesPinning: Bool = true,
        expirationDate: String? = nil, reportURIs: [String] = [], isExcluded: Bool = false,
        publicKeyAlgorithms: [Algorithm]? = nil, additionalAnchors: [CertificateFacts] = []
    ) {
        self.publicKeyHashes = publicKeyHashes
        self.includesSubdomains = includesSubdomains
        self.enforcesPinning = enforcesPinning
        self.expirationDate = expirationDate
        self.reportURIs = reportURIs
        self.isExcluded = isExcluded
        self.publicKeyAlgorithms = publicKeyAlgorithms
        self.additionalAnchors = additionalAnchors
    }

    /// A domain that is excluded from its parent's pins, and nothing else.
    public static let excluded = TrustKitDomain(publicKeyHashes: [], isExcluded: true)

    /// The day on which the pins expire; nil if there is none, or the text is none, which then never comes.
    ///
    /// The platform reads `yyyy-MM-dd` with fewer digits too, but no day that is not in the calendar.
    public var expiry: CalendarDate? {
        let parts = (expirationDate ?? "").split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, zip(parts, [6, 2, 2]).allSatisfy({ (1...$1).contains($0.utf8.count) }),
            parts.joined().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }
}
