internal import COpenSSL
internal import Pinning
internal import Wire

/// Apple's rules: what SecTrust asks beside a path (PS-0.3-6, PS-0.3-7).
struct AppleRules: PathRules {
    /// 2019-07-01 00:00 UTC: leaves issued after it have to name their purpose, and to expire in time, where the system's
    /// own authorities are not at the end of the path.
    private static let rulesForOthersSince: Int64 = 1_561_939_200

    /// Whether the policy is that of TLS servers; the basic policy asks for nothing else.
    let isForServers: Bool
    /// The host to compare; nil for none.
    let host: HostName?
    /// Which generation of rules for TLS servers is applied.
    let epoch: AppleEpoch
    /// The public suffixes, above which no asterisk counts; nil if there is no list.
    let suffixes: (any PublicSuffixes)?
    /// What came with the system.
    let system: TrustStore
    /// What a user or an administrator installed.
    let user: TrustStore

    var manner: VerificationManner { .path }
    var agreement: AlgorithmAgreement { .byIdentifier }
    var seeksFurtherPaths: Bool { true }

    /// By whose decision a path ends where it ends.
    enum Owner {
        /// The system's vendor, also where the application lists the same root.
        case system
        /// A user or an administrator.
        case user
        /// The application; paths without an anchor are held to the same.
        case application
    }

    func pathOfAnchoredLeaf(_ leaf: Certificate, in store: TrustStore, at time: Int64) -> TrustPath? {
        guard store.contains(leaf) else { return nil }
        // A leaf that is an anchor is a path on its own, whatever its issuer is worth (PS-0.3-3).
        return TrustPath(from: leaf, through: [], to: TrustStore(exactly: [leaf]), at: time, self)
    }

    func apply(to path: inout TrustPath, in store: TrustStore) {
        guard isForServers, let leaf = path.certificates.first else { return }
        let owner = owner(of: path)
        let isInstalledLeaf = user.contains(leaf)
        if let host, !leaf.covers(host, in: epoch, suffixes: suffixes) {
            path.errors.append(TrustError(.hostMismatch, depth: 0, detail: "the certificate is not for \(host.text)"))
        }
        path.errors += purposeErrors(on: path.certificates, anchoredBy: owner)
        if epoch == .iOS13, !isInstalledLeaf || owner == .system, let limit = Self.longestLifetime(leaf, owner) {
            let (lifetime, overflow) = leaf.notAfter.subtractingReportingOverflow(leaf.notBefore)
            if overflow || lifetime > limit.seconds {
                let detail = "the certificate is valid for longer than \(limit.days) days"
                path.errors.append(TrustError(.lifetimeTooLong, depth: 0, detail: detail))
            }
        }
        for (depth, certificate) in path.certificates.enumerated() {
            if epoch == .iOS13, !isInstalledLeaf, certificate.hasKeyBelow(rsa: 2048, curve: 256) {
                let detail = "the key is too short: \(certificate.keyDescription)"
                path.errors.append(TrustError(.weakKey, depth: depth, detail: detail))
            }
            if certificate.hasWeakSignature(in: epoch) {
                let detail = "the signature uses \(certificate.signatureDigestName)"
                path.errors.append(TrustError(.weakSignature, depth: depth, detail: detail))
            }
        }
    }

    func unchecked(on path: TrustPath?) -> [UncheckedRule] {
        var rules = [UncheckedRule(rule: RuleID("PS-0.3-6"), summary: "keys that are known to be compromised")]
        guard isForServers else { return rules }
        if epoch == .iOS13, let path, path.anchor != nil, owner(of: path) == .system {
            rules.append(
                UncheckedRule(
                    rule: RuleID("PS-0.3-7"), summary: "certificate transparency below the system's own roots"))
        }
        if suffixes == nil {
            rules.append(
                UncheckedRule(rule: RuleID("PS-0.5-1"), summary: "wildcards directly above a public suffix"))
        }
        return rules
    }

    private func owner(of path: TrustPath) -> Owner {
        guard let last = path.certificates.last else { return .application }
        return system.contains(last) ? .system : user.contains(last) ? .user : .application
    }

    private func purposeErrors(on path: [Certificate], anchoredBy owner: Owner) -> [TrustError] {
        path.enumerated().compactMap { depth, certificate in
            let isAllowed: Bool
            if depth == 0 {
                isAllowed =
                    mustStatePurpose(certificate, owner)
                    ? certificate.states(XKU_SSL_SERVER)
                    : certificate.allows(XKU_SSL_SERVER | XKU_ANYEKU | XKU_SGC)
            } else {
                // What the last one says of its purpose does not matter, nor what those say whom users trust.
                isAllowed =
                    depth == path.count - 1 || owner == .user || certificate.allows(XKU_SSL_SERVER | XKU_ANYEKU)
            }
            guard !isAllowed else { return nil }
            return TrustError(.wrongPurpose, depth: depth, detail: "the certificate is not meant for TLS servers")
        }
    }

    private func mustStatePurpose(_ leaf: Certificate, _ owner: Owner) -> Bool {
        guard epoch == .iOS13 else { return false }
        return switch owner {
        case .system: true
        case .user: false
        case .application: leaf.notBefore > Self.rulesForOthersSince
        }
    }

    /// How long a leaf may be valid; nil for any time.
    ///
    /// The limits are the CA/Browser Forum's at the time of issue, with an hour more for different ways to count; the
    /// present one, which Apple set, has none.
    private static func longestLifetime(_ leaf: Certificate, _ owner: Owner) -> (days: Int, seconds: Int64)? {
        let days: Int
        switch (owner, leaf.notBefore) {
        // 60 months, 39 months, and the days that the steps of 2016-07-01, 2018-03-01 and 2020-09-01 have.
        case (.system, ..<1_467_331_200): days = 5 * 365 + 2
        case (.system, ..<1_519_862_400): days = 3 * 365 + 2 * 31 + 30 + 1
        case (.system, ..<1_598_918_400): days = 825
        case (.system, _): return (398, 398 * 86_400)
        case (_, ...rulesForOthersSince): return nil
        case (_, _): days = 825
        }
        return (days, Int64(days) * 86_400 + 3_600)
    }
}

extension Certificate {
    /// Whether one of the alternative names covers the host, or in the legacy epoch, where there are none at all, the
    /// subject's common name.
    fileprivate func covers(_ host: HostName, in epoch: AppleEpoch, suffixes: (any PublicSuffixes)?) -> Bool {
        if epoch == .legacy, !hasAlternativeNames, let commonName {
            return AppleHostMatch.dnsName(Array(commonName.utf8), covers: host, suffixes: suffixes)
        }
        return alternativeNames.contains { name in
            switch name {
            case .dns(let text): AppleHostMatch.dnsName(Array(text.utf8), covers: host, suffixes: suffixes)
            case .address(let octets): AppleHostMatch.address(octets, covers: host)
            case .email, .uri: false
            }
        }
    }

    /// A signature by another key that rests on MD2, MD4 or MD5, or in the present epoch on SHA-1.
    ///
    /// A root is trusted for what it is, not for its signature.
    fileprivate func hasWeakSignature(in epoch: AppleEpoch) -> Bool {
        let weak = [NID_md2, NID_md4, NID_md5] + (epoch == .legacy ? [] : [NID_sha1])
        return weak.contains(signatureDigest) && !hasSignedItself
    }
}
