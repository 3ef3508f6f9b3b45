internal import Wire

/// TrustKit for iOS and macOS, from 1.0 to 3.0 (PS-3.1 to PS-3.3).
public struct TrustKitPolicy: PinningPolicy {
    /// How an app came to have TrustKit in it; what is configured does not say.
    public struct Setting: Hashable, Sendable {
        /// Whether it runs on macOS.
        public var isMacOS: Bool
        /// Whether it was built for debugging.
        public var isDebugBuild: Bool
        /// Whether the instance is the shared one.
        public var isSharedInstance: Bool
        /// Whether the app's own delegates ask the validator.
        public var callsValidator: Bool

        /// Describes an app; the defaults are those of an iOS app from a store that asks the shared instance.
        public init(
            isMacOS: Bool = false, isDebugBuild: Bool = false, isSharedInstance: Bool = true,
            callsValidator: Bool = true
        ) {
            self.isMacOS = isMacOS
            self.isDebugBuild = isDebugBuild
            self.isSharedInstance = isSharedInstance
            self.callsValidator = callsValidator
        }
    }

    /// The release.
    public let version: LibraryVersion
    /// The configuration.
    public var configuration: TrustKitConfiguration
    /// How the app uses the library.
    public var setting: Setting
    let suffixes: any PublicSuffixes

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - version: The release.
    ///   - configuration: The configuration.
    ///   - suffixes: The public suffixes that the library knows.
    ///   - setting: How the app uses the library.
    public init(
        version: LibraryVersion = LibraryVersion(3, 0, 7), configuration: TrustKitConfiguration,
        suffixes: any PublicSuffixes, setting: Setting = Setting()
    ) {
        self.version = version
        self.configuration = configuration
        self.suffixes = suffixes
        self.setting = setting
    }

    /// Decides as the pinning validator does (PS-3.3).
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict; `default` for hosts that are not pinned.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        if let problem = configurationProblem { return PolicyVerdict(.configError, problem) }
        guard configuration.swizzlesDelegates || setting.callsValidator else {
            return PolicyVerdict(.default, PolicyReason(.policyNeverAsked, rule: .trustKitSwizzling))
        }
        guard let (name, domain) = entry(for: server.spelledHost) else {
            return unpinned(.hostNotPinned(server.spelledHost))
        }
        if domain.isExcluded { return unpinned(.excluded(domain: name)) }
        if let expiry = domain.expiry, expiry.start(secondsAheadOfUTC: 0) < server.time {
            return unpinned(.expired(domain: name, expiry))
        }
        var trust = TrustObject(server, using: evaluator)
        if hasAdditionalAnchors, setting.isDebugBuild, !domain.additionalAnchors.isEmpty {
            trust.setAnchors(domain.additionalAnchors)
            trust.anchorsOnly = false
        }
        let result = trust.evaluate()
        guard result.valid else {
            return PolicyVerdict(
                .reject, PolicyReason(.chainInvalid(result.errors), rule: .trustKitValidity), trust: result)
        }
        return compare(name, domain, server, result)
    }

    /// Walks the path from the root down, to the first key that is pinned or that cannot be hashed (PS-3.3-3).
    private func compare(
        _ name: String, _ domain: TrustKitDomain, _ server: ServerTrust, _ trust: TrustResult
    ) -> PolicyVerdict {
        let pins = Set(domain.publicKeyHashes)
        for (depth, certificate) in trust.path.enumerated().reversed() {
            switch digest(of: certificate, domain) {
            case .unsupported:
                let finding = TrustKitFinding.unsupportedKey(certificate, depth: depth)
                return PolicyVerdict(.reject, PolicyReason(.trustKit(finding), rule: .trustKitPins), trust: trust)
            case .digest(let digest) where pins.contains(digest):
                let match = PinMatch(pin: digest, certificate: certificate, depth: depth)
                return PolicyVerdict(.accept, PolicyReason(.pinMatched(match), rule: .trustKitPins), trust: trust)
            case .digest, .skipped:
                continue
            }
        }
        if setting.isMacOS, configuration.ignoresPinsForUserAnchors,
            let anchor = trust.path.first(where: server.userAnchors.contains)
        {
            let reason = PolicyReason(.trustKit(.userAnchor(anchor)), rule: .trustKitUserAnchors)
            return PolicyVerdict(.accept, reason, trust: trust)
        }
        guard domain.enforcesPinning else {
            let reason = PolicyReason(.trustKit(.notEnforced(domain: name)), rule: .trustKitMismatch)
            return PolicyVerdict(.accept, reason, trust: trust)
        }
        return PolicyVerdict(.reject, PolicyReason(.noPinMatched, rule: .trustKitMismatch), trust: trust)
    }

    private enum KeyDigest {
        case digest(String)
        case skipped
        case unsupported
    }

    /// What the library makes of a key: up to 1.5 it tries what is configured, later what it finds.
    private func digest(of certificate: CertificateFacts, _ domain: TrustKitDomain) -> KeyDigest {
        let algorithm: TrustKitDomain.Algorithm? =
            switch certificate.key {
            case .rsa(bits: 2048)?: .rsa2048
            case .rsa(bits: 4096)?: .rsa4096
            case .ellipticCurve("P-256", _)?: .secp256r1
            case .ellipticCurve("P-384", _)?: .secp384r1
            case .rsa?, .ellipticCurve?, .other?, nil: nil
            }
        let digest = KeyDigest.digest(Base64.encode(certificate.details.spkiSHA256))
        if wantsAlgorithms {
            guard let algorithm, (domain.publicKeyAlgorithms ?? []).contains(algorithm) else { return .skipped }
            return digest
        }
        let isLateKind = certificate.key == .rsa(bits: 3072) && version >= LibraryVersion(3, 0, 5)
        return algorithm == nil && !isLateKind ? .unsupported : digest
    }

    private func unpinned(_ finding: TrustKitFinding) -> PolicyVerdict {
        PolicyVerdict(.default, PolicyReason(.trustKit(finding), rule: .trustKitUnpinned))
    }
}

extension TrustKitPolicy {
    /// Releases up to 1.5 hash only keys of the configured algorithms.
    var wantsAlgorithms: Bool { version < LibraryVersion(1, 6) }
    /// 1.5 alone has them.
    private var hasAdditionalAnchors: Bool { (LibraryVersion(1, 5)..<LibraryVersion(1, 6)).contains(version) }
}

extension RuleID {
    /// No pins for the host.
    static let trustKitUnpinned = RuleID("PS-3.3-1")
    /// The path must be valid.
    static let trustKitValidity = RuleID("PS-3.3-2")
    /// Comparing.
    static let trustKitPins = RuleID("PS-3.3-3")
    /// Users' anchors on macOS.
    static let trustKitUserAnchors = RuleID("PS-3.3-4")
    /// No pin matched.
    static let trustKitMismatch = RuleID("PS-3.3-5")
}
