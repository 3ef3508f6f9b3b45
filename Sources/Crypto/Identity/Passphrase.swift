internal import COpenSSL

/// A password in one of the forms that programs make of it.
///
/// PKCS#12's own key derivation wants a string of 16-bit characters (RFC 7292, B.1), which OpenSSL makes from UTF-8;
/// PBES2 takes bytes as they are.
struct Passphrase {
    private let bytes: SecretBytes?

    /// The empty password, as no bytes at all and as an empty string, which PKCS#12 ends with two zero bytes.
    ///
    /// Programs differ in this, and the keys that they derive differ with it.
    static var empty: [Passphrase] { [Passphrase(bytes: nil), Passphrase(bytes: SecretBytes([]))] }

    /// The forms in which a password may have been used, the likeliest first.
    ///
    /// Beyond ASCII there are three: as it was entered; with every byte taken for a character, as OpenSSL did before
    /// 1.1 and as text in Latin-1 is meant; and in Latin-1.
    static func forms(of password: [UInt8]) -> [Passphrase] {
        var forms = [Passphrase(bytes: SecretBytes(password))]
        guard password.contains(where: { $0 >= 0x80 }) else { return forms }
        var widened = password.flatMap { Array(String(UnicodeScalar($0)).utf8) }
        forms.append(Passphrase(bytes: SecretBytes(widened)))
        cleanse(&widened)
        if let scalars = String(validating: password, as: UTF8.self)?.unicodeScalars {
            var narrowed = scalars.compactMap { UInt8(exactly: $0.value) }
            if narrowed.count == scalars.count { forms.append(Passphrase(bytes: SecretBytes(narrowed))) }
            cleanse(&narrowed)
        }
        return forms
    }

    /// Lends the password as OpenSSL takes it; no address means no bytes at all.
    func withPointer<R, E: Error>(_ body: (UnsafePointer<CChar>?, Int32) throws(E) -> R) throws(E) -> R {
        guard let bytes else { return try body(nil, 0) }
        return try bytes.withBytes { (buffer) throws(E) -> R in
            let text = UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
            return try body(text, Int32(clamping: buffer.count))
        }
    }
}
