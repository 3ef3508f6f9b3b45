internal import COpenSSL

// Sendable: an OSSL_LIB_CTX is locked by OpenSSL itself, and nothing is loaded into it after it was made.
/// An OpenSSL library context of its own, in which RC2, single DES and RC4 exist.
///
/// Identity files still use them. Loading the legacy provider into the process's default context would bring them back
/// for everything else, too, so what is decrypted here goes back into the default context as a plain key.
///
/// **Ownership:** made at the first use and kept. **Thread:** usable from any thread.
final class DecryptionLibrary: @unchecked Sendable {
    /// The one that all files are decrypted in.
    static let shared = DecryptionLibrary()

    /// The context, for `OSSL_LIB_CTX` parameters.
    let context: OpaquePointer

    private init() {
        guard let context = OSSL_LIB_CTX_new() else { preconditionFailure("no memory for a library context") }
        // Where the legacy provider is not installed, its algorithms are named as unsupported when they are met.
        for name in ["default", "legacy"] { OSSL_PROVIDER_load(context, name) }
        ERR_clear_error()
        self.context = context
    }
}
