internal import Crypto
internal import Glibc
internal import Transcript
internal import Wire

/// What a person needs to recognise a CA on a device, and to know how long it will do.
struct CertificateSummary {
    let certificate: Certificate
    /// Where the certificate is kept.
    let path: String
    /// The time to reckon from, in seconds since 1970.
    let now: Int64

    /// The rows of a list, as they are printed.
    var text: String {
        let sha256 = fingerprint(certificate.sha256)
        // 32 octets do not fit into 80 columns.
        let half = sha256.index(sha256.startIndex, offsetBy: 48)
        let rows =
            [
                ("certificate", path.printable),
                ("subject", certificate.subject.printable),
                ("valid", "\(date(certificate.notBefore)) to \(date(certificate.notAfter)) (\(remainder))"),
                ("key", certificate.keyDescription),
                ("SHA-256", String(sha256[..<half])),
                ("", String(sha256[half...])),
                ("SHA-1", fingerprint(certificate.sha1)),
                ("SPKI pin", pin),
            ]
            + rows("permits", certificate.nameConstraints?.permitted)
            + rows("excludes", certificate.nameConstraints?.excluded)
        return rows.map(Self.row).joined()
    }

    /// A row of the list.
    static func row(_ name: String, _ value: String) -> String {
        "  " + name + String(repeating: " ", count: 13 - name.count) + value + "\n"
    }

    /// The same as members of a JSON object.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("certificate", path)
        writer.member("subject", certificate.subject)
        writer.key("notBefore")
        writer.value(wall: writable(certificate.notBefore) * 1_000_000)
        writer.key("notAfter")
        writer.value(wall: writable(certificate.notAfter) * 1_000_000)
        writer.member("daysLeft", daysLeft)
        writer.member("key", certificate.keyDescription)
        writer.member("sha256", Hex.encode(certificate.sha256))
        writer.member("sha1", Hex.encode(certificate.sha1))
        writer.member("pin", pin)
        writer.key("permitted")
        writeNames(certificate.nameConstraints?.permitted, to: &writer)
        writer.key("excluded")
        writeNames(certificate.nameConstraints?.excluded, to: &writer)
    }

    private func writeNames(_ names: [NameConstraints.Subtree]?, to writer: inout JSONWriter) {
        writer.beginArray()
        for name in names ?? [] { writer.value(name.description) }
        writer.endArray()
    }

    /// A row for each name that is constrained.
    private func rows(_ name: String, _ names: [NameConstraints.Subtree]?) -> [(String, String)] {
        (names ?? []).enumerated().map { index, subtree in (index == 0 ? name : "", subtree.description.printable) }
    }

    /// The SHA-256 of the public key, as pinning libraries write it.
    private var pin: String { "sha256/" + Base64.encode(certificate.spkiSHA256) }

    /// Whole days until the certificate expires; negative once it has.
    private var daysLeft: Int64 {
        let (days, rest) = (writable(certificate.notAfter) - now).quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? days - 1 : days
    }

    /// How long the certificate will do yet, in words.
    private var remainder: String {
        if certificate.notBefore > now { return "not valid yet" }
        if certificate.notAfter < now { return "expired" }
        return daysLeft == 1 ? "1 day left" : "\(daysLeft) days left"
    }

    /// Octets in capital hexadecimal with colons between, as devices show them.
    private func fingerprint(_ octets: [UInt8]) -> String {
        octets.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
    }

    /// A day of the calendar, in UTC.
    private func date(_ seconds: Int64) -> String {
        var time = time_t(writable(seconds))
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return "?" }
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%Y-%m-%d", &parts)
        return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A time within the years 0 to 9999: a certificate whose times do not parse has them at the ends of `Int64`.
    private func writable(_ seconds: Int64) -> Int64 { min(max(seconds, -62_167_219_200), 253_402_300_799) }
}
