internal import COpenSSL
internal import Wire

extension CertificateTemplate {
    /// Adds what the template asks for to a certificate that has its key and names.
    func addExtensions(to certificate: OpaquePointer, issuer: Certificate?) throws {
        if let basicConstraints {
            let length = basicConstraints.pathLength.map { ",pathlen:\($0)" } ?? ""
            let value = "critical,CA:\(basicConstraints.isAuthority ? "TRUE" : "FALSE")" + length
            try add("basicConstraints", value, to: certificate)
        }
        if let keyUsage { try add("keyUsage", "critical," + keyUsage.names.joined(separator: ","), to: certificate) }
        if !purposes.isEmpty {
            try add("extendedKeyUsage", purposes.map(\.rawValue).joined(separator: ","), to: certificate)
        }
        try addAlternativeNames(to: certificate)
        if let nameConstraints {
            try add(
                .init(identifier: NameConstraints.identifier, isCritical: true, value: nameConstraints.der),
                to: certificate)
        }
        if hasSubjectKeyIdentifier { try add("subjectKeyIdentifier", "hash", to: certificate) }
        if hasAuthorityKeyIdentifier { try addAuthorityKeyIdentifier(to: certificate, issuer: issuer) }
        for other in otherExtensions { try add(other, to: certificate) }
    }

    private func add(_ other: RawExtension, to certificate: OpaquePointer) throws {
        let value = Hex.encode(other.value)
        try add(other.identifier, (other.isCritical ? "critical," : "") + "DER:" + value, to: certificate)
    }

    private func add(_ name: String, _ value: String, to certificate: OpaquePointer) throws {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, nil, certificate, nil, nil, 0)
        guard let made = X509V3_EXT_conf(nil, &context, name, value) else {
            throw OpenSSLError.drain("X509V3_EXT_conf")
        }
        // X509_add_ext copies.
        let owned = CertificateExtension(owning: made)
        try require(owned.withPointer { X509_add_ext(certificate, $0, -1) }, "X509_add_ext")
    }

    private func addAlternativeNames(to certificate: OpaquePointer) throws {
        guard !alternativeNames.isEmpty else { return }
        let names = GeneralNames()
        for name in alternativeNames { try names.append(name) }
        // The only name there is must be understood (RFC 5280, 4.2.1.6).
        let critical: Int32 = subject.isEmpty ? 1 : 0
        let added = names.withPointer {
            X509_add1_ext_i2d(certificate, NID_subject_alt_name, UnsafeMutableRawPointer($0), critical, 0)
        }
        try require(added, "X509_add1_ext_i2d")
    }

    /// Names the issuer's key as the issuer itself does, or by the usual digest if it does not name it.
    private func addAuthorityKeyIdentifier(to certificate: OpaquePointer, issuer: Certificate?) throws {
        let octets = issuer?.subjectKeyIdentifier ?? keyDigest(of: issuer, orOf: certificate)
        let identifier = AuthorityKeyIdentifier()
        try identifier.withPointer { raw in
            raw.pointee.keyid = ASN1_OCTET_STRING_new()
            try require(
                ASN1_OCTET_STRING_set(raw.pointee.keyid, octets, Int32(clamping: octets.count)), "ASN1_OCTET_STRING_set"
            )
            try require(X509_add1_ext_i2d(certificate, NID_authority_key_identifier, raw, 0, 0), "X509_add1_ext_i2d")
        }
    }

    /// The SHA-1 of the key's bits (RFC 5280, 4.2.1.2, method 1).
    private func keyDigest(of issuer: Certificate?, orOf certificate: OpaquePointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var length: UInt32 = 0
            let start = buffer.baseAddress
            _ =
                issuer?.withHandle { X509_pubkey_digest($0, EVP_sha1(), start, &length) }
                ?? X509_pubkey_digest(certificate, EVP_sha1(), start, &length)
            count = Int(length)
        }
    }
}

extension KeyUsage {
    /// The names of the bits, as OpenSSL's configuration writes them.
    fileprivate var names: [String] {
        let known: [(KeyUsage, String)] = [
            (.digitalSignature, "digitalSignature"), (.keyEncipherment, "keyEncipherment"),
            (.keyCertSign, "keyCertSign"), (.cRLSign, "cRLSign"),
        ]
        return known.filter { contains($0.0) }.map(\.1)
    }
}

/// The one owner of an `X509_EXTENSION`.
private struct CertificateExtension: ~Copyable {
    private let raw: OpaquePointer

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { X509_EXTENSION_free(raw) }

    borrowing func withPointer<R>(_ body: (OpaquePointer) -> R) -> R { body(raw) }
}

/// The one owner of an `AUTHORITY_KEYID`.
private struct AuthorityKeyIdentifier: ~Copyable {
    private let raw: UnsafeMutablePointer<AUTHORITY_KEYID>

    init() {
        guard let raw = AUTHORITY_KEYID_new() else { preconditionFailure("no memory for an identifier") }
        self.raw = raw
    }

    deinit { AUTHORITY_KEYID_free(raw) }

    borrowing func withPointer<R>(_ body: (UnsafeMutablePointer<AUTHORITY_KEYID>) throws -> R) rethrows -> R {
        try body(raw)
    }
}
