internal import COpenSSL

/// Private keys in DER, encrypted and not.
enum KeyEncoding {
    /// Reads an unencrypted key: PKCS#8, or the older forms for RSA and EC.
    static func plain(_ der: SecretBytes, _ unlocking: inout Unlocking, name: String? = nil) throws(IdentityError) {
        if let information = information(der) { return try add(information, &unlocking, name: name) }
        guard let key = decode(der) else { return unlocking.passOver(.damaged("a private key cannot be read")) }
        try unlocking.add(PrivateKey(owning: key), name: name)
    }

    /// Decodes an unencrypted key of any form into an `EVP_PKEY` that the caller owns.
    static func decode(_ der: SecretBytes) -> OpaquePointer? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return der.withBytes { buffer in
            var cursor = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &cursor, buffer.count)
        }
    }

    /// Reads an encrypted PKCS#8 key (RFC 5958).
    static func encrypted(_ der: SecretBytes, _ unlocking: inout Unlocking) throws(IdentityError) {
        ERR_clear_error()
        let signature = der.withBytes { buffer in
            var cursor = buffer.baseAddress
            return d2i_X509_SIG(nil, &cursor, buffer.count)
        }
        ERR_clear_error()
        guard let signature else { return unlocking.passOver(.damaged("an encrypted key cannot be read")) }
        let owner = OwnedHandle(signature, X509_SIG_free)
        try owner.withPointer { (raw) throws(IdentityError) in try encrypted(raw, &unlocking, name: nil) }
    }

    /// Reads an encrypted PKCS#8 key, an `X509_SIG` which stays the caller's.
    static func encrypted(
        _ key: OpaquePointer, _ unlocking: inout Unlocking, name: String?
    ) throws(IdentityError) {
        var algorithm: UnsafePointer<X509_ALGOR>?
        X509_SIG_get0(key, &algorithm, nil)
        guard let algorithm else { return unlocking.passOver(.damaged("an encrypted key cannot be read")) }
        let opened = try unlocking.open(EncryptionScheme(algorithm)) { passphrase in
            passphrase.withPointer { PKCS8_decrypt_ex(key, $0, $1, DecryptionLibrary.shared.context, nil) }
        }
        guard let opened else { return }
        try add(OwnedHandle(opened, PKCS8_PRIV_KEY_INFO_free), &unlocking, name: name)
    }

    /// Reads an unencrypted PKCS#8 key, a `PKCS8_PRIV_KEY_INFO` which stays the caller's, into the default library
    /// context, so that TLS can use it wherever it was decrypted.
    static func add(
        _ information: OpaquePointer, _ unlocking: inout Unlocking, name: String?
    ) throws(IdentityError) {
        ERR_clear_error()
        let key = EVP_PKCS82PKEY(information)
        let failure = OpenSSLError.drain("EVP_PKCS82PKEY")
        guard let key else { return unlocking.passOver(problem(information, failure)) }
        try unlocking.add(PrivateKey(owning: key), name: name)
    }

    private static func add(
        _ information: borrowing OwnedHandle, _ unlocking: inout Unlocking, name: String?
    ) throws(IdentityError) {
        try information.withPointer { (raw) throws(IdentityError) in try add(raw, &unlocking, name: name) }
    }

    private static func information(_ der: SecretBytes) -> OwnedHandle? {
        defer { ERR_clear_error() }
        let information = der.withBytes { buffer in
            var cursor = buffer.baseAddress
            return d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, buffer.count)
        }
        return information.map { OwnedHandle($0, PKCS8_PRIV_KEY_INFO_free) }
    }

    /// Why a key that was decrypted or not encrypted is no key for OpenSSL.
    private static func problem(_ information: OpaquePointer, _ failure: OpenSSLError) -> IdentityError {
        var identifier: OpaquePointer?
        PKCS8_pkey_get0(&identifier, nil, nil, nil, information)
        let name = objectName(dotted(identifier))
        let isUnknown = failure.entries.contains {
            $0.library == ERR_LIB_EVP && $0.reason == EVP_R_UNSUPPORTED_PRIVATE_KEY_ALGORITHM
        }
        return isUnknown || failure.isUnsupported
            ? .unsupportedAlgorithm("a key of the kind \(name)") : .damaged("a key of the kind \(name) cannot be read")
    }
}
