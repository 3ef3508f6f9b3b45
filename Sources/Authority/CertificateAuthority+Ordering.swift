internal import Crypto
internal import Wire

extension CertificateAuthority {
    /// Signs what a test set-up asks for, with a key of its own.
    ///
    /// It begins 48 hours ago, for clocks that are behind, and ends with the CA at the latest.
    ///
    /// - Parameters:
    ///   - order: A server's or a client's certificate.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The certificate with its key and request, and one line for each thing that may get in the user's way.
    /// - Throws: `AuthorityError` if a value is out of its range, the CA is not valid now, or may not issue for a name.
    public func issue(
        _ order: CertificateOrder, now: Int64
    ) throws -> (certificate: IssuedCertificate, warnings: [String]) {
        try requireValid(at: now)
        let wanted = try order.validity(at: now)
        let validity = max(wanted.lowerBound, certificate.notBefore)...min(wanted.upperBound, certificate.notAfter)
        let template = try order.template(validity: validity)
        try requirePermitted(template)
        let identity = try order.minting { key in try issue(template, key: key) }
        let issued = try IssuedCertificate(identity, root: root)
        return (issued, order.warnings(of: self, cut: validity.upperBound < wanted.upperBound))
    }

    /// Makes a root of its own.
    ///
    /// - Parameters:
    ///   - order: A root.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The root with its key and request.
    /// - Throws: `AuthorityError` if a value is out of its range.
    public static func issueRoot(_ order: CertificateOrder, now: Int64) throws -> IssuedCertificate {
        let template = try order.template(validity: order.validity(at: now))
        let identity = try order.minting { key in try template.identity(key: key) }
        return try IssuedCertificate(identity, root: identity.chain[0])
    }

    /// Throws if the name constraints of a CA of the chain leave no room for one of the names.
    func requirePermitted(_ template: CertificateTemplate) throws {
        guard !constraining.isEmpty else { return }
        // Name by name, to tell which it is; each as a certificate, because OpenSSL judges those.
        var trials = template.alternativeNames.map { name in
            var trial = template
            (trial.subject, trial.alternativeNames) = ([], [name])
            return (name: name.text, template: trial)
        }
        trials.append((name: "the subject", template: template))
        let key = try PrivateKey.generate(.p256)
        for trial in trials {
            let candidate = try trial.template.signed(for: key)
            guard let forbidding = constraining.first(where: { !candidate.isPermitted(by: $0) }) else { continue }
            let permitted = forbidding.nameConstraints?.permittedText ?? ""
            throw AuthorityError(
                .notPermitted,
                "the CA \(forbidding.subject) may not issue for \(trial.name): its name constraints permit "
                    + (permitted.isEmpty ? "no such names" : permitted),
                hint: "ask for a name within them, or use another CA")
        }
    }
}

extension CertificateOrder {
    /// The window of validity, were it not for the CA's own.
    fileprivate func validity(at now: Int64) throws -> ClosedRange<Int64> {
        let usual = subject == .root ? Self.usualRootDays : Self.usualDays
        let days = days ?? usual
        guard Self.days.contains(days) else {
            throw AuthorityError(
                .badRequest, "a certificate cannot live for \(days) days", hint: "choose 1 to 3650; \(usual) is usual")
        }
        // The last second counts too (RFC 5280, 4.1.2.5).
        return now - Lifetime.backdating...now + Int64(days) * Lifetime.day - 1
    }

    /// Makes the key and what it is for.
    fileprivate func minting(_ make: (PrivateKey) throws -> TLSIdentity) throws -> TLSIdentity {
        if case .rsa(let bits) = key, !Self.rsaBits.contains(bits) {
            throw AuthorityError(
                .badRequest, "an RSA key of \(bits) bits does not suit", hint: "choose 2048 to 8192, or P-256")
        }
        do {
            return try make(PrivateKey.generate(key))
        } catch let error as OpenSSLError {
            throw AuthorityError(
                .minting, "cannot make the certificate (\(key)): \(error)",
                hint: "ask for a P-256 key, and check that OpenSSL's configuration allows SHA-256")
        }
    }

    /// What some peers object to.
    fileprivate func warnings(of authority: CertificateAuthority, cut: Bool) -> [String] {
        var warnings: [String] = []
        if cut, days != nil {
            warnings.append("the certificate ends with its CA, at \(utc(authority.certificate.notAfter))")
        }
        if case .server = subject, let days, days > Self.usualDays {
            warnings.append(
                "browsers and Apple's systems refuse a server's certificate that lives for more than "
                    + "\(Self.usualDays) days from now")
        }
        if case .client = subject, !authority.certificate.mayIssueClients {
            warnings.append(
                "the CA has an extendedKeyUsage without clientAuth: servers refuse its client certificates")
        }
        return warnings
    }
}
