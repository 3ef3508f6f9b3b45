internal import COpenSSL

extension CertificateTemplate {
    /// Makes a key and a certificate for it.
    ///
    /// - Parameters:
    ///   - key: The subject's key; nil for a new P-256 key.
    ///   - issuer: Who signs; nil for a self-signed certificate.
    /// - Returns: The identity; its chain ends below the self-signed root, which a peer has to know anyway.
    /// - Throws: `OpenSSLError` if OpenSSL cannot encode what the template says.
    package func identity(key: PrivateKey? = nil, issuer: TLSIdentity? = nil) throws -> TLSIdentity {
        let key = try key ?? PrivateKey.generate(.p256)
        let certificate = try signed(for: key, by: issuer)
        let above = issuer?.chain.filter { !$0.isSelfSigned } ?? []
        return TLSIdentity(chain: [certificate] + above, key: key)
    }

    /// Makes the certificate.
    ///
    /// - Parameters:
    ///   - key: The key whose public half is certified.
    ///   - issuer: Who signs: the first certificate of its chain is the issuer; nil for a self-signed certificate.
    /// - Returns: The certificate.
    /// - Throws: `OpenSSLError` if OpenSSL cannot encode what the template says.
    package func signed(for key: PrivateKey, by issuer: TLSIdentity? = nil) throws -> Certificate {
        ERR_clear_error()
        let unfinished = CertificateHandle()
        try unfinished.withPointer { certificate in
            try require(X509_set_version(certificate, Int(X509_VERSION_3)), "X509_set_version")
            try setSerial(certificate)
            try require(ASN1_TIME_set(X509_getm_notBefore(certificate), Int(notBefore)) != nil, "ASN1_TIME_set")
            try require(ASN1_TIME_set(X509_getm_notAfter(certificate), Int(notAfter)) != nil, "ASN1_TIME_set")
            try subject.append(to: X509_get_subject_name(certificate))
            let named = issuer?.chain[0].withHandle {
                X509_set_issuer_name(certificate, X509_get_subject_name($0))
            }
            try require(
                named ?? X509_set_issuer_name(certificate, X509_get_subject_name(certificate)), "X509_set_issuer_name")
            try require(key.withHandle { X509_set_pubkey(certificate, $0) }, "X509_set_pubkey")
            try addExtensions(to: certificate, issuer: issuer?.chain[0])
            let signed = (issuer?.key ?? key).withHandle { X509_sign(certificate, $0, digest.algorithm(for: $0)) }
            try require(signed > 0, "X509_sign")
        }
        return Certificate(unfinished)
    }

    private func setSerial(_ certificate: OpaquePointer) throws {
        // Leading zeros would make the encoding longer than DER allows.
        let magnitude = try serial.map { Array($0.drop { $0 == 0 }) } ?? Self.randomSerial()
        try require(
            ASN1_STRING_set(X509_get_serialNumber(certificate), magnitude, Int32(clamping: magnitude.count)),
            "ASN1_STRING_set")
    }

    /// Sixteen random octets, positive and without a leading zero: 126 random bits (RFC 5280, 4.1.2.2).
    private static func randomSerial() throws -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 16)
        try require(RAND_bytes(&octets, 16), "RAND_bytes")
        octets[0] = octets[0] & 0x7F | 0x40
        return octets
    }
}

extension CertificateTemplate.SignatureDigest {
    /// OpenSSL's algorithm; none for EdDSA, which has its digest built in (RFC 8410).
    func algorithm(for key: OpaquePointer) -> OpaquePointer? {
        if [EVP_PKEY_ED25519, EVP_PKEY_ED448].contains(EVP_PKEY_get_base_id(key)) { return nil }
        return switch self {
        case .sha256: EVP_sha256()
        case .sha1: EVP_sha1()
        }
    }
}

/// Throws what is in the error queue unless `result` is 1.
func require(_ result: Int32, _ function: String) throws { try require(result == 1, function) }

/// Throws what is in the error queue unless `succeeded`.
func require(_ succeeded: Bool, _ function: String) throws {
    guard succeeded else { throw OpenSSLError.drain(function) }
}
