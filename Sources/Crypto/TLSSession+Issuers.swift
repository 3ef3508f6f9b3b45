internal import COpenSSL
internal import COpenSSLShims

// Chains from which the peer left certificates out: the handshake may wait for them.
extension TLSSession {
    /// Adds certificates that may be missing in the peer's chain; the next `handshake()` verifies with them.
    ///
    /// They are not trusted, no more than what the peer sent.
    ///
    /// - Parameter issuers: The certificates.
    public func supply(_ issuers: [Certificate]) { suppliedIssuers += issuers }

    /// Verifies by trust and name.
    ///
    /// If an issuer is missing and somebody may find it, the handshake is suspended: OpenSSL asks again in the next step.
    func verifyTrust(_ store: OpaquePointer) -> CInt {
        let result = verifyWithIssuers(store)
        rejectedDepth = Int(X509_STORE_CTX_get_error_depth(store))
        guard result != 1 else { return result }
        noteMissingIssuer(store)
        return suspends() ? 1 : result
    }

    /// Notes whose issuer is missing, if that is what the verification complains about.
    func noteMissingIssuer(_ store: OpaquePointer) {
        guard Self.missingIssuer.contains(X509_STORE_CTX_get_error(store)),
            let end = X509_STORE_CTX_get_current_cert(store)
        else { return }
        orphan = Certificate(sharing: end)
    }

    /// Suspends the handshake if somebody looks for the issuer that is missing.
    func suspends() -> Bool {
        guard let orphan, onMissingIssuer?(orphan) == true, copenssl_SSL_set_retry_verify(ssl) == 1 else {
            return false
        }
        // Whatever looking for it left in the error queue would count as a failure of the handshake.
        ERR_clear_error()
        return true
    }

    /// Verifies with what was sent and what was supplied.
    func verifyWithIssuers(_ store: OpaquePointer) -> CInt {
        orphan = nil
        guard !suppliedIssuers.isEmpty else { return X509_verify_cert(store) }
        let sent = X509_STORE_CTX_get0_untrusted(store)
        let issuers = CertificateStack(certificates(sent) + suppliedIssuers)
        return issuers.withPointer { issuers in
            X509_STORE_CTX_set0_untrusted(store, issuers)
            defer { X509_STORE_CTX_set0_untrusted(store, sent) }
            return X509_verify_cert(store)
        }
    }

    /// What OpenSSL says of a chain whose end nobody known has issued.
    private static let missingIssuer: Set<CInt> = [
        X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
        X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
    ]
}
