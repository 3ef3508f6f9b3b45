internal import Crypto
internal import Transcript

/// A CA as `ca init` and `ca show` print it: what clients trust, and below it the intermediate that signs, if there is one.
struct AuthoritySummary {
    /// What clients trust.
    let anchor: Certificate
    /// What signs leaves; often the same.
    let certificate: Certificate
    /// Where both are kept.
    let path: String
    /// The time to reckon from, in seconds since 1970.
    let now: Int64

    /// The rows of a list.
    var text: String {
        guard let intermediate else { return summary(of: anchor).text }
        return summary(of: anchor).text + "It signs through this intermediate, which is sent with every leaf:\n"
            + intermediate.text
    }

    /// The same as one JSON object on a line of its own.
    var json: [UInt8] {
        var line: [UInt8] = []
        JSONWriter.appendObject(to: &line) { writer in
            summary(of: anchor).writeMembers(to: &writer)
            writer.key("intermediate")
            guard let intermediate else { return writer.null() }
            writer.beginObject()
            intermediate.writeMembers(to: &writer)
            writer.endObject()
        }
        return line + [UInt8(ascii: "\n")]
    }

    private var intermediate: CertificateSummary? { certificate == anchor ? nil : summary(of: certificate) }

    private func summary(of certificate: Certificate) -> CertificateSummary {
        CertificateSummary(certificate: certificate, path: path, now: now)
    }
}
