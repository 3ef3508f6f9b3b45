internal import COpenSSL

/// The ciphers of TLS that authenticate as well, as far as opening goes (RFC 5116, RFC 6655, RFC 8439).
public enum RecordCipher: Sendable, Hashable, CaseIterable {
    /// AEAD_AES_128_GCM.
    case aes128GCM
    /// AEAD_AES_256_GCM.
    case aes256GCM
    /// AEAD_CHACHA20_POLY1305.
    case chaCha20Poly1305
    /// AEAD_AES_128_CCM.
    case aes128CCM
    /// AEAD_AES_128_CCM_8.
    case aes128CCM8

    /// How many octets a key has.
    public var keyLength: Int {
        switch self {
        case .aes128GCM, .aes128CCM, .aes128CCM8: 16
        case .aes256GCM, .chaCha20Poly1305: 32
        }
    }

    /// How many octets a nonce has, in all of them.
    public static let nonceLength = 12

    /// How many octets the tag at the end has.
    public var tagLength: Int { self == .aes128CCM8 ? 8 : 16 }

    private var isCCM: Bool { self == .aes128CCM || self == .aes128CCM8 }

    private var algorithm: OpaquePointer? {
        switch self {
        case .aes128GCM: EVP_aes_128_gcm()
        case .aes256GCM: EVP_aes_256_gcm()
        case .chaCha20Poly1305: EVP_chacha20_poly1305()
        case .aes128CCM, .aes128CCM8: EVP_aes_128_ccm()
        }
    }

    /// Decrypts and authenticates.
    ///
    /// - Parameters:
    ///   - sealed: The ciphertext with its tag.
    ///   - key: The key, of `keyLength` octets.
    ///   - nonce: The nonce, of `nonceLength` octets.
    ///   - additional: What is authenticated besides.
    /// - Returns: The plaintext; nil if any of it was made with something else.
    public func open(
        _ sealed: some Collection<UInt8>, key: [UInt8], nonce: [UInt8], additional: [UInt8]
    ) -> [UInt8]? {
        guard key.count == keyLength, nonce.count == Self.nonceLength, sealed.count >= tagLength,
            sealed.count <= Int(CInt.max)
        else { return nil }
        ERR_clear_error()
        defer { ERR_clear_error() }
        let text = [UInt8](sealed.dropLast(tagLength))
        var tag = [UInt8](sealed.suffix(tagLength))
        let context = CipherContext()
        guard EVP_DecryptInit_ex(context.raw, algorithm, nil, nil, nil) == 1,
            EVP_CIPHER_CTX_ctrl(context.raw, EVP_CTRL_AEAD_SET_IVLEN, CInt(Self.nonceLength), nil) == 1,
            EVP_CIPHER_CTX_ctrl(context.raw, EVP_CTRL_AEAD_SET_TAG, CInt(tagLength), &tag) == 1,
            EVP_DecryptInit_ex(context.raw, nil, nil, key, nonce) == 1
        else { return nil }
        var length: CInt = 0
        // CCM authenticates the length first (RFC 3610 section 2.2), and all of the text in one step.
        if isCCM, EVP_DecryptUpdate(context.raw, nil, &length, nil, CInt(text.count)) != 1 { return nil }
        guard EVP_DecryptUpdate(context.raw, nil, &length, additional, CInt(additional.count)) == 1 else { return nil }
        // One octet more: OpenSSL asks for an address even where there is no text.
        var plain = [UInt8](repeating: 0, count: text.count + 1)
        guard EVP_DecryptUpdate(context.raw, &plain, &length, text, CInt(text.count)) == 1 else { return nil }
        var rest: CInt = 0
        var scratch = [UInt8](repeating: 0, count: 16)
        if !isCCM, EVP_DecryptFinal_ex(context.raw, &scratch, &rest) != 1 { return nil }
        return Array(plain.prefix(text.count))
    }
}

/// The one owner of an `EVP_CIPHER_CTX`.
private struct CipherContext: ~Copyable {
    let raw: OpaquePointer

    init() {
        guard let raw = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        self.raw = raw
    }

    deinit { EVP_CIPHER_CTX_free(raw) }
}
