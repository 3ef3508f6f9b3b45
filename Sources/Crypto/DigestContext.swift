internal import COpenSSL

/// The one owner of an `EVP_MD_CTX`, in which digests are made and signatures over them checked.
struct DigestContext: ~Copyable {
    /// The handle, for the functions that use it; nobody else frees it.
    let raw: OpaquePointer

    /// Makes a context to initialise.
    init() {
        guard let raw = EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest") }
        self.raw = raw
    }

    deinit { EVP_MD_CTX_free(raw) }
}
