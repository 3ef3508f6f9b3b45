import Crypto
import Testing

@Suite struct CertificateTests {
    private let certificate: Certificate

    init() throws {
        certificate = try #require(try Certificate.pem(Array(CertificateFixture.pem.utf8)).first)
    }

    @Test func digestsAreThoseThatOpenSSLPrints() {
        #expect(hex(certificate.sha256) == CertificateFixture.sha256)
        #expect(hex(certificate.sha1) == CertificateFixture.sha1)
        #expect(hex(certificate.spki) == CertificateFixture.spki)
        #expect(hex(certificate.spkiSHA256) == CertificateFixture.spkiSHA256)
        #expect(hex(certificate.publicKey) == CertificateFixture.spki)
    }

    @Test func namesAreWrittenAsRFC2253Says() {
        #expect(certificate.subject == #"CN=www.example.test,O=Muster\, Söhne,C=DE"#)
        #expect(certificate.issuer == certificate.subject)
        #expect(certificate.isSelfIssued)
    }

    @Test func theLastCommonNameCounts() throws {
        func made(_ subject: DistinguishedName) throws -> Certificate {
            try CertificateTemplate(subject: subject, notBefore: 0, notAfter: 1).identity().chain[0]
        }
        #expect(certificate.commonName == "www.example.test")
        #expect(certificate.hasAlternativeNames)
        let two = try made([("CN", "first"), ("O", "Example"), ("CN", "Bücher, \"last\"")])
        #expect(two.commonName == "Bücher, \"last\"")
        #expect(!two.hasAlternativeNames)
        #expect(try made([("O", "Example")]).commonName == nil)
    }

    @Test func serialAndValidity() {
        #expect(certificate.serial == "f1e2d3c4")
        #expect(certificate.notBefore == CertificateFixture.notBefore)
        #expect(certificate.notAfter == CertificateFixture.notAfter)
        #expect(!certificate.isValid(at: CertificateFixture.notBefore - 1))
        #expect(certificate.isValid(at: CertificateFixture.notBefore))
        #expect(certificate.isValid(at: CertificateFixture.notAfter))
        #expect(!certificate.isValid(at: CertificateFixture.notAfter + 1))
    }

    @Test func extensions() {
        #expect(
            certificate.subjectAltNames == [
                "DNS:www.example.test", "DNS:*.example.test", "IP:192.0.2.7", "IP:2001:db8::1:0:0:1",
                "URI:https://example.test/x", "email:a@example.test",
            ])
        #expect(certificate.isAuthority)
        #expect(certificate.pathLength == 2)
        #expect(certificate.keyUsage == [.digitalSignature, .keyCertSign, .cRLSign])
        #expect(certificate.subjectKeyIdentifier.map(hex) == "1894a2f7e0fdf3cb00c33b2485f76427ddfce314")
        #expect(certificate.keyDescription == "EC P-256")
    }

    @Test func writesThePEMThatItRead() { #expect(certificate.pem == CertificateFixture.pem) }

    /// OpenSSL would encode a signature anew, and clear bits that are unused but set: another digest, another pin.
    @Test func pemIsTheEncodingAsReceived() throws {
        var der = certificate.der
        // BIT STRING, 71 octets, no unused bits, then the ECDSA signature; its last bit is set.
        let start = der.count - 73
        try #require(hex(Array(der[start..<start + 4])) == "03470030")
        der[start + 2] = 1
        let bent = try Certificate(der: der)
        #expect(try Certificate.pem(Array(bent.pem.utf8)).map(\.der) == [der])
    }

    @Test func equalityIsThatOfTheEncoding() throws {
        let again = try Certificate(der: certificate.der)
        #expect(again == certificate)
        #expect(again.hashValue == certificate.hashValue)
        let other = try CertificateTemplate.authority(subject: [("CN", "other")], notBefore: 0, notAfter: 1).identity()
        #expect(other.chain[0] != certificate)
    }

    @Test func whatIsNoCertificateIsRefused() throws {
        let der = certificate.der
        #expect(throws: OpenSSLError.self) { try Certificate(der: []) }
        #expect(throws: OpenSSLError.self) { try Certificate(der: [0x30, 0x80]) }
        #expect(throws: OpenSSLError.self) { try Certificate(der: Array(der.dropLast())) }
        #expect(throws: OpenSSLError.self) { try Certificate(der: der + [0]) }
    }

    @Test func issuersAreKnownByNameAndSignature() throws {
        let root = try CertificateTemplate.authority(subject: [("CN", "A")], notBefore: 0, notAfter: 1).identity()
        let sameName = try CertificateTemplate.authority(subject: [("CN", "A")], notBefore: 0, notAfter: 1).identity()
        let leaf = try CertificateTemplate.server(names: [.dns("a.test")], notBefore: 0, notAfter: 1)
            .identity(issuer: root)
        #expect(leaf.chain[0].isIssued(by: root.chain[0]))
        #expect(!leaf.chain[0].isIssued(by: sameName.chain[0]))
        #expect(!leaf.chain[0].isIssued(by: certificate))
        #expect(root.chain[0].isIssued(by: root.chain[0]))
    }
}

@Suite struct CertificatePEMTests {
    private let pem = CertificateFixture.pem

    private func digests(in text: String) throws -> [String] {
        try Certificate.pem(Array(text.utf8)).map { hex($0.sha256) }
    }

    @Test func anyNumberIsRead() throws {
        #expect(try digests(in: "") == [])
        #expect(try digests(in: "no certificate here\n") == [])
        #expect(try digests(in: pem + pem) == [CertificateFixture.sha256, CertificateFixture.sha256])
    }

    @Test func textAroundIsSkipped() throws {
        let text = "subject=CN=x\n\n\(pem)\n-- the end --\n"
        #expect(try digests(in: text) == [CertificateFixture.sha256])
    }

    @Test func blocksOfOtherKindsAreSkipped() throws {
        let key = String(decoding: try PrivateKey.generate(.p256).pem(), as: UTF8.self)
        #expect(try digests(in: key + pem + key) == [CertificateFixture.sha256])
    }

    @Test func lineEndsAndByteOrderMarksOfOtherSystemsAreTolerated() throws {
        let text = "\u{FEFF}" + pem.split(separator: "\n").joined(separator: "\r\n") + "\r\n"
        #expect(try digests(in: text) == [CertificateFixture.sha256])
        // Without the line feed at the end, as editors leave it.
        #expect(try digests(in: String(pem.dropLast())) == [CertificateFixture.sha256])
    }

    @Test func brokenBlocksAreErrors() {
        let halves = pem.split(separator: "\n").map(String.init)
        #expect(throws: OpenSSLError.self) { try digests(in: halves.dropLast().joined(separator: "\n")) }
        #expect(throws: OpenSSLError.self) { try digests(in: pem.replacing("MIICSTCC", with: "MIIC!TCC")) }
        #expect(throws: OpenSSLError.self) { try digests(in: pem.replacing("MIICSTCC", with: "MIICSTCD")) }
    }
}
