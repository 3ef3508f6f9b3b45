internal import COpenSSL

// Sendable: OpenSSL locks an X509_STORE itself, and nothing here writes to it after it was made.
/// The certificates that a verification may end in.
///
/// An anchor need not be a root: whatever certificate is listed is trusted as it stands, an intermediate or a leaf
/// too.
///
/// **Ownership:** holds one reference to an `X509_STORE`. **Thread:** usable from any thread.
public final class TrustStore: @unchecked Sendable {
    private let raw: OpaquePointer

    /// Trusts exactly `anchors`.
    ///
    /// - Parameter anchors: The trusted certificates; none at all means that nothing is trusted.
    /// - Throws: `OpenSSLError` if one cannot be added.
    public init(anchors: [Certificate]) throws {
        raw = TrustStore.makeStore()
        ERR_clear_error()
        for anchor in anchors {
            guard anchor.withHandle({ X509_STORE_add_cert(raw, $0) }) == 1 else {
                throw OpenSSLError.drain("X509_STORE_add_cert")
            }
        }
    }

    deinit { X509_STORE_free(raw) }

    /// Trusts what the system trusts, where OpenSSL looks for it: `SSL_CERT_FILE` and `SSL_CERT_DIR`, or the defaults
    /// that it was built with.
    ///
    /// It parses the system's whole bundle, which takes some 50 ms: load it once and share it.
    ///
    /// - Parameter additions: Certificates that are trusted besides.
    /// - Returns: A new store.
    /// - Throws: `OpenSSLError` if the bundle is there but cannot be read, or one of the additions cannot be added.
    public static func system(adding additions: [Certificate] = []) throws -> TrustStore {
        let store = try TrustStore(anchors: additions)
        ERR_clear_error()
        guard X509_STORE_set_default_paths(store.raw) == 1 else {
            throw OpenSSLError.drain("X509_STORE_set_default_paths")
        }
        return store
    }

    /// Lends the handle; it is valid only inside `body`.
    package func withHandle<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }

    private static func makeStore() -> OpaquePointer {
        guard let store = X509_STORE_new() else { preconditionFailure("out of memory") }
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        return store
    }
}
