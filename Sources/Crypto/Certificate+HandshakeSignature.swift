internal import COpenSSL

/// What a signature of a handshake turned out to be.
public enum HandshakeSignature: Sendable, Equatable {
    /// The certificate's key made it over just these octets.
    case valid
    /// It did not.
    case invalid
    /// The scheme is not known here, or OpenSSL cannot read the key.
    case unsupported
}

extension Certificate {
    /// Checks a signature that the holder of the certificate's key made in a handshake.
    ///
    /// - Parameters:
    ///   - signature: The signature.
    ///   - scheme: How it was made, as on the wire (RFC 8446 section 4.2.3; in TLS 1.2 the same numbers are a hash and an
    ///     algorithm, RFC 5246 section 7.4.1.4.1).
    ///   - content: What was signed.
    /// - Returns: Whether it is valid.
    public func check(_ signature: [UInt8], scheme: UInt16, over content: [UInt8]) -> HandshakeSignature {
        guard let scheme = SignatureScheme(scheme) else { return .unsupported }
        ERR_clear_error()
        defer { ERR_clear_error() }
        return withHandle { raw in
            guard let key = X509_get0_pubkey(raw) else { return .unsupported }
            guard scheme.keys.contains(EVP_PKEY_get_base_id(key)) else { return .invalid }
            let context = DigestContext()
            var options: OpaquePointer?
            guard EVP_DigestVerifyInit(context.raw, &options, scheme.digest, nil, key) == 1 else { return .unsupported }
            if scheme.isPSS {
                // The salt is as long as the digest (RFC 8446 section 4.2.3).
                guard EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1,
                    EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
                else { return .unsupported }
            }
            let result = EVP_DigestVerify(context.raw, signature, signature.count, content, content.count)
            return result == 1 ? .valid : .invalid
        }
    }
}

/// How a signature is made.
private struct SignatureScheme {
    /// The kinds of key that make such signatures, as `EVP_PKEY_*`.
    let keys: Set<CInt>
    /// The digest; nil where the algorithm has its own.
    let digest: OpaquePointer?
    let isPSS: Bool

    /// Knows the schemes of RFC 8446 section 4.2.3, those of RFC 8734, and those of TLS 1.2 with SHA-224.
    init?(_ scheme: UInt16) {
        switch scheme {
        case 0x0201: self.init([EVP_PKEY_RSA], EVP_sha1())
        case 0x0301: self.init([EVP_PKEY_RSA], EVP_sha224())
        case 0x0401: self.init([EVP_PKEY_RSA], EVP_sha256())
        case 0x0501: self.init([EVP_PKEY_RSA], EVP_sha384())
        case 0x0601: self.init([EVP_PKEY_RSA], EVP_sha512())
        case 0x0203: self.init([EVP_PKEY_EC], EVP_sha1())
        case 0x0303: self.init([EVP_PKEY_EC], EVP_sha224())
        case 0x0403, 0x081A: self.init([EVP_PKEY_EC], EVP_sha256())
        case 0x0503, 0x081B: self.init([EVP_PKEY_EC], EVP_sha384())
        case 0x0603, 0x081C: self.init([EVP_PKEY_EC], EVP_sha512())
        case 0x0804: self.init([EVP_PKEY_RSA], EVP_sha256(), isPSS: true)
        case 0x0805: self.init([EVP_PKEY_RSA], EVP_sha384(), isPSS: true)
        case 0x0806: self.init([EVP_PKEY_RSA], EVP_sha512(), isPSS: true)
        case 0x0809: self.init([EVP_PKEY_RSA_PSS], EVP_sha256(), isPSS: true)
        case 0x080A: self.init([EVP_PKEY_RSA_PSS], EVP_sha384(), isPSS: true)
        case 0x080B: self.init([EVP_PKEY_RSA_PSS], EVP_sha512(), isPSS: true)
        case 0x0807: self.init([EVP_PKEY_ED25519], nil)
        case 0x0808: self.init([EVP_PKEY_ED448], nil)
        default: return nil
        }
    }

    private init(_ keys: Set<CInt>, _ digest: OpaquePointer?, isPSS: Bool = false) {
        self.keys = keys
        self.digest = digest
        self.isPSS = isPSS
    }
}
