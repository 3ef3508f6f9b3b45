internal import COpenSSL

/// Why text does not give a private key.
public enum PrivateKeyError: Error, Hashable, Sendable {
    /// The key is there but encrypted.
    case encrypted
    /// The text holds no private key that OpenSSL can read.
    case unreadable(OpenSSLError)
}

extension PrivateKey {
    /// Reads the first private key in PEM text: PKCS#8 or the older forms for RSA and EC.
    ///
    /// - Parameter pem: The file's bytes; other blocks and text around the key are skipped.
    /// - Throws: `PrivateKeyError`.
    public convenience init(pem: [UInt8]) throws {
        ERR_clear_error()
        var passwordWasAsked = false
        let key = pem.withUnsafeBufferPointer { buffer in
            let reader = ScratchBIO(reading: buffer)
            return reader.withHandle { PEM_read_bio_PrivateKey($0, nil, refusePassword, &passwordWasAsked) }
        }
        let failure = OpenSSLError.drain("PEM_read_bio_PrivateKey")
        guard let key else { throw passwordWasAsked ? PrivateKeyError.encrypted : .unreadable(failure) }
        self.init(owning: key)
    }

    /// The key in PEM, as unencrypted PKCS#8.
    ///
    /// - Returns: Text that whoever holds it must keep secret.
    public func pem() -> [UInt8] {
        let text = ScratchBIO()
        let written = withHandle { raw in
            text.withHandle { PEM_write_bio_PKCS8PrivateKey($0, raw, nil, nil, 0, nil, nil) }
        }
        precondition(written == 1, "writing to memory fails only without memory")
        return text.contents()
    }
}

/// Answers OpenSSL's question for a password with none, and notes that it was asked.
private func refusePassword(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _ wasAsked: UnsafeMutableRawPointer?
) -> Int32 {
    wasAsked?.assumingMemoryBound(to: Bool.self).pointee = true
    return -1
}
