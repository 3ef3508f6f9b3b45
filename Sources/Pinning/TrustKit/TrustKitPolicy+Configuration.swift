internal import Wire

extension TrustKitPolicy {
    /// What raises an exception when the configuration is loaded (PS-3.1), or that the release is not emulated.
    public var configurationProblem: PolicyReason? {
        guard (1...3).contains(version.major) else {
            return PolicyReason(.versionNotEmulated("TrustKit \(version)"), rule: RuleID("PS-3.1"))
        }
        if configuration.swizzlesDelegates, !setting.isSharedInstance {
            return mistake(nil, .swizzlingNotShared, .trustKitSwizzling)
        }
        if configuration.domains.isEmpty { return mistake(nil, .noDomains, .trustKitDomains) }
        let inOrder = configuration.domains.sorted { $0.key < $1.key }
        return inOrder.lazy.compactMap { problem(with: $0.key, $0.value) }.first
    }

    private func problem(with name: String, _ domain: TrustKitDomain) -> PolicyReason? {
        if domain.isExcluded {
            guard parent(of: name) == nil else { return nil }
            return mistake(name, .excludedWithoutParent, .trustKitExclusion)
        }
        let suffix = suffixes.suffixLength(of: name)
        if suffix <= 0 { return mistake(name, .noPublicSuffix, .trustKitDomains) }
        if domain.includesSubdomains, suffix >= name.utf8.count {
            return mistake(name, .subdomainsOfSuffix, .trustKitDomains)
        }
        if wantsAlgorithms, domain.publicKeyAlgorithms?.isEmpty ?? true {
            return mistake(name, .noAlgorithms, .trustKitDomains)
        }
        if let hash = domain.publicKeyHashes.first(where: { Base64.decode(Array($0.utf8))?.count != 32 }) {
            return mistake(name, .badHash(hash), .trustKitDomains)
        }
        let count = Set(domain.publicKeyHashes).count
        let least = domain.enforcesPinning || version < LibraryVersion(1, 4) ? 2 : 1
        if count < least { return mistake(name, .tooFewHashes(count, least: least), .trustKitDomains) }
        if let text = domain.reportURIs.first(where: { !Self.isURI($0) }) {
            return mistake(name, .badReportURI(text), .trustKitDomains)
        }
        return nil
    }

    /// Whether the platform makes a URL of it: it has no octet that RFC 3986 has no place for.
    private static func isURI(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !Array("\"<>\\^`{|}".utf8).contains($0) }
    }

    private func mistake(_ domain: String?, _ mistake: TrustKitMistake, _ rule: RuleID) -> PolicyReason {
        TrustKitConfigurationError(domain, mistake, rule).reason
    }
}

/// Which entry a host has (PS-3.2).
extension TrustKitPolicy {
    /// The host's own entry, or its parent's.
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: The domain with its pins; nil if none covers the host.
    public func entry(for server: ServerTrust) -> PolicyEntry? {
        entry(for: server.spelledHost).map { PolicyEntry(names: [$0.name], pins: $0.domain.publicKeyHashes) }
    }

    /// The entry for a host: its own, letter for letter, or else the longest parent's that includes subdomains.
    ///
    /// - Parameter host: The host as it is spelled.
    /// - Returns: The entry and its name; nil if none covers the host.
    func entry(for host: String?) -> (name: String, domain: TrustKitDomain)? {
        guard let host else { return nil }
        if let own = configuration.domains[host] { return (host, own) }
        return parent(of: host)
    }

    private func parent(of host: String) -> (name: String, domain: TrustKitDomain)? {
        configuration.domains.filter { $0.value.includesSubdomains && isSubdomain(host, of: $0.key) }
            .max { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
            .map { ($0.key, $0.value) }
    }

    /// Whether what stands before one and the same public suffix ends in the same labels.
    private func isSubdomain(_ host: String, of domain: String) -> Bool {
        let (hostBytes, domainBytes) = (Array(host.utf8), Array(domain.utf8))
        let suffix = suffixes.suffixLength(of: domain)
        guard hostBytes.count > domainBytes.count, suffix > 0, suffix < domainBytes.count,
            suffixes.suffixLength(of: host) == suffix,
            hostBytes.suffix(suffix) == domainBytes.suffix(suffix)
        else { return false }
        let labels = [UInt8(ascii: ".")] + domainBytes.dropLast(suffix)
        return hostBytes.dropLast(suffix).suffix(labels.count).elementsEqual(labels)
    }
}
