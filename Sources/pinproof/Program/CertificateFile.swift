internal import Crypto

/// Files with certificates for people: PEM with any number of them, or one in DER.
enum CertificateFile {
    /// Reads the certificates of a file.
    static func read(_ path: String) throws -> [Certificate] {
        try certificates(in: try Files.read(path), of: path)
    }

    /// The certificates in a file's contents, of which there has to be one.
    static func certificates(in bytes: [UInt8], of path: String) throws -> [Certificate] {
        if bytes.first == 0x30, let certificate = try? Certificate(der: bytes) { return [certificate] }
        let certificates: [Certificate]
        do {
            certificates = try Certificate.pem(bytes)
        } catch {
            throw CommandError("not a certificate file", at: "\(path): \(error)", mend: "PEM and DER are read")
        }
        guard !certificates.isEmpty else {
            throw CommandError("no certificate in file", at: path, mend: "PEM and DER are read")
        }
        return certificates
    }
}
