internal import Authority
internal import Crypto

/// The certificate of a CA as it is kept in a file; the key is not looked at.
struct CaCertificateFile {
    /// Where it was read.
    let path: String
    /// The certificate that signs leaves: of several in the file the first.
    let certificate: Certificate
    /// What clients have to trust: the root that the file holds above the certificate, or the certificate itself.
    let anchor: Certificate

    /// Reads the file that `--ca` names, or the one in the state folder.
    init(authority: String?, state: String?) throws {
        if let authority {
            path = authority
        } else {
            let folder = try StateFolder(state)
            try folder.expectAuthority()
            path = folder.certificate
        }
        let certificates = try CertificateFile.read(path)
        certificate = certificates[0]
        let issuers = CertificateAuthority.issuers(of: certificate, among: certificates)
        anchor = issuers.last(where: \.isSelfSigned) ?? certificate
        guard certificate.isAuthority else {
            throw CommandError(
                "not the certificate of a CA", at: "\(path): \(certificate.subject)",
                mend: "name one whose basic constraints say that it is a CA")
        }
    }
}
