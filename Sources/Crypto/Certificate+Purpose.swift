internal import COpenSSL

extension Certificate {
    /// Whether extendedKeyUsage names one of these `XKU_*`.
    func states(_ purposes: CInt) -> Bool {
        let stated = withHandle { X509_get_extended_key_usage($0) }
        return stated != .max && stated & UInt32(bitPattern: purposes) != 0
    }

    /// Whether extendedKeyUsage names one of these `XKU_*`, or is not there, which allows everything.
    func allows(_ purposes: CInt) -> Bool {
        withHandle { X509_get_extended_key_usage($0) } == .max || states(purposes)
    }

    /// Whether it has an RSA key, or one on an elliptic curve, of fewer bits than these.
    func hasKeyBelow(rsa: CInt, curve: CInt) -> Bool {
        withHandle { certificate in
            guard let key = X509_get0_pubkey(certificate) else { return false }
            return switch EVP_PKEY_get_base_id(key) {
            case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: EVP_PKEY_get_bits(key) < rsa
            case EVP_PKEY_EC: EVP_PKEY_get_bits(key) < curve
            default: false
            }
        }
    }

    /// The name of the digest under the signature, for people.
    var signatureDigestName: String {
        OBJ_nid2sn(signatureDigest).map { String(cString: $0) } ?? "an unknown digest"
    }
}
