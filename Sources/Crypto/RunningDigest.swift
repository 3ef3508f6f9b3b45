internal import COpenSSL

/// A SHA-256 digest that is fed piece by piece.
///
/// **Thread:** confined to one thread.
public final class RunningDigest {
    private let context = DigestContext()

    /// Starts with nothing fed.
    public init() {
        precondition(EVP_DigestInit_ex(context.raw, EVP_sha256(), nil) == 1, "OpenSSL has no SHA-256")
    }

    /// Feeds a piece.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context.raw, bytes.baseAddress, bytes.count)
    }

    /// The digest of everything fed; nothing can be fed after it.
    ///
    /// - Returns: 32 octets.
    public func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        EVP_DigestFinal_ex(context.raw, &digest, &length)
        return Array(digest.prefix(Int(length)))
    }
}
