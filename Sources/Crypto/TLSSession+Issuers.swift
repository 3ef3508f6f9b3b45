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
        let result = suppliedIssuers.isEmpty ? X509_verify_cert(store) : verifyWithIssuers(store)
        rejectedDepth = Int(X509_STORE_CTX_get_error_depth(store))
        guard result != 1, Self.missingIssuer.contains(X509_STORE_CTX_get_error(store)),
            let end = X509_STORE_CTX_get_current_cert(store)
        else { return result }
        let orphan = Certificate(sharing: end)
        self.orphan = orphan
        guard onMissingIssuer?(orphan) == true, copenssl_SSL_set_retry_verify(ssl) == 1 else { return result }
        // Whatever looking for it left in the error queue would count as a failure of the handshake.
        ERR_clear_error()
        return 1
    }

    private func verifyWithIssuers(_ store: OpaquePointer) -> CInt {
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
