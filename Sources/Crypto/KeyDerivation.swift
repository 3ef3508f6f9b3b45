internal import COpenSSL

/// The functions with which TLS makes keys and checks from secrets.
///
/// Nil means that OpenSSL refuses the input, as it does more octets than HKDF has.
public enum KeyDerivation {
    /// HMAC (RFC 2104).
    ///
    /// - Parameters:
    ///   - hash: The hash function.
    ///   - key: The key.
    ///   - content: What is authenticated.
    /// - Returns: As many octets as a digest has.
    public static func hmac(_ hash: HashAlgorithm, key: [UInt8], _ content: [UInt8]) -> [UInt8]? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length = 0
        let result = hash.name.withUTF8Buffer { name in
            name.withMemoryRebound(to: CChar.self) {
                EVP_Q_mac(
                    nil, "HMAC", nil, $0.baseAddress, nil, key, key.count, content, content.count, &code, code.count,
                    &length)
            }
        }
        return result == nil ? nil : Array(code.prefix(length))
    }

    /// HKDF-Expand (RFC 5869 section 2.3).
    ///
    /// - Parameters:
    ///   - hash: The hash function.
    ///   - secret: The pseudorandom key.
    ///   - info: What the octets are for.
    ///   - length: How many octets are wanted.
    /// - Returns: The octets.
    public static func expand(_ hash: HashAlgorithm, secret: [UInt8], info: [UInt8], length: Int) -> [UInt8]? {
        var parameters = ParameterList()
        parameters.add("digest", text: hash.name)
        parameters.add("mode", number: CInt(EVP_KDF_HKDF_MODE_EXPAND_ONLY))
        parameters.add("key", octets: secret)
        parameters.add("info", octets: info)
        return DerivationContext("HKDF")?.derive(length, parameters)
    }

    /// HKDF-Expand-Label (RFC 8446 section 7.1).
    ///
    /// - Parameters:
    ///   - hash: The hash function of the cipher suite.
    ///   - secret: The secret.
    ///   - label: The label without "tls13 ".
    ///   - length: How many octets are wanted.
    /// - Returns: The octets, for an empty context.
    public static func expandLabel(_ hash: HashAlgorithm, secret: [UInt8], _ label: String, length: Int) -> [UInt8]? {
        let name = [UInt8]("tls13 \(label)".utf8)
        let size = [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
        let info = size + [UInt8(truncatingIfNeeded: name.count)] + name + [0]
        return expand(hash, secret: secret, info: info, length: length)
    }

    /// The pseudorandom function of TLS 1.2 (RFC 5246 section 5).
    ///
    /// - Parameters:
    ///   - hash: The hash function of the cipher suite.
    ///   - secret: The secret.
    ///   - label: What the octets are for.
    ///   - seed: What they depend on besides.
    ///   - length: How many octets are wanted.
    /// - Returns: The octets.
    public static func pseudorandom(
        _ hash: HashAlgorithm, secret: [UInt8], label: String, seed: [UInt8], length: Int
    ) -> [UInt8]? {
        var parameters = ParameterList()
        parameters.add("digest", text: hash.name)
        parameters.add("secret", octets: secret)
        parameters.add("seed", octets: Array(label.utf8) + seed)
        return DerivationContext("TLS1-PRF")?.derive(length, parameters)
    }
}

/// The one owner of an `EVP_KDF_CTX`.
private struct DerivationContext: ~Copyable {
    private let raw: OpaquePointer

    /// Makes a context for the function of this name; nil if no provider has it.
    init?(_ name: String) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let function = EVP_KDF_fetch(nil, name, nil) else { return nil }
        // The context keeps a reference of its own.
        let owner = OwnedHandle(function, EVP_KDF_free)
        guard let raw = owner.withPointer({ EVP_KDF_CTX_new($0) }) else { return nil }
        self.raw = raw
    }

    deinit { EVP_KDF_CTX_free(raw) }

    borrowing func derive(_ length: Int, _ parameters: borrowing ParameterList) -> [UInt8]? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        var octets = [UInt8](repeating: 0, count: length)
        let result = parameters.withPointer { EVP_KDF_derive(raw, &octets, length, $0) }
        return result == 1 ? octets : nil
    }
}
