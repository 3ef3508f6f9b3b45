internal import COpenSSL

/// A SHA-256 digest that is fed piece by piece.
///
/// **Ownership:** owns an `EVP_MD_CTX`. **Thread:** confined to one thread.
public final class RunningDigest {
    private let raw: OpaquePointer

    /// Starts with nothing fed.
    public init() {
        guard let raw = EVP_MD_CTX_new(), EVP_DigestInit_ex(raw, EVP_sha256(), nil) == 1 else {
            preconditionFailure("OpenSSL has no memory or no SHA-256")
        }
        self.raw = raw
    }

    deinit { EVP_MD_CTX_free(raw) }

    /// Feeds a piece.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(raw, bytes.baseAddress, bytes.count)
    }

    /// The digest of everything fed; nothing can be fed after it.
    ///
    /// - Returns: 32 octets.
    public func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        EVP_DigestFinal_ex(raw, &digest, &length)
        return Array(digest.prefix(Int(length)))
    }
}
