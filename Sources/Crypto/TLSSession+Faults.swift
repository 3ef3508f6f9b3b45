internal import COpenSSL

// A verification that goes on after a fault, so that it finds all of them.
extension TLSSession {
    /// Judges the chain in `store` as `trustAndName` does, and asks about everything that is wrong with it at once.
    func verify(
        _ store: OpaquePointer, asking judge: ([VerificationFault], [Certificate]) -> VerificationFault?
    ) -> CInt {
        faults = []
        X509_STORE_CTX_set_verify_cb(store, noteFault)
        guard verifyWithIssuers(store) == 1 else {
            // No fault ends it: OpenSSL itself could not go on.
            rejectedDepth = Int(X509_STORE_CTX_get_error_depth(store))
            return 0
        }
        if suspends() { return 1 }
        let chain = certificates(X509_STORE_CTX_get0_untrusted(store))
        noteBrokenSelfSignature(of: chain)
        guard !faults.isEmpty, let refused = judge(faults, chain) else {
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return 1
        }
        rejectedDepth = refused.depth
        X509_STORE_CTX_set_error(store, refused.verifyError)
        return 0
    }

    /// Notes a fault; the same one at the same place only once.
    fileprivate func note(_ fault: VerificationFault) {
        if !faults.contains(fault) { faults.append(fault) }
    }

    /// OpenSSL calls a leaf self-signed by its names, and does not look at the signature of what it does not trust anyway.
    private func noteBrokenSelfSignature(of chain: [Certificate]) {
        guard faults.contains(where: { $0.kind == .selfSigned }), let leaf = chain.first, !leaf.hasSigned(leaf)
        else { return }
        note(VerificationFault(verifyError: X509_V_ERR_CERT_SIGNATURE_FAILURE, depth: 0))
    }
}

/// OpenSSL's report of one step of a verification; 1 lets it go on.
private func noteFault(_ succeeded: CInt, _ store: OpaquePointer?) -> CInt {
    guard succeeded == 0, let store,
        let data = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let session = TLSSession.of(OpaquePointer(data))
    else { return 1 }
    session.noteMissingIssuer(store)
    session.note(
        VerificationFault(
            verifyError: X509_STORE_CTX_get_error(store), depth: Int(X509_STORE_CTX_get_error_depth(store))))
    return 1
}
