internal import COpenSSL

/// Message digests.
public enum Digest {
    /// The SHA-256 of `bytes`.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha256()) }

    /// The SHA-256 of the bytes in a buffer.
    public static func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { digest(bytes, EVP_sha256()) }

    /// The SHA-384 of `bytes`.
    public static func sha384(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha384()) }

    /// The SHA-1 of `bytes`: for identifiers that are defined by it, never for trust.
    public static func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha1()) }

    /// The MD5 of `bytes`: for fingerprints that are defined by it (JA3), never for trust.
    public static func md5(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_md5()) }

    private static func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8] {
        bytes.withUnsafeBytes { digest($0, algorithm) }
    }

    private static func digest(_ bytes: UnsafeRawBufferPointer, _ algorithm: OpaquePointer?) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var length: UInt32 = 0
            guard EVP_Digest(bytes.baseAddress, bytes.count, buffer.baseAddress, &length, algorithm, nil) == 1 else {
                preconditionFailure("EVP_Digest fails only without memory or without the algorithm's provider")
            }
            count = Int(length)
        }
    }
}
