internal import COpenSSL

/// The one owner of an `X509_STORE_CTX`.
struct VerificationContext: ~Copyable {
    /// The handle, for the functions that use it; nobody else frees it.
    let raw: OpaquePointer

    /// Makes a context to initialise.
    init() {
        guard let raw = X509_STORE_CTX_new() else { preconditionFailure("no memory for a verification") }
        self.raw = raw
    }

    deinit { X509_STORE_CTX_free(raw) }
}
