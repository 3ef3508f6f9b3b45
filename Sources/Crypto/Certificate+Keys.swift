internal import COpenSSL

extension Certificate {
    /// The SubjectPublicKeyInfo as it stands in the certificate: what SPKI pins are made of.
    public var spki: [UInt8] {
        withHandle { raw in encoded { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(raw), $0) } } ?? []
    }

    /// The SHA-256 of `spki`: the pin.
    public var spkiSHA256: [UInt8] { Digest.sha256(spki) }

    /// The public key encoded anew, so that keys that are equal are equal here however a certificate writes them.
    ///
    /// A key of an algorithm that OpenSSL does not know is returned as it stands.
    public var publicKey: [UInt8] {
        withHandle { raw in X509_get0_pubkey(raw).flatMap { key in encoded { i2d_PUBKEY(key, $0) } } } ?? spki
    }

    /// The public key's kind and size, such as "EC P-256" or "RSA 2048".
    public var keyDescription: String { withHandle { Crypto.keyDescription(X509_get0_pubkey($0)) } }
}

/// The kind and size of a key, public or private.
func keyDescription(_ key: OpaquePointer?) -> String {
    guard let key else { return "unknown" }
    let name = EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
    switch EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS, EVP_PKEY_DSA: return "\(name) \(EVP_PKEY_get_bits(key))"
    case EVP_PKEY_EC: return "EC \(curveName(key))"
    default: return name
    }
}

/// A curve by its NIST name if it has one.
func curveName(_ key: OpaquePointer) -> String {
    var name = [CChar](repeating: 0, count: 64)
    var length = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return "explicit parameters" }
    guard let standard = EC_curve_nid2nist(OBJ_sn2nid(name)) else {
        return String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    return String(cString: standard)
}
