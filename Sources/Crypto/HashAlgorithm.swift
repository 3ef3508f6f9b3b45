internal import COpenSSL

/// A hash function of a TLS cipher suite.
public enum HashAlgorithm: Sendable, Hashable, CaseIterable {
    /// SHA-256.
    case sha256
    /// SHA-384.
    case sha384

    /// How many octets a digest has.
    public var length: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        }
    }

    /// The digest of `bytes`.
    ///
    /// - Parameter bytes: What is hashed.
    /// - Returns: `length` octets.
    public func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Digest.sha256(bytes)
        case .sha384: Digest.sha384(bytes)
        }
    }

    /// OpenSSL's name.
    var name: StaticString {
        switch self {
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        }
    }
}
