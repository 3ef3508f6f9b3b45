internal import COpenSSL

// Sendable: an EVP_PKEY is not written to after it was made, and its reference count and caches are guarded by OpenSSL.
/// A private key.
///
/// **Ownership:** holds one reference to an `EVP_PKEY`. **Thread:** immutable, so usable from any thread.
public final class PrivateKey: @unchecked Sendable {
    private let raw: OpaquePointer

    /// Takes over one reference to `raw`.
    package init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { EVP_PKEY_free(raw) }

    /// Lends the handle; it is valid only inside `body`.
    package func withHandle<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }

    /// The public half, encoded as `Certificate.publicKey` is.
    public var publicKey: [UInt8] { encoded { i2d_PUBKEY(raw, $0) } ?? [] }

    /// Says whether this is the key that `certificate` certifies.
    public func belongs(to certificate: Certificate) -> Bool {
        ERR_clear_error()
        // A mismatch leaves entries in the error queue.
        defer { ERR_clear_error() }
        return certificate.withHandle { X509_check_private_key($0, raw) } == 1
    }
}

extension PrivateKey: CustomStringConvertible {
    /// The kind and size, such as "EC P-256"; nothing secret.
    public var description: String { keyDescription(raw) }
}

/// A certificate chain, leaf first, and the key of its leaf: what an endpoint proves itself with.
public struct TLSIdentity: Sendable {
    /// The chain, leaf first; never empty.
    public let chain: [Certificate]
    /// The leaf's key.
    public let key: PrivateKey
    /// Whether it is presented although TLS refuses it as too weak at its default security level.
    public let isWeak: Bool

    /// Joins a chain and its key.
    public init(chain: [Certificate], key: PrivateKey, isWeak: Bool = false) {
        precondition(!chain.isEmpty, "an identity has a leaf")
        self.chain = chain
        self.key = key
        self.isWeak = isWeak
    }
}
