internal import Authority
internal import Crypto
internal import Transcript

/// What `pinproof ca issue` says of what it made.
struct IssueReport {
    let issued: IssuedCertificate
    let files: [IssuedCertificate.File]
    let hasEmptyPassword: Bool
    let order: CertificateOrder
    let now: Int64

    /// For people.
    var text: String {
        let alternatives = issued.certificate.subjectAltNames
        let rows =
            (alternatives.isEmpty ? [] : [("names", alternatives.joined(separator: ", ").printable)])
            + [
                ("key file", path(.key)), ("request", path(.request)), ("DER", path(.der)),
                ("PKCS#12", path(.pkcs12) + (hasEmptyPassword ? " (empty password)" : " (password as given)")),
            ]
        return "Made \(kind); its key and PKCS#12 file are for you alone.\n" + summary.text
            + rows.map(CertificateSummary.row).joined()
    }

    /// One JSON object on a line of its own: that of `ca show`, and the files.
    var json: [UInt8] {
        var line: [UInt8] = []
        JSONWriter.appendObject(to: &line) { writer in
            summary.writeMembers(to: &writer)
            writer.key("names")
            writer.beginArray()
            for name in issued.certificate.subjectAltNames { writer.value(name) }
            writer.endArray()
            writer.key("files")
            writer.beginObject()
            for file in files { writer.member(file.kind.member, file.path) }
            writer.endObject()
        }
        return line + [UInt8(ascii: "\n")]
    }

    private var kind: String {
        switch order.subject {
        case .root: "a root"
        case .server: "a server's certificate"
        case .client: "a client's certificate"
        }
    }

    private var summary: CertificateSummary {
        CertificateSummary(certificate: issued.certificate, path: path(.certificate), now: now)
    }

    private func path(_ kind: IssuedCertificate.Kind) -> String {
        files.first { $0.kind == kind }?.path.printable ?? ""
    }
}

extension IssuedCertificate.Kind {
    /// What JSON calls the file.
    fileprivate var member: StaticString {
        switch self {
        case .key: "key"
        case .request: "request"
        case .certificate: "certificate"
        case .der: "der"
        case .pkcs12: "pkcs12"
        }
    }
}
