internal import Crypto

/// What opens the records of one direction under one secret (RFC 8446 sections 5.2, 5.3 and 7.3).
struct TrafficKey13 {
    private let suite: CipherSuite
    private let cipher: RecordCipher
    private let secret: [UInt8]
    private let key: [UInt8]
    private let vector: [UInt8]
    /// The number of the next record.
    private var sequence: UInt64 = 0

    /// Derives a key; nil if the suite is not of TLS 1.3, or the secret is none.
    init?(_ suite: CipherSuite, secret: [UInt8]) {
        guard let cipher = suite.cipher,
            let key = KeyDerivation.expandLabel(suite.hash, secret: secret, "key", length: cipher.keyLength),
            let vector = KeyDerivation.expandLabel(suite.hash, secret: secret, "iv", length: RecordCipher.nonceLength)
        else { return nil }
        self.suite = suite
        self.cipher = cipher
        self.secret = secret
        self.key = key
        self.vector = vector
    }

    /// The key after a KeyUpdate; nil if there is none.
    var next: TrafficKey13? {
        Self.nextSecret(suite.hash, after: secret).flatMap { TrafficKey13(suite, secret: $0) }
    }

    /// The secret after a KeyUpdate (RFC 8446 section 7.2).
    static func nextSecret(_ hash: HashAlgorithm, after secret: [UInt8]) -> [UInt8]? {
        KeyDerivation.expandLabel(hash, secret: secret, "traffic upd", length: hash.length)
    }

    /// Opens the next record.
    ///
    /// - Parameter record: The record.
    /// - Returns: The type and content that it hides; nil if this key did not seal it, which does not count as one.
    mutating func open(_ record: Record) -> (type: UInt8, content: [UInt8])? {
        var nonce = vector
        for index in 0..<8 {
            nonce[nonce.count - 1 - index] ^= UInt8(truncatingIfNeeded: sequence >> UInt64(8 * index))
        }
        guard let plain = cipher.open(record.fragment, key: key, nonce: nonce, additional: record.header) else {
            return nil
        }
        sequence += 1
        // Behind the content stand its type and any number of zeros (RFC 8446 section 5.4).
        guard let end = plain.lastIndex(where: { $0 != 0 }) else { return (0, []) }
        return (plain[end], Array(plain[..<end]))
    }
}
