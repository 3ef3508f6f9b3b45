internal import Crypto

/// What of a cipher suite matters for what is proven in its handshakes.
struct CipherSuite: Equatable {
    /// How the parties come to a secret.
    enum Exchange: Equatable {
        /// A curve and a signature over the share (ECDHE).
        case ephemeralCurve
        /// A field and a signature over the share (DHE).
        case ephemeralField
        /// The client encrypts the secret with the server's key (static RSA).
        case keyTransport
        /// As TLS 1.3 has it.
        case keyShare
    }

    let exchange: Exchange
    /// The hash function of the key schedule and of Finished.
    let hash: HashAlgorithm
    /// The cipher of the records; nil for those that are not opened here.
    let cipher: RecordCipher?

    /// Finds a suite of the TLS Cipher Suites registry of IANA; nil if none of OpenSSL's with a certificate has this number.
    init?(_ code: UInt16) {
        if let (hash, cipher) = Self.tls13[code] {
            self.init(exchange: .keyShare, hash: hash, cipher: cipher)
        } else if let exchange = Self.exchange(code) {
            self.init(
                exchange: exchange, hash: Self.sha384.contains(code) ? .sha384 : .sha256, cipher: Self.ciphers[code])
        } else {
            return nil
        }
    }

    private init(exchange: Exchange, hash: HashAlgorithm, cipher: RecordCipher?) {
        self.exchange = exchange
        self.hash = hash
        self.cipher = cipher
    }

    private static func exchange(_ code: UInt16) -> Exchange? {
        if curve.contains(code) { return .ephemeralCurve }
        if field.contains(code) { return .ephemeralField }
        return transport.contains(code) ? .keyTransport : nil
    }

    private static let tls13: [UInt16: (HashAlgorithm, RecordCipher)] = [
        0x1301: (.sha256, .aes128GCM), 0x1302: (.sha384, .aes256GCM), 0x1303: (.sha256, .chaCha20Poly1305),
        0x1304: (.sha256, .aes128CCM), 0x1305: (.sha256, .aes128CCM8),
    ]

    /// TLS_ECDHE_*: CBC, GCM, CCM and ChaCha20 with AES, ARIA and Camellia.
    private static let curve: Set<UInt16> = [
        0xC009, 0xC00A, 0xC013, 0xC014, 0xC023, 0xC024, 0xC027, 0xC028, 0xC02B, 0xC02C, 0xC02F, 0xC030, 0xC05C, 0xC05D,
        0xC060, 0xC061, 0xC072, 0xC073, 0xC076, 0xC077, 0xC0AC, 0xC0AD, 0xC0AE, 0xC0AF, 0xCCA8, 0xCCA9,
    ]

    /// TLS_DHE_RSA_*.
    private static let field: Set<UInt16> = [
        0x0033, 0x0039, 0x0045, 0x0067, 0x006B, 0x0088, 0x009E, 0x009F, 0x00BE, 0x00C4, 0xC052, 0xC053, 0xC09E, 0xC09F,
        0xC0A2, 0xC0A3, 0xCCAA,
    ]

    /// TLS_RSA_*.
    private static let transport: Set<UInt16> = [
        0x002F, 0x0035, 0x003C, 0x003D, 0x0041, 0x0084, 0x009C, 0x009D, 0x00BA, 0x00C0, 0xC050, 0xC051, 0xC09C, 0xC09D,
        0xC0A0, 0xC0A1,
    ]

    /// TLS_*_WITH_AES_128_GCM_SHA256, AES_256_GCM_SHA384 and CHACHA20_POLY1305_SHA256.
    private static let ciphers: [UInt16: RecordCipher] = [
        0x009C: .aes128GCM, 0x009E: .aes128GCM, 0xC02B: .aes128GCM, 0xC02F: .aes128GCM,
        0x009D: .aes256GCM, 0x009F: .aes256GCM, 0xC02C: .aes256GCM, 0xC030: .aes256GCM,
        0xCCA8: .chaCha20Poly1305, 0xCCA9: .chaCha20Poly1305, 0xCCAA: .chaCha20Poly1305,
    ]

    /// Those whose name ends in SHA384; all others of TLS 1.2 use SHA-256, whatever their MAC is (RFC 5246 section 5).
    private static let sha384: Set<UInt16> = [
        0x009D, 0x009F, 0xC024, 0xC028, 0xC02C, 0xC030, 0xC051, 0xC053, 0xC05D, 0xC061, 0xC073, 0xC077,
    ]
}
