/// What App Transport Security has against a connection.
public enum TransportSecurityFinding: Hashable, Sendable {
    /// There is no TLS.
    case notSecure
    /// The TLS version is older than the host's least.
    case versionTooOld(UInt16, least: UInt16)
    /// The cipher suite has no forward secrecy, or is none of those that are allowed.
    case noForwardSecrecy(cipherSuite: UInt16)
    /// The leaf's key is too short; nil if it could not be read.
    case weakKey(CertificateFacts.KeyKind?)
    /// The leaf's signature rests on a hash that is weaker than SHA-256; nil if it is not known.
    case weakSignature(CertificateFacts.SignatureHash?)
}

extension TransportSecurityFinding: CustomStringConvertible {
    /// The finding in one line.
    public var description: String {
        switch self {
        case .notSecure: "App Transport Security allows no connection to the host without TLS"
        case .versionTooOld(let version, let least):
            "\(Self.name(version)) is older than \(Self.name(least)), which App Transport Security wants at least"
        case .noForwardSecrecy(let suite):
            "cipher suite 0x\(String(suite, radix: 16)) is none with forward secrecy that App Transport Security allows"
        case .weakKey(let key):
            "the leaf's key, \(key?.description ?? "which cannot be read"), is too short for App Transport Security"
        case .weakSignature(let hash):
            "the leaf's signature by \(hash?.rawValue ?? "an unknown hash") is too weak for App Transport Security"
        }
    }

    private static func name(_ version: UInt16) -> String {
        switch version {
        case 0x0300: "SSL 3.0"
        case 0x0301...0x0304: "TLS 1.\(version - 0x0301)"
        default: "TLS version 0x\(String(version, radix: 16))"
        }
    }
}
