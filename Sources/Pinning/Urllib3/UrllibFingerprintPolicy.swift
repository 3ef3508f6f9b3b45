internal import Wire

/// urllib3's `assert_fingerprint` (PS-10-6), as requests uses it too.
public struct UrllibFingerprintPolicy: PinningPolicy {
    private enum Digest: Int {
        case md5 = 32
        case sha1 = 40
        case sha256 = 64

        func value(of certificate: CertificateFacts) -> [UInt8] {
            switch self {
            case .md5: certificate.details.md5
            case .sha1: certificate.details.sha1
            case .sha256: certificate.sha256
            }
        }
    }

    /// The fingerprint as it is given; empty is as good as none.
    public var fingerprint: String
    /// Whether the chain is verified: `cert_reqs` is not `CERT_NONE`.
    public var verifiesChain: Bool
    /// `ca_certs`, which replaces the platform's anchors; nil if it is not given.
    public var authorities: [CertificateFacts]?

    /// Whether a chain may end in one of `authorities` that has not signed itself: by default only from urllib3 2.4 and
    /// Python 3.13 on.
    public var acceptsPartialChains: Bool

    /// Makes a policy.
    public init(
        fingerprint: String, verifiesChain: Bool = true, authorities: [CertificateFacts]? = nil,
        acceptsPartialChains: Bool = false
    ) {
        self.fingerprint = fingerprint
        self.verifiesChain = verifiesChain
        self.authorities = authorities
        self.acceptsPartialChains = acceptsPartialChains
    }

    /// Text that is no fingerprint, at which the library raises an exception once it is connected.
    public var configurationProblem: PolicyReason? {
        fingerprint.isEmpty || pinned != nil
            ? nil : ConfigurationFault(.invalidFingerprint(fingerprint), rule: .urllibFingerprint).reason
    }

    /// Decides as the connection does: the fingerprint stands in the place of the host's name.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: OpenSSL's verification.
    /// - Returns: The verdict; never `default`.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        var trust: TrustResult?
        if verifiesChain {
            let host = fingerprint.isEmpty ? server.host : nil
            let result = evaluator.evaluate(
                policy: .openssl(host: host), anchors: anchors, anchorsOnly: authorities != nil,
                sent: server.sent + links, time: server.time)
            guard result.valid else {
                let reason = PolicyReason(.chainInvalid(result.errors), rule: .urllibFingerprint)
                return PolicyVerdict(.reject, reason, trust: result)
            }
            trust = result
        }
        guard !fingerprint.isEmpty else {
            let kind: PolicyReason.Kind = verifiesChain ? .chainValid : .anythingAllowed
            return PolicyVerdict(.accept, PolicyReason(kind, rule: .urllibFingerprint), trust: trust)
        }
        guard let pinned else {
            return ConfigurationFault(.invalidFingerprint(fingerprint), rule: .urllibFingerprint).verdict
        }
        guard let leaf = server.sent.first, pinned.digest.value(of: leaf) == pinned.value else {
            return PolicyVerdict(.reject, PolicyReason(.fingerprintDiffers, rule: .urllibFingerprint), trust: trust)
        }
        let match = PinMatch(pin: fingerprint, certificate: leaf, depth: 0)
        let kind: PolicyReason.Kind = verifiesChain ? .pinMatched(match) : .pinMatchedAlone(match)
        return PolicyVerdict(.accept, PolicyReason(kind, rule: .urllibFingerprint), trust: trust)
    }

    /// The authorities in which a chain may end.
    private var anchors: [CertificateFacts]? { authorities?.filter { acceptsPartialChains || $0.isSelfIssued } }

    /// The authorities through which a chain may only lead, as if they had been sent.
    private var links: [CertificateFacts] {
        acceptsPartialChains ? [] : authorities?.filter { !$0.isSelfIssued } ?? []
    }

    /// Colons are removed, and the length tells the digest.
    private var pinned: (digest: Digest, value: [UInt8])? {
        let digits = fingerprint.utf8.filter { $0 != UInt8(ascii: ":") }
        guard let digest = Digest(rawValue: digits.count), let value = Hex.decode(digits) else { return nil }
        return (digest, value)
    }
}

extension CertificateFacts {
    /// Whether its issuer has its own name.
    fileprivate var isSelfIssued: Bool { details.issuerName == details.subjectName }
}

extension RuleID {
    /// urllib3's fingerprint.
    static let urllibFingerprint = RuleID("PS-10-6")
}
