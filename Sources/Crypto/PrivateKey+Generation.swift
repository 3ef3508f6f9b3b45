internal import COpenSSL

/// The kinds of key that Pinproof makes.
public enum KeyKind: Hashable, Sendable {
    /// An elliptic-curve key on P-256: made in microseconds.
    case p256
    /// An Ed25519 key (RFC 8410), which TLS knows and browsers do not.
    case ed25519
    /// An RSA key of so many bits: 2048 of them take a third of a second.
    case rsa(Int)
}

extension PrivateKey {
    /// Makes a new key.
    ///
    /// - Parameter kind: What to make.
    /// - Returns: The key.
    /// - Throws: `OpenSSLError` if OpenSSL does not make such keys (RSA with too few bits).
    public static func generate(_ kind: KeyKind) throws -> PrivateKey {
        ERR_clear_error()
        switch kind {
        case .p256:
            let generator = KeyGenerator(EVP_PKEY_EC)
            return try generator.generate {
                EVP_PKEY_CTX_set_ec_paramgen_curve_nid($0, NID_X9_62_prime256v1)
            }
        case .ed25519:
            // The curve is the algorithm: there is nothing to choose.
            return try KeyGenerator(EVP_PKEY_ED25519).generate { _ in 1 }
        case .rsa(let bits):
            let generator = KeyGenerator(EVP_PKEY_RSA)
            return try generator.generate { EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(clamping: bits)) }
        }
    }
}

/// The one owner of an `EVP_PKEY_CTX`.
private struct KeyGenerator: ~Copyable {
    private let raw: OpaquePointer

    init(_ algorithm: Int32) {
        guard let raw = EVP_PKEY_CTX_new_id(algorithm, nil) else { preconditionFailure("no memory for a generator") }
        self.raw = raw
    }

    deinit { EVP_PKEY_CTX_free(raw) }

    borrowing func generate(_ setParameters: (OpaquePointer) -> Int32) throws -> PrivateKey {
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(raw) == 1, setParameters(raw) == 1, EVP_PKEY_generate(raw, &key) == 1, let key
        else { throw OpenSSLError.drain("EVP_PKEY_generate") }
        return PrivateKey(owning: key)
    }
}
