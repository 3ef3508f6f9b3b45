internal import Crypto
internal import PinClient

extension FuzzTarget {
    /// `Certificate(der:)` and all that is read from a certificate.
    static let certificate = FuzzTarget("certificate") { der throws(BrokenProperty) in
        guard let certificate = try? Certificate(der: der) else { return }
        try check(certificate)
        try require(certificate.der == der, "a certificate keeps its encoding")
    }

    /// `Certificate.pem` and `PinFile`, which takes DER too.
    static let pem = FuzzTarget("pem") { contents throws(BrokenProperty) in
        if let certificates = try? Certificate.pem(contents) {
            for certificate in certificates { try check(certificate) }
            let written = certificates.map(\.pem).joined()
            let thrice = [UInt8]((written + written + written).utf8)
            try require(
                (try? Certificate.pem(thrice)) == certificates + certificates + certificates,
                "certificates read as written, however many")
        }
        let file = PinFile(name: "pin.cer", contents: contents)
        try require(!file.pins.isEmpty, "every file is a pin, if only a bad one")
        let isRefused = file.remarks.contains { if case .refused = $0 { true } else { false } }
        try require(isRefused == file.certificates.isEmpty, "a file without certificates is refused")
        try require(file.remarks.allSatisfy { !$0.description.isEmpty }, "every remark says something")
    }

    /// `PrivateKey(pem:)`.
    static let privateKey = FuzzTarget("private-key") { contents throws(BrokenProperty) in
        guard let key = try? PrivateKey(pem: contents) else { return }
        let again = try? PrivateKey(pem: key.pem())
        try require(again?.publicKey == key.publicKey, "a key reads as it is written")
        try require(!key.description.isEmpty, "a key has a description")
    }

    private static func check(_ certificate: Certificate) throws(BrokenProperty) {
        try require(certificate.sha256 == Digest.sha256(certificate.der), "the digest is of the encoding")
        try require(!certificate.spki.isEmpty && !certificate.publicKey.isEmpty, "a certificate has a key")
        try require(certificate.spkiSHA256 == Digest.sha256(certificate.spki), "the pin is of the key's encoding")
        try require((try? Certificate.pem([UInt8](certificate.pem.utf8))) == [certificate], "PEM reads as written")
        try require(
            certificate.subjectAltNames.allSatisfy { name in
                ["DNS:", "IP:", "URI:", "email:"].contains { name.hasPrefix($0) }
            }, "alternative names say their kind: \(certificate.subjectAltNames)")
        let texts = [certificate.subject, certificate.issuer, certificate.serial, certificate.keyDescription]
        try require(
            texts.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } },
            "what is printed holds no control characters: \(texts)")
        let (begin, end) = (certificate.notBefore, certificate.notAfter)
        try require(
            certificate.isValid(at: begin) == (begin <= end), "the first second of validity is valid, if any is")
        try require((certificate.pathLength ?? 0) >= 0, "a path length is not negative")
        _ = certificate.keyUsage
        _ = certificate.subjectKeyIdentifier
        _ = certificate.isAuthority
        _ = certificate.isIssued(by: certificate)
    }
}
