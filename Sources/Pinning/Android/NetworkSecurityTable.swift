/// A network security configuration as the platform holds it: what is effective for each domain, and for the rest.
struct NetworkSecurityTable: Sendable {
    private struct Entry {
        var domain: String
        var includesSubdomains: Bool
        var effective: EffectiveNetworkSecurity
    }

    private var entries: [Entry] = []
    private let base: EffectiveNetworkSecurity

    /// Resolves a configuration.
    ///
    /// - Parameters:
    ///   - config: What is written; nil if the app has none.
    ///   - application: What the manifest says.
    /// - Throws: What the platform's parser throws.
    init(
        _ config: NetworkSecurityConfig?, for application: AndroidApplication
    ) throws(ConfigurationFault) {
        let platform = EffectiveNetworkSecurity(default: application, withoutConfiguration: config == nil)
        guard let config else {
            base = platform
            return
        }
        let debug = Self.debugAnchors(of: config, for: application)
        var standard = platform
        standard.anchors += debug
        base = standard.overridden(by: config.base, debug: debug)
        for domainConfig in config.domainConfigs { try add(domainConfig, below: base, debug: debug) }
    }

    /// Whether any host has a configuration of its own.
    var hasDomains: Bool { !entries.isEmpty }

    /// What is effective for a host (PS-5-8).
    ///
    /// - Parameter host: As the client spells it; empty for none in particular.
    /// - Returns: The exact domain's settings, else those of the longest that covers it, else the base's.
    /// - Throws: What the platform throws.
    func effective(for host: String) throws(ConfigurationFault) -> EffectiveNetworkSecurity {
        guard !host.isEmpty, hasDomains else { return base }
        guard !host.hasPrefix(".") else { throw ConfigurationFault(.leadingDot(host), rule: .nscLookup) }
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        if let exact = entries.first(where: { $0.domain == name }) { return exact.effective }
        let covering = entries.filter { $0.includesSubdomains && name.hasSuffix("." + $0.domain) }
        return covering.max { $0.domain.utf8.count < $1.domain.utf8.count }?.effective ?? base
    }

    /// The anchors that are added in a debuggable app (PS-5-7): they override pins unless they say otherwise.
    private static func debugAnchors(
        of config: NetworkSecurityConfig, for application: AndroidApplication
    ) -> [EffectiveNetworkSecurity.Anchors] {
        guard application.isDebuggable else { return [] }
        let declared = config.debugOverrides ?? config.debugFileOverrides ?? []
        return declared.map { .init(source: $0.source, overridePins: $0.overridePins ?? true) }
    }

    private mutating func add(
        _ config: NetworkSecurityConfig.DomainConfig, below parent: EffectiveNetworkSecurity,
        debug: [EffectiveNetworkSecurity.Anchors]
    ) throws(ConfigurationFault) {
        guard !config.domains.isEmpty else { throw ConfigurationFault(.noDomain, rule: .nscStructure) }
        var effective = parent.overridden(by: config.settings, debug: debug)
        if let set = config.pinSet { try effective.replacePins(by: set) }
        for domain in config.domains {
            // A dot at the end is kept, and no host has one when it is looked up (PS-5-2).
            let name = domain.name.trimmed.lowercased()
            guard !entries.contains(where: { $0.domain == name }) else {
                throw ConfigurationFault(.duplicateDomain(name), rule: .nscDomain)
            }
            effective.domain = name
            entries.append(
                Entry(domain: name, includesSubdomains: domain.includeSubdomains ?? false, effective: effective))
        }
        for nested in config.nested { try add(nested, below: effective, debug: debug) }
    }
}
