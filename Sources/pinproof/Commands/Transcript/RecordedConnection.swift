internal import Crypto
internal import Report
internal import Transcript
internal import Wire

/// One connection of a transcript, with the certificates that it names.
struct RecordedConnection {
    /// Its events.
    let story: ConnectionStory
    /// What is known of the certificates that it names, by digest.
    let certificates: [String: CertificateOutline]

    /// Reads a transcript up to the connection's end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - connection: The number of the connection.
    /// - Throws: `CommandError` if the file cannot be read, or has no such connection.
    init(reading path: String, connection: UInt64) throws(CommandError) {
        var story = ConnectionStory(connection: connection)
        // A certificate is recorded once in a run, before it is named for the first time.
        var shelf = CertificateShelf()
        var transcript = RecordedRun(from: path)
        while story.record.closed == nil, let event = try transcript.next() {
            if case .certificate(let digest, let der) = event.kind { shelf.add(der, digest: digest) }
            story.add(event)
        }
        guard story.isKnown else {
            throw CommandError(
                "no such connection", at: "\(path): \(connection)",
                mend: "'pinproof transcript show' lists those that there are")
        }
        self.story = story
        certificates = shelf.outlines(of: story.record.digests)
    }
}

/// Certificates as they were recorded, by digest, up to a size.
private struct CertificateShelf {
    private var certificates: [String: [UInt8]] = [:]
    private var size = 0

    /// Some ten thousand certificates.
    private static let limit = 32 << 20

    mutating func add(_ der: [UInt8], digest: String) {
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
