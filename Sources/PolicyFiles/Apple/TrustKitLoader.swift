internal import Pinning
internal import Wire

/// Reads TrustKit's configuration, and says what it makes of keys that it does not know.
struct TrustKitLoader {
    let context: LoadingContext

    init(_ context: LoadingContext) { self.context = context }

    private static let keys = [
        "TSKSwizzleNetworkDelegates", "TSKIgnorePinningForUserDefinedTrustAnchors", "TSKPinnedDomains",
    ]
    private static let domainKeys = [
        "TSKPublicKeyHashes", "TSKIncludeSubdomains", "TSKEnforcePinning", "TSKExpirationDate", "TSKReportUris",
        "TSKDisableDefaultReportUri", "TSKPublicKeyAlgorithms", "TSKAdditionalTrustAnchors",
        TrustKitConfiguration.excludeKey,
    ]
    /// What the documentation calls the key that the library knows by a mistyped name (PS-3.1-4).
    private static let documentedExcludeKey = "TSKExcludeSubdomainFromParentPolicy"

    /// Reads the entries of `TSKConfiguration`.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - path: The keys that lead to them.
    /// - Returns: The configuration.
    /// - Throws: What raises an exception in every release.
    func load(
        _ entries: [String: PropertyValue], at path: [String]
    ) throws(PolicyFileError) -> TrustKitConfiguration {
        var configuration: TrustKitConfiguration
        do throws(TrustKitConfigurationError) {
            configuration = try TrustKitConfiguration(properties: entries)
        } catch {
            throw context.error(error.reason.explanation, at: .key(path + place(of: error)))
        }
        noteUnknown(entries, known: Self.keys, at: path)
        noteFlags(entries, ["TSKSwizzleNetworkDelegates", "TSKIgnorePinningForUserDefinedTrustAnchors"], at: path)
        for (name, value) in (entries["TSKPinnedDomains"]?.entries ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let domain = value.entries else { continue }
            let path = path + ["TSKPinnedDomains", name]
            noteDomain(domain, at: path)
            configuration.domains[name]?.additionalAnchors = anchors(domain, at: path)
        }
        return configuration
    }

    private func place(of error: TrustKitConfigurationError) -> [String] {
        guard case .trustKit(.misconfigured(let domain?, let mistake)) = error.reason.kind else {
            return ["TSKPinnedDomains"]
        }
        guard case .wrongType(let key) = mistake, key != domain else { return ["TSKPinnedDomains", domain] }
        return ["TSKPinnedDomains", domain, key]
    }

    // MARK: Remarks

    private func noteUnknown(_ entries: [String: PropertyValue], known: [String], at path: [String]) {
        for key in entries.keys.sorted() where !known.contains(key) && key != Self.documentedExcludeKey {
            let question = NearestName.question(key, among: known)
            context.remark("TrustKit knows no such key and skips it\(question)", at: .key(path + [key]))
        }
    }

    private func noteFlags(_ entries: [String: PropertyValue], _ keys: [String], at path: [String]) {
        for key in keys {
            guard let value = entries[key], value.flag == nil else { continue }
            context.remark(
                "\(value.kindName) where a boolean is expected: it counts as absent", at: .key(path + [key]))
        }
    }

    private func noteDomain(_ domain: [String: PropertyValue], at path: [String]) {
        noteUnknown(domain, known: Self.domainKeys, at: path)
        noteFlags(
            domain,
            [
                "TSKIncludeSubdomains", "TSKEnforcePinning", "TSKDisableDefaultReportUri",
                TrustKitConfiguration.excludeKey,
            ],
            at: path)
        if domain[Self.documentedExcludeKey] != nil {
            context.remark(
                "the library does not know the key by this name, which its documentation has, but as "
                    + TrustKitConfiguration.excludeKey, at: .key(path + [Self.documentedExcludeKey]))
        }
        if domain["TSKEnforcePinning"]?.flag == false {
            context.remark("pins are reported and not enforced", at: .key(path + ["TSKEnforcePinning"]))
        }
        if let value = domain["TSKExpirationDate"],
            TrustKitDomain(publicKeyHashes: [], expirationDate: value.text).expiry == nil
        {
            context.remark(
                "it is no day as yyyy-MM-dd: the pins never expire", at: .key(path + ["TSKExpirationDate"]))
        }
        for (index, value) in (domain["TSKPublicKeyAlgorithms"]?.elements ?? []).enumerated()
        where value.text.flatMap(TrustKitDomain.Algorithm.init) == nil {
            context.remark("no such algorithm", at: .key(path + ["TSKPublicKeyAlgorithms", String(index)]))
        }
    }

    /// Reads the certificates of `TSKAdditionalTrustAnchors`, each a text in PEM.
    private func anchors(_ domain: [String: PropertyValue], at path: [String]) -> [CertificateFacts] {
        let key = "TSKAdditionalTrustAnchors"
        guard let value = domain[key] else { return [] }
        guard let elements = value.elements else {
            context.remark("\(value.kindName) where an array of PEM texts is expected", at: .key(path + [key]))
            return []
        }
        return elements.enumerated().flatMap { index, element -> [CertificateFacts] in
            if let text = element.text, let found = context.resources.certificates(in: Array(text.utf8)) {
                return found
            }
            context.remark("it is no certificate in PEM and skipped", at: .key(path + [key, String(index)]))
            return []
        }
    }
}
