internal import Crypto

/// What opens the records of one direction of TLS 1.2, for the suites that authenticate and encrypt in one step.
struct TrafficKey12 {
    private let cipher: RecordCipher
    private let key: [UInt8]
    /// What every nonce is made of: its first four octets in GCM (RFC 5288 section 3), all of it in ChaCha20-Poly1305,
    /// where it is mixed with the record's number (RFC 7905 section 2).
    private let vector: [UInt8]
    /// The number of the next record.
    private var sequence: UInt64 = 0

    /// Derives a key (RFC 5246 section 6.3).
    ///
    /// - Parameters:
    ///   - suite: The cipher suite.
    ///   - master: The master secret.
    ///   - clientRandom: The random of the ClientHello.
    ///   - serverRandom: The random of the ServerHello.
    ///   - isFromClient: Whether the client sends in this direction.
    init?(
        _ suite: CipherSuite, master: [UInt8], clientRandom: [UInt8], serverRandom: [UInt8], isFromClient: Bool
    ) {
        guard suite.exchange != .keyShare, let cipher = suite.cipher else { return nil }
        let vectorLength = cipher == .chaCha20Poly1305 ? RecordCipher.nonceLength : Self.saltLength
        let block = KeyDerivation.pseudorandom(
            suite.hash, secret: master, label: "key expansion", seed: serverRandom + clientRandom,
            length: 2 * (cipher.keyLength + vectorLength))
        guard let block else { return nil }
        // Both keys come first, then both vectors; the client's before the server's. These suites have no MAC keys.
        func part(_ start: Int, _ length: Int) -> [UInt8] {
            let start = start + (isFromClient ? 0 : length)
            return Array(block[start..<start + length])
        }
        self.cipher = cipher
        key = part(0, cipher.keyLength)
        vector = part(2 * cipher.keyLength, vectorLength)
    }

    private static let saltLength = 4

    /// Opens the next record.
    ///
    /// - Parameter record: The record.
    /// - Returns: Its content; nil if this key did not seal it, which does not count as one.
    mutating func open(_ record: Record) -> [UInt8]? {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: sequence >> UInt64(56 - 8 * $0)) }
        var sealed = record.fragment
        let nonce: [UInt8]
        if vector.count == RecordCipher.nonceLength {
            nonce = zip(vector, [0, 0, 0, 0] + number).map { $0 ^ $1 }
        } else {
            nonce = vector + sealed.prefix(8)
            sealed = sealed.dropFirst(8)
        }
        let length = sealed.count - cipher.tagLength
        guard length >= 0 else { return nil }
        // The length is that of the content (RFC 5246 section 6.2.3.3).
        let size = [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
        let additional = number + record.header.prefix(3) + size
        guard let content = cipher.open(sealed, key: key, nonce: nonce, additional: additional) else { return nil }
        sequence += 1
        return content
    }
}
