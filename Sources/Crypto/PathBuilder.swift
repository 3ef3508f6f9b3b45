public import Pinning
internal import Wire

/// Apple's trust evaluation (SecTrust) on OpenSSL, as far as it needs no knowledge of the system's
/// own store (PS-0.3 to PS-0.5).
///
/// A path is built from the first sent certificate through the sent ones to an anchor; an anchor is any certificate
/// that is trusted as it stands, a leaf too. OpenSSL finds the path and checks signatures, times and authorities;
/// what only Apple asks of a TLS server is added by hand. OpenSSL's security level is off: its rules are not Apple's.
///
/// **Thread:** usable from any thread.
public final class PathBuilder: TrustEvaluator {
    private let platform: TrustStore
    /// Which generation of rules for TLS servers is applied.
    let epoch: AppleEpoch

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - platform: What the platform trusts on its own, the certificates that a user installed included.
    ///   - epoch: Which generation of rules for TLS servers the device applies.
    public init(platform: TrustStore, epoch: AppleEpoch = .iOS13) {
        self.platform = platform
        self.epoch = epoch
    }

    /// Builds a path from the first sent certificate and validates it.
    ///
    /// - Parameters:
    ///   - policy: What to check beside the path itself.
    ///   - anchors: The application's anchors; nil if it set none.
    ///   - anchorsOnly: Whether the platform's own anchors are out.
    ///   - sent: The certificates as the server sent them.
    ///   - time: Seconds since 1970-01-01 UTC at which everything must be valid.
    /// - Returns: Whether the path is valid, and the path, even where it is not.
    public func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult {
        let notChecked = UncheckedRule.left(by: policy)
        guard let first = sent.first, let leaf = try? Certificate(der: first.der) else {
            let error = TrustError(.noCertificate, depth: 0, detail: "there is no certificate")
            return TrustResult(path: [], errors: [error], notChecked: notChecked)
        }
        let issuers = sent.dropFirst().compactMap { try? Certificate(der: $0.der) }
        var best: Path?
        for ground in grounds(anchors: anchors, anchorsOnly: anchorsOnly, leaf: leaf) {
            var path = Path(from: leaf, through: issuers, to: ground.store, at: time)
            switch policy {
            case .basicX509, .android: break
            case .ssl(let host):
                path.errors += serverErrors(on: path.certificates, host: host, anchoredBy: ground.owner)
            case .openssl(let host): path.errors += hostErrors(on: path.certificates, host: host, in: .iOS13)
            }
            if best.map({ path.isBetter(than: $0) }) ?? true { best = path }
            if path.errors.isEmpty { break }
        }
        return TrustResult(
            path: best?.certificates.map(CertificateFacts.init) ?? [], errors: best?.errors ?? [],
            notChecked: notChecked)
    }

    /// Whose anchors they are: some rules depend on it.
    enum AnchorOwner {
        case application
        case platform
    }

    /// The sets of anchors to try in turn.
    ///
    /// A path ends in one anchor, so two sets need not be joined.
    private func grounds(
        anchors: [CertificateFacts]?, anchorsOnly: Bool, leaf: Certificate
    ) -> [(store: TrustStore, owner: AnchorOwner)] {
        guard let anchors else { return [(platform, .platform)] }
        let decoded = anchors.compactMap { try? Certificate(der: $0.der) }
        // A leaf that is an anchor is a path on its own, whatever its issuer is worth (PS-0.3-3).
        let leafAlone = decoded.contains(leaf) ? [TrustStore(exactly: [leaf])] : []
        let stores = leafAlone + [TrustStore(exactly: decoded)]
        return stores.map { ($0, .application) } + (anchorsOnly ? [] : [(platform, .platform)])
    }
}

extension TrustStore {
    /// Trusts certificates that decoded before, which cannot be refused.
    fileprivate convenience init(exactly anchors: [Certificate]) {
        do {
            try self.init(anchors: anchors)
        } catch {
            preconditionFailure("a store takes every certificate: \(error)")
        }
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

extension UncheckedRule {
    /// What an evaluation leaves out.
    fileprivate static func left(by policy: TrustPolicy) -> [UncheckedRule] {
        switch policy {
        case .basicX509: ofPath
        case .ssl: ofPath + ofServers
        case .android: ofPath + ofAndroid
        case .openssl: ofOpenSSL
        }
    }

    /// What is left out of every evaluation.
    private static let ofPath = [
        UncheckedRule(rule: RuleID("PS-0.3-6"), summary: "keys that are known to be compromised"),
        UncheckedRule(rule: RuleID("PS-0.4-3"), summary: "further paths through cross-signed or like-named issuers"),
        UncheckedRule(
            rule: RuleID("PS-0.4-4"), summary: "signatures whose inner and outer algorithm identifiers differ"),
    ]

    /// What only Android's trust manager asks beside the path.
    private static let ofAndroid = [
        UncheckedRule(rule: RuleID("PS-5-9"), summary: "the purpose, keys and signatures that Conscrypt asks for")
    ]

    /// What OpenSSL's own clients ask beside path and host.
    private static let ofOpenSSL = [
        UncheckedRule(rule: RuleID("PS-7-2"), summary: "the purpose and the security level of the client's OpenSSL")
    ]

    /// What is left out where the policy is that of TLS servers.
    private static let ofServers = [
        UncheckedRule(rule: RuleID("PS-0.3-7"), summary: "the lifetime of the leaf"),
        UncheckedRule(
            rule: RuleID("PS-0.3-7"),
            summary: "certificate transparency and mandatory serverAuth below the system's own roots"),
        UncheckedRule(rule: RuleID("PS-0.5-1"), summary: "wildcards directly above a public suffix"),
    ]
}
