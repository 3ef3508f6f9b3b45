internal import COpenSSL
internal import COpenSSLShims

extension TrustStore {
    /// Verifies the chain of a client: that it leads to an anchor, is in its time and may be used by a client.
    ///
    /// - Parameters:
    ///   - chain: What the client gave, leaf first.
    ///   - now: The time in seconds since 1970.
    /// - Returns: OpenSSL's `X509_V_ERR_*` number; zero if all is well.
    public func verifyClient(_ chain: [Certificate], at now: Int64) -> Int32 {
        guard let leaf = chain.first else { return X509_V_ERR_UNSPECIFIED }
        let issuers = CertificateStack(Array(chain.dropFirst()))
        let context = VerificationContext()
        return issuers.withPointer { untrusted in
            withHandle { store in
                leaf.withHandle { context.verify($0, untrusted: untrusted, store: store, at: now) }
            }
        }
    }
}

extension VerificationContext {
    fileprivate borrowing func verify(
        _ leaf: OpaquePointer, untrusted: OpaquePointer, store: OpaquePointer, at now: Int64
    ) -> Int32 {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard X509_STORE_CTX_init(raw, store, leaf, untrusted) == 1, X509_STORE_CTX_set_default(raw, "ssl_client") == 1
        else { return X509_V_ERR_UNSPECIFIED }
        X509_STORE_CTX_set_time(raw, 0, time_t(now))
        guard X509_verify_cert(raw) != 1 else { return X509_V_OK }
        let error = X509_STORE_CTX_get_error(raw)
        return error == X509_V_OK ? X509_V_ERR_UNSPECIFIED : error
    }
}
