internal import COpenSSL

extension Certificate {
    /// Reads every certificate in PEM text.
    ///
    /// Text and blocks of other kinds around them are skipped; CRLF line ends and a byte order mark are tolerated.
    ///
    /// - Parameter text: The file's bytes.
    /// - Returns: The certificates in order; none if the text holds none.
    /// - Throws: `OpenSSLError` if a block is broken.
    public static func pem(_ text: [UInt8]) throws -> [Certificate] {
        try text.withUnsafeBufferPointer { buffer in
            let reader = ScratchBIO(reading: buffer)
            var certificates: [Certificate] = []
            while let block = try PEMBlock.next(in: reader) {
                // "X509 CERTIFICATE" is an old name. OpenSSL's "TRUSTED CERTIFICATE" holds more than a certificate.
                guard block.name == "CERTIFICATE" || block.name == "X509 CERTIFICATE" else { continue }
                certificates.append(try Certificate(der: block.contents()))
            }
            return certificates
        }
    }
}

/// One block of a PEM file.
///
/// **Ownership:** holds the block's bytes, which may be a private key's, and overwrites them at the end.
private struct PEMBlock: ~Copyable {
    let name: String
    private let bytes: UnsafeMutablePointer<UInt8>
    private let count: Int

    private init(name: String, bytes: UnsafeMutablePointer<UInt8>, count: Int) {
        self.name = name
        self.bytes = bytes
        self.count = count
    }

    deinit { CRYPTO_clear_free(bytes, count, #file, #line) }

    borrowing func contents() -> [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }

    /// Reads the next block, or nil at the end.
    static func next(in reader: borrowing ScratchBIO) throws -> PEMBlock? {
        ERR_clear_error()
        var name: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let found = reader.withHandle { PEM_read_bio($0, &name, &header, &bytes, &count) }
        defer {
            for text in [name, header] { CRYPTO_free(text, #file, #line) }
        }
        guard found == 1, let name, let bytes else {
            let failure = OpenSSLError.drain("PEM_read_bio")
            let isEnd = failure.entries.last.map { $0.library == ERR_LIB_PEM && $0.reason == PEM_R_NO_START_LINE }
            if isEnd == true { return nil }
            throw failure
        }
        return PEMBlock(name: String(cString: name), bytes: bytes, count: count)
    }
}
