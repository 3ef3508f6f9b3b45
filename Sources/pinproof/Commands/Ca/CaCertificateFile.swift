internal import Crypto

/// The certificate of a CA as it is kept in a file; the key is not looked at.
struct CaCertificateFile {
    /// Where it was read.
    let path: String
    /// The certificate.
    let certificate: Certificate

    /// Reads the file that `--ca` names, or the one in the state folder; of several certificates the first.
    init(authority: String?, state: String?) throws {
        if let authority {
            path = authority
        } else {
            let folder = try StateFolder(state)
            try folder.expectAuthority()
            path = folder.certificate
        }
        certificate = try CertificateFile.read(path)[0]
        guard certificate.isAuthority else {
            throw CommandError(
                "not the certificate of a CA", at: "\(path): \(certificate.subject)",
                mend: "name one whose basic constraints say that it is a CA")
        }
    }
}
