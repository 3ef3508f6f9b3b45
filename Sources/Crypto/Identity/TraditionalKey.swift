internal import COpenSSL
internal import Wire

/// Keys that are encrypted in the older way of PEM: `Proc-Type: 4,ENCRYPTED` and `DEK-Info` (RFC 1421).
///
/// OpenSSL's own reader takes ciphers from the default context, in which single DES and RC2 are missing.
enum TraditionalKey {
    /// Reads the key of such a block.
    static func read(_ block: PEMText.Block, _ unlocking: inout Unlocking) throws(IdentityError) {
        let words = (block.fields["DEK-Info"] ?? "").split(separator: ",", maxSplits: 1)
        guard words.count == 2, let initialVector = bytes(words[1]) else {
            throw .damaged("malformed PEM at line \(block.line): the encryption is not named")
        }
        let name = printable(words[0])
        ERR_clear_error()
        let fetched = EVP_CIPHER_fetch(DecryptionLibrary.shared.context, name, nil)
        ERR_clear_error()
        guard let fetched else { return unlocking.passOver(.unsupportedAlgorithm(name)) }
        let owner = OwnedHandle(fetched, EVP_CIPHER_free)
        let opened = try owner.withPointer { (cipher) throws(IdentityError) -> OpaquePointer? in
            // The first eight bytes of the vector are the salt, too.
            guard initialVector.count == EVP_CIPHER_get_iv_length(cipher), initialVector.count >= 8 else {
                throw .damaged("malformed PEM at line \(block.line): the initial vector has a wrong length")
            }
            return try unlocking.open(EncryptionScheme(traditional: name)) { passphrase in
                // Padding alone tells a wrong password 255 times out of 256, so see whether a key came out.
                decrypt(block.contents, cipher, initialVector, passphrase).flatMap(KeyEncoding.decode)
            }
        }
        if let opened { try unlocking.add(PrivateKey(owning: opened), name: nil) }
    }

    private static func decrypt(
        _ contents: SecretBytes, _ cipher: OpaquePointer, _ initialVector: [UInt8], _ passphrase: Passphrase
    ) -> SecretBytes? {
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        let owner = OwnedHandle(context, EVP_CIPHER_CTX_free)
        return owner.withPointer { context in
            guard let key = derive(cipher, initialVector, passphrase) else { return nil }
            return SecretBytes(capacity: contents.count + Int(EVP_MAX_BLOCK_LENGTH)) { plain in
                var (first, last): (Int32, Int32) = (0, 0)
                let isDecrypted = contents.withBytes { buffer in
                    key.withBytes { EVP_DecryptInit_ex2(context, cipher, $0.baseAddress, initialVector, nil) } == 1
                        && EVP_DecryptUpdate(
                            context, plain.baseAddress, &first, buffer.baseAddress, Int32(clamping: buffer.count)) == 1
                        && EVP_DecryptFinal_ex(context, plain.baseAddress.map { $0 + Int(first) }, &last) == 1
                }
                return isDecrypted ? Int(first + last) : nil
            }
        }
    }

    private static func derive(
        _ cipher: OpaquePointer, _ salt: [UInt8], _ passphrase: Passphrase
    ) -> SecretBytes? {
        SecretBytes(capacity: Int(EVP_MAX_KEY_LENGTH)) { key in
            passphrase.withPointer { text, count in
                guard let text = UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self) else { return nil }
                let length = EVP_BytesToKey(cipher, EVP_md5(), salt, text, count, 1, key.baseAddress, nil)
                return length > 0 ? Int(length) : nil
            }
        }
    }

    /// The bytes of hexadecimal text.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
