internal import COpenSSL

extension Certificate {
    /// The subject alternative names with their kind in front: "DNS:example.com", "IP:192.0.2.1".
    public var subjectAltNames: [String] { alternativeNames.map(\.description) }

    /// The subject alternative names of the kinds that matter for TLS.
    package var alternativeNames: [AlternativeName] {
        withHandle { raw in
            guard let names = X509_get_ext_d2i(raw, NID_subject_alt_name, nil, nil) else { return [] }
            return GeneralNames(owning: OpaquePointer(names)).names()
        }
    }

    /// Says whether it has the extension with alternative names, whatever is in it.
    package var hasAlternativeNames: Bool { withHandle { X509_get_ext_by_NID($0, NID_subject_alt_name, -1) >= 0 } }

    /// The subject's last common name, which is the most specific; nil without one, or if it is no text.
    package var commonName: String? {
        withHandle { raw in
            let name = X509_get_subject_name(raw)
            var (index, last) = (X509_NAME_get_index_by_NID(name, NID_commonName, -1), Int32(-1))
            while index >= 0 {
                last = index
                index = X509_NAME_get_index_by_NID(name, NID_commonName, index)
            }
            guard last >= 0, let entry = X509_NAME_get_entry(name, last), let value = X509_NAME_ENTRY_get_data(entry)
            else { return nil }
            let text = ScratchBIO()
            guard text.withHandle({ ASN1_STRING_print_ex($0, value, UInt(ASN1_STRFLGS_UTF8_CONVERT)) }) >= 0 else {
                return nil
            }
            return String(validating: text.contents(), as: UTF8.self)
        }
    }

    /// Says whether basicConstraints makes it a CA; a certificate whose extensions do not parse is none.
    public var isAuthority: Bool { extensionFlags & EXFLAG_CA != 0 && extensionFlags & EXFLAG_INVALID == 0 }

    /// Says whether subject and issuer are the same name.
    public var isSelfIssued: Bool { extensionFlags & EXFLAG_SI != 0 }

    /// Says whether it names its own key as its issuer's, as a root does; the signature is not looked at.
    package var isSelfSigned: Bool { extensionFlags & EXFLAG_SS != 0 }

    /// How many more CAs may follow below this one, if it says so (RFC 5280, 4.2.1.9).
    public var pathLength: Int? {
        let length = withHandle { X509_get_pathlen($0) }
        return length < 0 ? nil : length
    }

    /// What the key may be used for; nil if the extension is missing, which allows everything.
    public var keyUsage: KeyUsage? {
        let bits = withHandle { X509_get_key_usage($0) }
        return bits == .max ? nil : KeyUsage(rawValue: bits)
    }

    /// Says whether a CA's extendedKeyUsage, which binds what it issues too, leaves room for TLS servers.
    package var mayIssueServers: Bool { extendedKeyUsage & UInt32(XKU_SSL_SERVER | XKU_ANYEKU) != 0 }

    /// Says whether a CA's extendedKeyUsage leaves room for TLS clients.
    package var mayIssueClients: Bool { extendedKeyUsage & UInt32(XKU_SSL_CLIENT | XKU_ANYEKU) != 0 }

    /// The purposes of extendedKeyUsage as OpenSSL numbers them; without the extension all bits are set.
    private var extendedKeyUsage: UInt32 { withHandle { X509_get_extended_key_usage($0) } }

    /// The subject key identifier, if there is one.
    public var subjectKeyIdentifier: [UInt8]? {
        withHandle { raw in
            guard let identifier = X509_get0_subject_key_id(raw)?.pointee else { return nil }
            return Array(UnsafeBufferPointer(start: identifier.data, count: Int(identifier.length)))
        }
    }

    /// Says whether `issuer` may have issued this certificate and its key verifies the signature.
    ///
    /// Looks at names, key identifiers and key usage, then at the signature; validity times are not looked at.
    public func isIssued(by issuer: Certificate) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return withHandle { subject in
            issuer.withHandle { issuer in
                guard X509_check_issued(issuer, subject) == X509_V_OK, let key = X509_get0_pubkey(issuer) else {
                    return false
                }
                return X509_verify(subject, key) == 1
            }
        }
    }

    private var extensionFlags: Int32 { withHandle { Int32(bitPattern: X509_get_extension_flags($0)) } }
}

/// The bits of the keyUsage extension (RFC 5280, 4.2.1.3) as OpenSSL numbers them.
public struct KeyUsage: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes a set of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Signatures other than those on certificates and revocation lists.
    public static let digitalSignature = KeyUsage(rawValue: 0x80)
    /// Transport of keys: RSA key exchange.
    public static let keyEncipherment = KeyUsage(rawValue: 0x20)
    /// Signatures on certificates.
    public static let keyCertSign = KeyUsage(rawValue: 0x04)
    /// Signatures on revocation lists.
    public static let cRLSign = KeyUsage(rawValue: 0x02)
}
