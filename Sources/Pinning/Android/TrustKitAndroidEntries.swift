internal import Wire

/// The domains that TrustKit for Android pins, as it makes them of a network security configuration.
struct TrustKitAndroidEntries: Sendable {
    /// One domain's policy.
    struct Entry: Sendable {
        let domain: String
        let includesSubdomains: Bool
        let enforcesPinning: Bool
        let expiration: CalendarDate?
        let pins: [String]
    }

    private var entries: [Entry] = []

    /// Reads a configuration.
    ///
    /// - Throws: What TrustKit throws.
    init(_ config: NetworkSecurityConfig) throws(ConfigurationFault) {
        for domainConfig in config.domainConfigs { try add(domainConfig, inheriting: Draft()) }
    }

    /// The entry for a host (PS-3.4-3): the same text, or the longest that includes subdomains; case counts.
    func entry(for host: String) -> Entry? {
        entries.first { $0.domain == host }
            ?? entries.filter { $0.includesSubdomains && host.hasSuffix("." + $0.domain) }
            .max { $0.domain.utf8.count < $1.domain.utf8.count }
    }

    private mutating func add(
        _ config: NetworkSecurityConfig.DomainConfig, inheriting parent: Draft
    ) throws(ConfigurationFault) {
        let draft = try parent.overridden(by: config)
        // Only the last domain is kept, and an entry without pins is none (PS-3.4-2).
        if let pins = draft.pins {
            let entry = try Entry(domain: config.domains.last?.name.trimmed, pins: pins, draft)
            guard !entries.contains(where: { $0.domain == entry.domain }) else {
                throw ConfigurationFault(.duplicateDomain(entry.domain), rule: .androidTrustKitDomains)
            }
            entries.append(entry)
        }
        for nested in config.nested { try add(nested, inheriting: draft) }
    }
}

/// What a domain's policy inherits, value by value (PS-3.4-3).
private struct Draft {
    var includesSubdomains: Bool?
    var enforcesPinning: Bool?
    var expiration: CalendarDate?
    var pins: [NetworkSecurityConfig.Pin]?

    func overridden(by config: NetworkSecurityConfig.DomainConfig) throws(ConfigurationFault) -> Draft {
        var draft = self
        // The last domain's switch counts like its name.
        if let included = config.domains.last?.includeSubdomains { draft.includesSubdomains = included }
        if let tag = config.trustKit { draft.enforcesPinning = tag.enforcePinning }
        guard let set = config.pinSet else { return draft }
        draft.pins = set.pins
        // A set without an expiration replaces the pins and inherits the day.
        if let text = set.expiration {
            guard let date = CalendarDate(java: text) else {
                throw ConfigurationFault(.invalidDate(text), rule: .androidTrustKitDomains)
            }
            draft.expiration = date
        }
        return draft
    }
}

extension TrustKitAndroidEntries.Entry {
    /// Makes a policy of what was inherited; enforcing takes two pins (PS-3.4-1).
    fileprivate init(
        domain: String?, pins: [NetworkSecurityConfig.Pin], _ draft: Draft
    ) throws(ConfigurationFault) {
        guard let domain else { throw ConfigurationFault(.noDomain, rule: .androidTrustKitDomains) }
        guard TrustKitAndroidDomain.isValid(domain) else {
            throw ConfigurationFault(.invalidDomain(domain), rule: .androidTrustKitDomains)
        }
        for pin in pins { try Self.validate(pin) }
        let distinct = Set(pins.map(\.text)).count
        let enforces = draft.enforcesPinning ?? false
        guard !enforces || distinct >= 2 else {
            throw ConfigurationFault(.tooFewPins(domain: domain, count: distinct), rule: .androidTrustKitPins)
        }
        self.domain = domain
        self.pins = pins.map(\.text.trimmed)
        includesSubdomains = draft.includesSubdomains ?? false
        enforcesPinning = enforces
        expiration = draft.expiration
    }

    /// The pin of a certificate's key: Base64 is compared as text, so that only canonical text ever matches.
    func pin(of certificate: CertificateFacts) -> String? {
        let text = Base64.encode(certificate.details.spkiSHA256)
        return pins.first { $0 == text }
    }

    private static func validate(_ pin: NetworkSecurityConfig.Pin) throws(ConfigurationFault) {
        guard pin.digest == "SHA-256" else {
            throw ConfigurationFault(.unsupportedDigest(pin.digest), rule: .androidTrustKitPins)
        }
        guard let hash = AndroidBase64.decode(pin.text) else {
            throw ConfigurationFault(.notBase64(pin.text), rule: .androidTrustKitPins)
        }
        guard hash.count == 32 else {
            throw ConfigurationFault(.digestLength(pin.text, octets: hash.count), rule: .androidTrustKitPins)
        }
    }
}

/// What TrustKit's validator takes for a domain (PS-3.4-2).
///
/// It has the list of all top-level domains. Here only the reserved ones are known, which never are.
enum TrustKitAndroidDomain {
    private static let reserved: Set<String> = [
        "example", "home", "internal", "invalid", "lan", "local", "localdomain", "localhost", "onion", "test",
    ]

    static func isValid(_ domain: String) -> Bool {
        guard let name = HostName(domain), case .dns(let text) = name.kind, !domain.hasSuffix(".") else { return false }
        let labels = text.split(separator: ".")
        guard labels.count >= 2, let top = labels.last, !text.utf8.contains(UInt8(ascii: "_")) else { return false }
        let isLetters = top.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return (isLetters && top.utf8.count >= 2 || top.hasPrefix("xn--")) && !reserved.contains(String(top))
    }
}

extension RuleID {
    /// Pins of TrustKit for Android.
    static let androidTrustKitPins = RuleID("PS-3.4-1")
    /// Which domains are kept.
    static let androidTrustKitDomains = RuleID("PS-3.4-2")
    /// Debug overrides.
    static let androidTrustKitDebug = RuleID("PS-3.4-4")
    /// What happens at run time.
    static let androidTrustKitRuntime = RuleID("PS-3.4-5")
    /// What is not covered.
    static let androidTrustKitCoverage = RuleID("PS-3.4-6")
}
