internal import COpenSSL
internal import COpenSSLShims

/// Writes PKCS#12 files (RFC 7292) that current programs read: AES-256 under PBKDF2, and a MAC of SHA-256.
///
/// The empty password is two octets of zero under the MAC, as it is for Java, OpenSSL and what builds on it.
public enum PKCS12Writer {
    /// What Java derives its keys with; OpenSSL's own default is a fifth of it.
    private static let iterations: Int32 = 10_000
    private static let cipher = NID_aes_256_cbc

    /// Writes a key with its certificate and those above it.
    ///
    /// - Parameters:
    ///   - identity: The key and the chain, leaf first.
    ///   - friendlyName: What programs list the entry as; Java calls it the alias.
    ///   - password: The password in UTF-8, without an octet of zero; may be empty.
    /// - Returns: The file.
    /// - Throws: `OpenSSLError` if OpenSSL cannot write it.
    public static func identity(
        _ identity: TLSIdentity, friendlyName: String, password: [UInt8]
    ) throws -> [UInt8] {
        ERR_clear_error()
        let above = CertificateStack(Array(identity.chain.dropFirst()))
        return try withPassword(password) { password in
            let made = identity.key.withHandle { key in
                identity.chain[0].withHandle { leaf in
                    above.withPointer {
                        // No MAC yet: which digest is usual depends on OpenSSL's release.
                        PKCS12_create(password, friendlyName, key, leaf, $0, cipher, cipher, iterations, -1, 0)
                    }
                }
            }
            guard let made else { throw OpenSSLError.drain("PKCS12_create") }
            return try finish(PKCS12Handle(owning: made), password)
        }
    }

    /// Writes certificates as a trust store that Java reads.
    ///
    /// Java trusts only those certificates of a PKCS#12 file that carry an attribute of Oracle's, which says what each is
    /// trusted for; here for anything.
    ///
    /// - Parameters:
    ///   - certificates: The certificates and what they are listed as, in small letters.
    ///   - password: The password in UTF-8, without an octet of zero.
    /// - Returns: The file.
    /// - Throws: `OpenSSLError` if OpenSSL cannot write it.
    public static func javaTrustStore(
        _ certificates: [(alias: String, Certificate)], password: [UInt8]
    ) throws -> [UInt8] {
        ERR_clear_error()
        return try withPassword(password) { password in
            var bags = SafeBags()
            for (alias, certificate) in certificates { try bags.append(certificate, alias: alias) }
            return try finish(bags.sealed(cipher: cipher, iterations: iterations, password), password)
        }
    }

    /// Lends the password as C has it, and overwrites the copy.
    private static func withPassword<R>(_ password: [UInt8], _ body: (UnsafePointer<CChar>) throws -> R) throws -> R {
        precondition(!password.contains(0), "a password for PKCS#12 has no octet of zero")
        var text = password.map(CChar.init(bitPattern:)) + [0]
        defer { text.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
        return try text.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("it ends in a zero") }
            return try body(start)
        }
    }

    /// Adds the MAC and encodes the file.
    private static func finish(_ file: consuming PKCS12Handle, _ password: UnsafePointer<CChar>) throws -> [UInt8] {
        try file.withPointer { raw in
            try require(PKCS12_set_mac(raw, password, -1, nil, 0, iterations, EVP_sha256()), "PKCS12_set_mac")
            guard let bytes = encoded({ i2d_PKCS12(raw, $0) }) else { throw OpenSSLError.drain("i2d_PKCS12") }
            return bytes
        }
    }
}

/// The one owner of certificates on their way into a file.
private struct SafeBags: ~Copyable {
    /// Oracle's attribute for a certificate that is trusted.
    private static let trustedKeyUsage = "2.16.840.1.113894.746875.1.1"

    private var raw: OpaquePointer?

    deinit { copenssl_sk_PKCS12_SAFEBAG_pop_free(raw) }

    mutating func append(_ certificate: Certificate, alias: String) throws {
        guard let bag = certificate.withHandle({ PKCS12_add_cert(&raw, $0) }) else {
            throw OpenSSLError.drain("PKCS12_add_cert")
        }
        try require(PKCS12_add_friendlyname_utf8(bag, alias, -1), "PKCS12_add_friendlyname_utf8")
        // Without a length, -1, OpenSSL takes the "bytes" for the value itself, here the object 2.5.29.37.0, and copies it.
        guard let anyUsage = OBJ_nid2obj(NID_anyExtendedKeyUsage) else {
            preconditionFailure("an object that OpenSSL has built in")
        }
        let value = UnsafeRawPointer(anyUsage).assumingMemoryBound(to: UInt8.self)
        try require(
            PKCS12_add1_attr_by_txt(bag, Self.trustedKeyUsage, V_ASN1_OBJECT, value, -1), "PKCS12_add1_attr_by_txt")
    }

    /// Encrypts the certificates into a file without a MAC.
    borrowing func sealed(
        cipher: Int32, iterations: Int32, _ password: UnsafePointer<CChar>
    ) throws -> PKCS12Handle {
        var safes: OpaquePointer?
        try require(PKCS12_add_safe(&safes, raw, cipher, iterations, password), "PKCS12_add_safe")
        defer { copenssl_sk_PKCS7_pop_free(safes) }
        guard let file = PKCS12_add_safes(safes, 0) else { throw OpenSSLError.drain("PKCS12_add_safes") }
        return PKCS12Handle(owning: file)
    }
}
