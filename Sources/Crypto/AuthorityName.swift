internal import COpenSSL

/// A distinguished name (X.501), such as those of the authorities that a server takes client certificates from.
public struct AuthorityName: Hashable, Sendable {
    /// The encoding, byte for byte as it was received.
    public let der: [UInt8]
    /// The name in the style of RFC 2253, harmless to a terminal.
    public let text: String

    /// Copies a name that OpenSSL owns; nil if it does not encode.
    init?(copying raw: OpaquePointer) {
        guard let der = encoded({ i2d_X509_NAME(raw, $0) }) else { return nil }
        self.der = der
        text = distinguishedName(raw)
    }

    /// The subject of a certificate.
    public init?(subjectOf certificate: Certificate) {
        guard let name = certificate.withHandle({ raw in X509_get_subject_name(raw).flatMap(Self.init(copying:)) })
        else {
            return nil
        }
        self = name
    }

    /// The issuer of a certificate.
    init?(issuerOf certificate: Certificate) {
        guard let name = certificate.withHandle({ raw in X509_get_issuer_name(raw).flatMap(Self.init(copying:)) })
        else {
            return nil
        }
        self = name
    }

    /// Whether both are the same name: case, spaces and string types do not matter (RFC 5280 section 7.1).
    public func names(_ other: AuthorityName) -> Bool {
        guard der != other.der else { return true }
        return withHandle { mine in other.withHandle { X509_NAME_cmp(mine, $0) == 0 } ?? false } ?? false
    }

    /// Lends a decoded name; nil if it does not decode.
    func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
        der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard let raw = d2i_X509_NAME(nil, &cursor, buffer.count) else {
                ERR_clear_error()
                return nil
            }
            let name = ScratchName(owning: raw)
            return name.withPointer(body)
        }
    }
}

extension AuthorityName: CustomStringConvertible {
    /// The name's text.
    public var description: String { text }
}
