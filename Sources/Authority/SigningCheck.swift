internal import Crypto

/// Whether a loaded certificate is fit to sign leaves that clients accept.
struct SigningCheck {
    let certificate: Certificate
    /// Those above it, nearest first.
    let issuers: [Certificate]
    /// Where it was read from, for messages.
    let file: String
    /// The time, in seconds since 1970.
    let now: Int64

    /// Throws if no client can accept what the certificate signs; else returns what some clients object to.
    func warnings() throws -> [String] {
        try requireAuthority()
        try requireValidity()
        return expiryWarnings + extensionWarnings + pathWarnings
    }

    private func requireAuthority() throws {
        guard certificate.isAuthority else {
            throw AuthorityError(
                .notAuthority,
                "the certificate in \(file) (\(certificate.subject)) is not a CA: "
                    + "it lacks basicConstraints CA:TRUE",
                hint: "name a CA's certificate and key, or make them with `pinproof ca init`")
        }
        if let usage = certificate.keyUsage, !usage.contains(.keyCertSign) {
            throw AuthorityError(
                .notAuthority,
                "the CA in \(file) (\(certificate.subject)) may not sign certificates: "
                    + "its keyUsage lacks keyCertSign",
                hint: "name a CA's certificate and key, or make them with `pinproof ca init`")
        }
    }

    private func requireValidity() throws {
        guard now <= certificate.notAfter else {
            throw AuthorityError(
                .expired, "the CA in \(file) (\(certificate.subject)) expired at \(utc(certificate.notAfter))",
                hint: "make a new one with `pinproof ca init` and install it on the devices")
        }
        guard now >= certificate.notBefore else {
            throw AuthorityError(
                .notYetValid,
                "the CA in \(file) (\(certificate.subject)) is not valid before \(utc(certificate.notBefore))",
                hint: "check this machine's clock, which says \(utc(now))")
        }
    }

    private var expiryWarnings: [String] {
        guard certificate.notAfter - now < 3 * Lifetime.day else { return [] }
        return [
            "the CA in \(file) expires at \(utc(certificate.notAfter)), in less than 3 days: "
                + "make a new one with `pinproof ca init` in time"
        ]
    }

    private var extensionWarnings: [String] {
        var warnings: [String] = []
        if certificate.keyUsage == nil {
            warnings.append("the CA in \(file) has no keyUsage: strict clients (Python 3.13 and later) refuse it")
        }
        if certificate.subjectKeyIdentifier == nil {
            warnings.append(
                "the CA in \(file) has no subjectKeyIdentifier: strict clients (Python 3.13 and later) refuse it")
        }
        if !certificate.mayIssueServers {
            warnings.append(
                "the CA in \(file) has an extendedKeyUsage without serverAuth: clients refuse its server certificates")
        }
        return warnings
    }

    /// What is wrong with the certificates above, which are sent but not made by Pinproof.
    private var pathWarnings: [String] {
        issuers.enumerated().flatMap { index, issuer in
            var warnings: [String] = []
            if !issuer.isValid(at: now) {
                warnings.append(
                    "\(issuer.subject) in \(file) is valid from \(utc(issuer.notBefore)) to \(utc(issuer.notAfter)) "
                        + "only: clients refuse the chain")
            }
            // Below it are the signing CA and the issuers between (RFC 5280, 4.2.1.9); self-issued ones do not count.
            let below = ([certificate] + issuers[..<index]).count { !$0.isSelfIssued }
            if let limit = issuer.pathLength, limit < below {
                warnings.append(
                    "\(issuer.subject) in \(file) allows \(limit) CAs below it and there are \(below): "
                        + "clients refuse the chain")
            }
            return warnings
        }
    }
}
