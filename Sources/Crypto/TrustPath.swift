internal import COpenSSL
internal import Pinning

/// A path as it was built, with everything that is wrong with it.
struct TrustPath {
    /// The certificates, leaf first; each is signed with the key of the next.
    var certificates: [Certificate]
    /// The place of the first anchor; nil if the path ends in none.
    private(set) var anchor: Int?
    /// What is wrong, in the order in which it was found.
    var errors: [TrustError]

    /// A path that nothing is wrong with.
    init(trusting anchor: Certificate) {
        certificates = [anchor]
        self.anchor = 0
        errors = []
    }

    /// The part that is not trusted as it stands.
    var untrusted: ArraySlice<Certificate> { certificates.prefix(anchor ?? certificates.count) }

    /// Among several failures the longest path is shown (PS-0.3-2).
    func isBetter(than other: TrustPath) -> Bool {
        if errors.isEmpty != other.errors.isEmpty { return errors.isEmpty }
        return certificates.count > other.certificates.count
    }

    /// Takes away what is wrong with the anchor, and with names that nobody but the anchor does not permit, for platforms
    /// that take of an anchor only name and key (RFC 5280, 6.1.1 d).
    mutating func takeAnchorAsItStands() {
        guard let anchor else { return }
        let certificates = certificates
        errors.removeAll { error in
            error.depth >= anchor
                || error.kind == .nameConstraint
                    && certificates[error.depth + 1..<anchor].allSatisfy(certificates[error.depth].isPermitted)
        }
    }

    /// Whether other issuers might help: not where the path is anchored and the leaf itself is at fault.
    var mayDependOnIssuers: Bool {
        anchor == nil
            || !errors.contains { error in
                guard error.depth == 0 else { return false }
                return switch error.kind {
                case .expired, .notYetValid, .criticalExtension, .hostMismatch, .weakKey, .weakSignature: true
                default: false
                }
            }
    }
}

extension TrustPath {
    /// Builds and verifies a path.
    ///
    /// - Parameters:
    ///   - leaf: Where it starts.
    ///   - issuers: What it may lead through, in any order; OpenSSL prefers the first that fits.
    ///   - store: Where it may end.
    ///   - time: When every certificate on it must be valid.
    ///   - rules: Whose rules decide how OpenSSL verifies.
    init(
        from leaf: Certificate, through issuers: [Certificate], to store: TrustStore, at time: Int64,
        _ rules: some PathRules
    ) {
        let outcome = PathVerification(
            of: leaf, through: CertificateStack(issuers), to: store, at: time, rules.manner
        ).run()
        certificates = outcome.certificates.isEmpty ? [leaf] : outcome.certificates
        let last = certificates.count - 1
        errors = []
        for var finding in outcome.findings {
            finding.depth = min(finding.depth, last)
            let error = finding.error
            // A path without an anchor is reported twice.
            guard !errors.contains(where: { $0.kind == error.kind && $0.depth == error.depth }),
                !isForgiven(finding, at: time, rules)
            else { continue }
            errors.append(error)
        }
        if outcome.untrusted == 0, outcome.certificates.count > 0 {
            // OpenSSL keeps the issuers that it had collected before it found the leaf itself trusted.
            keep(1)
        }
        dropWhatIsNotLinked(rules.agreement)
        anchor = errors.contains { $0.kind == .noAnchor } ? nil : outcome.untrusted
    }

    /// Whether OpenSSL is stricter than the platform that is emulated.
    private func isForgiven(_ finding: VerificationFinding, at time: Int64, _ rules: some PathRules) -> Bool {
        let certificate = certificates[finding.depth]
        switch finding.code {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            // OpenSSL takes the last second of validity for one too late; RFC 5280, 4.1.2.5, and the others do not.
            return rules.manner != .server && certificate.isValid(at: time)
        case X509_V_ERR_CERT_SIGNATURE_FAILURE:
            let issuer = certificates[min(finding.depth + 1, certificates.count - 1)]
            return rules.agreement == .byIdentifier && issuer.hasSigned(certificate, agreement: .byIdentifier)
        default:
            return false
        }
    }

    /// Keeps the first certificates, and what is wrong with them.
    private mutating func keep(_ count: Int) {
        certificates = Array(certificates.prefix(count))
        errors.removeAll { $0.depth >= count }
    }

    /// Ends the path where a signature is not by the next key (PS-0.3-1, PS-0.4-2): OpenSSL chooses issuers by name.
    private mutating func dropWhatIsNotLinked(_ agreement: AlgorithmAgreement) {
        guard !errors.isEmpty else { return }
        for depth in certificates.indices.dropFirst()
        where !certificates[depth].hasSigned(certificates[depth - 1], agreement: agreement) {
            keep(depth)
            let reason =
                certificates[depth - 1].agreesOnAlgorithm(agreement)
                ? "no certificate with the issuer's name has the key that signed this one"
                : "the two identifiers of its signature's algorithm differ"
            // OpenSSL reports the signature below the broken link as a fault of the certificate.
            errors.removeAll { $0.kind == .noAnchor || $0.kind == .other && $0.depth == depth - 1 }
            errors.insert(TrustError(.noAnchor, depth: depth - 1, detail: reason), at: 0)
            return
        }
    }
}
