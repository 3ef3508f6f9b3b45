/// TrustKit's configuration: the dictionary `TSKConfiguration` of an app's Info.plist, or the same in code (PS-3.1).
public struct TrustKitConfiguration: Hashable, Sendable {
    /// The key by which the library knows an excluded domain, which is not the one that its documentation names
    /// (PS-3.1-4).
    public static let excludeKey = "kSKExcludeSubdomainFromParentPolicy"

    /// `TSKSwizzleNetworkDelegates`.
    public var swizzlesDelegates: Bool
    /// `TSKIgnorePinningForUserDefinedTrustAnchors`, which only macOS looks at.
    public var ignoresPinsForUserAnchors: Bool
    /// `TSKPinnedDomains`.
    public var domains: [String: TrustKitDomain]

    /// Describes a configuration, with the library's own defaults.
    public init(
        swizzlesDelegates: Bool = false, ignoresPinsForUserAnchors: Bool = true, domains: [String: TrustKitDomain]
    ) {
        self.swizzlesDelegates = swizzlesDelegates
        self.ignoresPinsForUserAnchors = ignoresPinsForUserAnchors
        self.domains = domains
    }

    /// Reads a dictionary; keys that the library does not know mean nothing.
    ///
    /// - Parameter properties: The entries of `TSKConfiguration`. Additional trust anchors are not read.
    /// - Throws: `TrustKitConfigurationError` for values that the library cannot work with.
    public init(properties: [String: PropertyValue]) throws(TrustKitConfigurationError) {
        var domains: [String: TrustKitDomain] = [:]
        if let value = properties["TSKPinnedDomains"] {
            guard let entries = value.entries else {
                throw TrustKitConfigurationError(nil, .wrongType(key: "TSKPinnedDomains"), .trustKitDomains)
            }
            for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
                guard let entry = value.entries else {
                    throw TrustKitConfigurationError(name, .wrongType(key: name), .trustKitDomains)
                }
                domains[name] = try TrustKitDomain(name, entry)
            }
        }
        self.init(
            swizzlesDelegates: properties["TSKSwizzleNetworkDelegates"]?.flag ?? false,
            ignoresPinsForUserAnchors: properties["TSKIgnorePinningForUserDefinedTrustAnchors"]?.flag ?? true,
            domains: domains)
    }
}

/// A configuration for which TrustKit raises an exception when it is loaded.
public struct TrustKitConfigurationError: Error, Hashable, Sendable {
    /// What is wrong, where and by which rule.
    public let reason: PolicyReason

    init(_ domain: String?, _ mistake: TrustKitMistake, _ rule: RuleID) {
        reason = PolicyReason(.trustKit(.misconfigured(domain: domain, mistake)), rule: rule)
    }
}

extension TrustKitDomain {
    fileprivate init(_ name: String, _ entry: [String: PropertyValue]) throws(TrustKitConfigurationError) {
        if entry[TrustKitConfiguration.excludeKey]?.flag == true {
            guard entry.count == 1 else {
                throw TrustKitConfigurationError(name, .excludedWithOtherKeys, .trustKitExclusion)
            }
            self = .excluded
            return
        }
        func texts(_ key: String) throws(TrustKitConfigurationError) -> [String]? {
            guard let value = entry[key] else { return nil }
            guard let elements = value.elements, elements.allSatisfy({ $0.text != nil }) else {
                throw TrustKitConfigurationError(name, .wrongType(key: key), .trustKitDomains)
            }
            return elements.compactMap(\.text)
        }
        self.init(
            publicKeyHashes: try texts("TSKPublicKeyHashes") ?? [],
            includesSubdomains: entry["TSKIncludeSubdomains"]?.flag ?? false,
            enforcesPinning: entry["TSKEnforcePinning"]?.flag ?? true,
            expirationDate: entry["TSKExpirationDate"]?.text,
            reportURIs: try texts("TSKReportUris") ?? [],
            publicKeyAlgorithms: try texts("TSKPublicKeyAlgorithms")?.compactMap(Algorithm.init))
    }
}

extension RuleID {
    /// Swizzling.
    static let trustKitSwizzling = RuleID("PS-3.1-1")
    /// What an entry must have.
    static let trustKitDomains = RuleID("PS-3.1-3")
    /// Excluded domains.
    static let trustKitExclusion = RuleID("PS-3.1-4")
}
