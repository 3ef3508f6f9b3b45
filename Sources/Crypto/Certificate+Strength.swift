internal import COpenSSL
internal import Pinning

extension Certificate {
    /// The key's algorithm and length; nil if OpenSSL cannot read it.
    var keyKind: CertificateFacts.KeyKind? {
        withHandle { certificate in
            guard let key = X509_get0_pubkey(certificate) else { return nil }
            let bits = Int(EVP_PKEY_get_bits(key))
            return switch EVP_PKEY_get_base_id(key) {
            case EVP_PKEY_RSA: .rsa(bits: bits)
            case EVP_PKEY_EC: .ellipticCurve(curveName(key), bits: bits)
            default: .other(EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown")
            }
        }
    }

    /// The hash under the signature; nil if there is none, as under Ed25519, or it is another.
    var signatureHash: CertificateFacts.SignatureHash? {
        switch signatureDigest {
        case NID_md2: .md2
        case NID_md4: .md4
        case NID_md5: .md5
        case NID_sha1: .sha1
        case NID_sha224: .sha224
        case NID_sha256: .sha256
        case NID_sha384: .sha384
        case NID_sha512: .sha512
        default: nil
        }
    }
}
