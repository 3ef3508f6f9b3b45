internal import Crypto
internal import Transcript
internal import Wire

/// Certificates as they were recorded, by digest, up to a size.
struct CertificateShelf {
    private var certificates: [String: [UInt8]] = [:]
    private var size = 0

    /// Some ten thousand certificates.
    private static let limit = 32 << 20

    /// Takes a certificate if an event holds one; it is recorded once in a run, before it is named for the first time.
    mutating func add(_ event: Event) {
        guard case .certificate(let digest, let der) = event.kind else { return }
        guard size + der.count <= Self.limit else { return }
        if certificates.updateValue(der, forKey: digest) == nil { size += der.count + digest.utf8.count }
    }

    /// What is known of some of them; those that are missing, and what is no certificate, are left out.
    func outlines(of digests: Set<String>) -> [String: CertificateOutline] {
        var outlines: [String: CertificateOutline] = [:]
        for digest in digests {
            guard let der = certificates[digest], let certificate = try? Certificate(der: der) else { continue }
            outlines[digest] = CertificateOutline(certificate)
        }
        return outlines
    }
}

extension CertificateOutline {
    /// Reads off a certificate what is shown and compared.
    ///
    /// The digest is that of the certificate itself, whatever the transcript calls it.
    init(_ certificate: Certificate) {
        self.init(
            digest: Hex.encode(certificate.sha256), subject: certificate.subject, issuer: certificate.issuer,
            names: certificate.subjectAltNames, key: certificate.keyDescription, notBefore: certificate.notBefore,
            notAfter: certificate.notAfter, isSelfSigned: certificate.isSelfSigned)
    }
}
