internal import Pinning
internal import Wire

/// What is in a file that is to be one certificate in DER, which is all that Apple's loader reads (C35).
enum CertificateFileKind {
    /// One certificate in DER.
    case certificate(CertificateFacts)
    /// Something else, in words.
    case other(String)

    /// Looks at a file.
    init(_ contents: [UInt8], resources: any PolicyResources) {
        if contents.first == 0x30, let found = resources.certificates(in: contents), found.count == 1,
            !contents.contains(PEMMarks.begin)
        {
            self = .certificate(found[0])
        } else {
            self = .other(Self.reason(contents, resources))
        }
    }

    private static func reason(_ contents: [UInt8], _ resources: any PolicyResources) -> String {
        if contents.isEmpty { return "it is empty" }
        if contents.contains(PEMMarks.begin) { return pemReason(contents, resources) }
        if contents.first == 0x30 { return derReason(contents) }
        if contents.starts(with: ByteOrderMark.utf8) { return "it is text behind a byte order mark, and no DER" }
        let digits = contents.filter { !MarkupProlog.isBlank($0) }
        if let bytes = Base64.decode(digits), bytes.first == 0x30 {
            return "it is Base64 without PEM's marks; \(advice)"
        }
        return "it is neither DER nor PEM"
    }

    private static let advice = "convert it with openssl x509 -outform der"

    /// PEM is text around Base64, which Apple's loader takes for no certificate at all.
    private static func pemReason(_ contents: [UInt8], _ resources: any PolicyResources) -> String {
        var traits: [String] = []
        if contents.starts(with: ByteOrderMark.utf8) {
            traits.append("behind a byte order mark")
        } else if !contents.starts(with: PEMMarks.begin) {
            traits.append("behind other text")
        }
        if contents.contains(0x0D) { traits.append("with CRLF line ends") }
        let trait = traits.isEmpty ? "" : " " + traits.joined(separator: " and ")
        func holds(_ label: StaticString) -> Bool { contents.contains(PEMMarks.begin(label)) }
        if holds("CERTIFICATE") || holds("X509 CERTIFICATE") {
            let count = resources.certificates(in: contents)?.count ?? 0
            guard count > 0 else { return "it is PEM\(trait), and the certificate in it is damaged" }
            let what = count == 1 ? "1 certificate" : "\(count) certificates"
            return "it is \(what) in PEM\(trait), and would be ignored on a device; \(advice)"
        }
        if holds("TRUSTED CERTIFICATE") {
            return "it is OpenSSL's own TRUSTED CERTIFICATE in PEM\(trait), and would be ignored on a device; \(advice)"
        }
        if holds("PKCS7") { return "it is PKCS#7 in PEM\(trait) and no certificate; take them out with openssl pkcs7" }
        if holds("PUBLIC KEY") || holds("RSA PUBLIC KEY") { return "it is a public key in PEM\(trait), no certificate" }
        return "it is PEM\(trait), and no certificate in it"
    }

    private static func derReason(_ contents: [UInt8]) -> String {
        if DERPeek.isPublicKey(contents) { return "it is a public key in DER and no certificate" }
        var peek = DERPeek(contents)
        switch peek.contentOfSequence() {
        case .objectIdentifier?: return "it is PKCS#7 and no certificate; take them out with openssl pkcs7"
        case .integer?: return "it is a key or PKCS#12 and no certificate"
        case .sequence?: return "it is a damaged certificate, or none"
        case .other?, nil: return "it is DER, perhaps, and no certificate"
        }
    }
}
