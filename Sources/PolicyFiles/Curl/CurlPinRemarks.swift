internal import Wire

/// Says why a value of `--pinnedpubkey` can match nothing, of which curl says nothing (C36).
struct CurlPinRemarks {
    static let prefix = "sha256//"

    let resources: any PolicyResources

    /// Looks at a list of digests.
    func onDigests(_ text: String) -> [String] {
        var remarks: [String] = []
        for element in text.split(separator: ";", omittingEmptySubsequences: false) {
            guard element.hasPrefix(Self.prefix) else {
                remarks.append(
                    "what begins with \(String(element).quoted) is not read: each digest of a list begins with sha256//"
                )
                break
            }
            let digits = String(element.dropFirst(Self.prefix.count))
            guard let flaw = flaw(in: digits) else { continue }
            remarks.append("\(String(element).quoted) matches nothing: \(flaw)")
        }
        return remarks
    }

    /// curl compares text, so that only what it writes itself ever matches.
    private func flaw(in digits: String) -> String? {
        let bytes = Array(digits.utf8)
        if let digest = Base64.decode(bytes) {
            return digest.count == 32 ? nil : "it is of \(digest.count) octets, and SHA-256 has 32"
        }
        if bytes.contains(where: { $0 <= 0x20 }) { return "a blank belongs to it" }
        if bytes.contains(UInt8(ascii: "-")) || bytes.contains(UInt8(ascii: "_")) {
            return "it is Base64 of the kind for URLs; write + and / for - and _"
        }
        if bytes.count == 43, Base64.decode(bytes + [UInt8(ascii: "=")]) != nil {
            return "its padding is missing; put = behind it"
        }
        return "it is no Base64"
    }

    /// Looks at a file that is to hold a key.
    func onFile(_ name: String, _ contents: [UInt8]?) -> [String] {
        guard let contents else {
            let lower = name.lowercased()
            let isDigest = ["sha256", "sha1", "sha384", "sha512", "pin-sha", "md5"].contains { lower.hasPrefix($0) }
            let text =
                isDigest
                ? "\(name.quoted) is taken for a file's name and matches nothing: only sha256// begins a digest"
                : "the file \(name.quoted) cannot be read, and matches nothing"
            return [text]
        }
        return flaw(inFile: contents).map { ["the file \(name.quoted) matches nothing: \($0)"] } ?? []
    }

    private func flaw(inFile contents: [UInt8]) -> String? {
        if contents.isEmpty { return "it is empty" }
        let advice = "take the key out with openssl x509 -pubkey -noout"
        if let start = contents.firstIndex(of: PEMMarks.begin("PUBLIC KEY")) {
            if contents.starts(with: ByteOrderMark.utf8), start == 3 { return "it begins with a byte order mark" }
            if start > 0, contents[start - 1] != 0x0A { return "its BEGIN PUBLIC KEY does not begin a line" }
            return nil
        }
        if contents.contains(PEMMarks.begin("CERTIFICATE")) || contents.contains(PEMMarks.begin("TRUSTED CERTIFICATE"))
        {
            return "it is a certificate and no key; \(advice)"
        }
        if contents.contains(PEMMarks.begin("RSA PUBLIC KEY")) {
            return "it is an RSA key without its algorithm; convert it with openssl rsa -RSAPublicKey_in -pubout"
        }
        if contents.first == 0x30 {
            if DERPeek.isPublicKey(contents) { return nil }
            return resources.certificates(in: contents) == nil
                ? "it is no public key in DER" : "it is a certificate and no key; \(advice)"
        }
        return "it is no public key, neither in PEM nor in DER"
    }
}
