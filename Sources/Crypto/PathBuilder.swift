public import Pinning
internal import Wire

/// Platforms' trust evaluations on OpenSSL: Apple's SecTrust (PS-0.3 to PS-0.5), Android's trust manager (PS-5-9), that
/// of a JVM (PS-4-5) and that of OpenSSL's own clients (PS-7-2).
///
/// A path is built from the first sent certificate through the sent ones to an anchor; an anchor is any certificate
/// that is trusted as it stands, a leaf too. OpenSSL finds the path and checks signatures, times and authorities; where
/// its path fails, further ones are tried, except for its own clients, which try no other. What a platform asks
/// besides is in `AppleRules`, `AndroidRules`, `JavaRules` and `OpenSSLRules`.
///
/// **Thread:** usable from any thread.
public final class PathBuilder: TrustEvaluator {
    private let platform: PlatformAnchors
    private let epoch: AppleEpoch
    private let suffixes: (any PublicSuffixes)?
    private let application: TrustStore
    private let user: TrustStore
    private let stores = AnchorCache()
    private let certificates = CertificateCache()

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - platform: What the platform trusts on its own, and by whose decision.
    ///   - epoch: Which generation of rules for TLS servers an Apple device applies.
    ///   - suffixes: The public suffixes, above which an asterisk means nothing to Apple; nil if there is no list.
    public init(platform: PlatformAnchors, epoch: AppleEpoch = .iOS13, suffixes: (any PublicSuffixes)? = nil) {
        self.platform = platform
        self.epoch = epoch
        self.suffixes = suffixes
        application = TrustStore(exactly: platform.application)
        user = TrustStore(exactly: platform.user)
    }

    /// Makes an evaluator for a platform on which nobody added anything.
    ///
    /// - Parameters:
    ///   - platform: What came with the system.
    ///   - epoch: Which generation of rules for TLS servers an Apple device applies.
    public convenience init(platform: TrustStore, epoch: AppleEpoch = .iOS13) {
        self.init(platform: PlatformAnchors(system: platform), epoch: epoch)
    }

    /// Builds a path from the first sent certificate and validates it.
    ///
    /// - Parameters:
    ///   - policy: What to check beside the path itself, and whose rules.
    ///   - anchors: The application's anchors; nil if it set none.
    ///   - anchorsOnly: Whether the platform's own anchors are out.
    ///   - sent: The certificates as the server sent them.
    ///   - time: Seconds since 1970-01-01 UTC at which everything must be valid.
    /// - Returns: Whether the path is valid, and the path, even where it is not.
    public func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult {
        let grounds = grounds(anchors: anchors, anchorsOnly: anchorsOnly)
        switch policy {
        case .basicX509: return evaluate(sent, on: grounds, at: time, appleRules(isForServers: false, host: nil))
        case .ssl(let host): return evaluate(sent, on: grounds, at: time, appleRules(isForServers: true, host: host))
        case .android: return evaluate(sent, on: grounds, at: time, AndroidRules())
        case .jvm: return evaluate(sent, on: grounds, at: time, JavaRules())
        case .openssl(let host): return evaluate(sent, on: grounds, at: time, OpenSSLRules(host: host))
        }
    }

    private func appleRules(isForServers: Bool, host: HostName?) -> AppleRules {
        AppleRules(
            isForServers: isForServers, host: host, epoch: epoch, suffixes: suffixes, system: platform.system,
            user: user)
    }

    /// The sets of anchors to try in turn.
    ///
    /// A path ends in one anchor, so two sets need not be joined.
    private func grounds(anchors: [CertificateFacts]?, anchorsOnly: Bool) -> [TrustStore] {
        guard let anchors else { return ownGrounds }
        return [stores.store(of: anchors)] + (anchorsOnly ? [] : ownGrounds)
    }

    private var ownGrounds: [TrustStore] {
        (platform.application.isEmpty ? [] : [application]) + (platform.user.isEmpty ? [] : [user]) + [platform.system]
    }

    private func evaluate(
        _ sent: [CertificateFacts], on grounds: [TrustStore], at time: Int64, _ rules: some PathRules
    ) -> TrustResult {
        guard let first = sent.first, let leaf = certificates.certificate(first.der) else {
            let error = TrustError(.noCertificate, depth: 0, detail: "there is no certificate")
            return TrustResult(path: [], errors: [error], notChecked: rules.unchecked(on: nil))
        }
        let issuers = sent.dropFirst().compactMap { certificates.certificate($0.der) }
        var best: TrustPath?
        var abandoned: UncheckedRule?
        for store in grounds {
            let path = bestPath(from: leaf, through: issuers, to: store, at: time, rules, &abandoned)
            if best.map({ path.isBetter(than: $0) }) ?? true { best = path }
            if path.errors.isEmpty { break }
        }
        let isValid = best?.errors.isEmpty ?? false
        return TrustResult(
            path: best?.certificates.map(certificates.facts) ?? [], errors: best?.errors ?? [],
            notChecked: rules.unchecked(on: best) + (isValid ? [] : [abandoned].compactMap(\.self)))
    }

    /// The first valid path to one set of anchors, or of several that fail the one to show.
    ///
    /// Where the search for further paths was given up, `abandoned` becomes what it did not look at.
    private func bestPath(
        from leaf: Certificate, through issuers: [Certificate], to store: TrustStore, at time: Int64,
        _ rules: some PathRules, _ abandoned: inout UncheckedRule?
    ) -> TrustPath {
        var best: TrustPath?
        /// Keeps the better path, and says whether it is valid.
        func isValid(_ path: TrustPath) -> Bool {
            var path = path
            rules.apply(to: &path, in: store)
            if best.map({ path.isBetter(than: $0) }) ?? true { best = path }
            return path.errors.isEmpty
        }

        if let alone = rules.pathOfAnchoredLeaf(leaf, in: store, at: time), isValid(alone) { return best ?? alone }
        let usual = TrustPath(from: leaf, through: issuers, to: store, at: time, rules)
        guard !isValid(usual), rules.seeksFurtherPaths, best?.mayDependOnIssuers ?? true else { return best ?? usual }
        var search = PathSearch(from: leaf, through: issuers, to: store, agreement: rules.agreement)
        search.run { path in
            let anchor = TrustStore(exactly: path.suffix(1))
            return isValid(
                TrustPath(from: leaf, through: Array(path.dropFirst().dropLast()), to: anchor, at: time, rules))
        }
        abandoned = search.abandoned ?? abandoned
        if let shown = best, !shown.errors.isEmpty, shown.certificates.count < search.longest.count {
            let nothing = TrustStore(exactly: [])
            _ = isValid(
                TrustPath(from: leaf, through: Array(search.longest.dropFirst()), to: nothing, at: time, rules))
        }
        return best ?? usual
    }
}

extension CertificateFacts {
    /// States the facts of a certificate.
    public init(_ certificate: Certificate) {
        self.init(
            der: certificate.der, publicKey: certificate.hasReadableKey ? certificate.publicKey : nil,
            sha256: certificate.sha256, subject: certificate.subject,
            details: CertificateDetails(certificate), key: certificate.keyKind,
            signatureHash: certificate.signatureHash, subjectSummary: certificate.commonName)
    }
}
