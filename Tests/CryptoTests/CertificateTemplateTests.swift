import Crypto
import Testing
import Wire

/// That a template says what it is told, faults included: the tests of other modules build on it.
@Suite struct CertificateTemplateTests {
    private func server() -> CertificateTemplate {
        .server(names: [.dns("a.test"), .address([192, 0, 2, 1])], notBefore: 1000, notAfter: 2000)
    }

    private func der(_ template: CertificateTemplate) throws -> String {
        Hex.encode(try template.identity().chain[0].der)
    }

    @Test func soundServer() throws {
        let certificate = try server().identity().chain[0]
        #expect(certificate.subject == "CN=a.test")
        #expect(certificate.subjectAltNames == ["DNS:a.test", "IP:192.0.2.1"])
        #expect(certificate.notBefore == 1000)
        #expect(certificate.notAfter == 2000)
        #expect(!certificate.isAuthority)
        #expect(certificate.keyUsage == .digitalSignature)
    }

    @Test func everyExtensionCanBeLeftOut() throws {
        var template = CertificateTemplate(subject: [], notBefore: 0, notAfter: 1)
        template.hasSubjectKeyIdentifier = false
        template.hasAuthorityKeyIdentifier = false
        let certificate = try template.identity().chain[0]
        // No object identifier of an extension (2.5.29.x) is in it.
        #expect(!Hex.encode(certificate.der).contains("0603551d"))
        #expect(certificate.subject == "")
        #expect(certificate.subjectAltNames == [])
        #expect(certificate.keyUsage == nil)
        #expect(certificate.pathLength == nil)
        #expect(certificate.subjectKeyIdentifier == nil)
    }

    @Test func purposes() throws {
        var template = server()
        template.purposes = [.clientAuth, .codeSigning, .any]
        // 1.3.6.1.5.5.7.3.2, 1.3.6.1.5.5.7.3.3, 2.5.29.37.0
        let expected = "06082b06010505070302" + "06082b06010505070303" + "0604551d2500"
        #expect(try der(template).contains("301a" + expected))
    }

    @Test func constraintsOfAuthorities() throws {
        let template = CertificateTemplate.authority(
            subject: [("CN", "A")], notBefore: 0, notAfter: 1, pathLength: 3)
        #expect(try template.identity().chain[0].pathLength == 3)
        #expect(try der(template).contains("0603551d130101ff040830060101ff020103"))
    }

    @Test func namesWithSeparatorsStayOneName() throws {
        var template = server()
        template.alternativeNames = [.dns("a.test,DNS:b.test"), .email("x@a.test"), .uri("https://a.test/,IP:1.2.3.4")]
        #expect(
            try template.identity().chain[0].subjectAltNames == [
                "DNS:a.test,DNS:b.test", "email:x@a.test", "URI:https://a.test/,IP:1.2.3.4",
            ])
    }

    @Test func extensionsAsTheyStand() throws {
        var template = server()
        template.otherExtensions = [
            .init(identifier: "1.3.6.1.4.1.55555.1", isCritical: true, value: [0x05, 0x00]),
            .init(identifier: "1.3.6.1.4.1.55555.2", isCritical: false, value: [0x04, 0x01, 0xFF]),
        ]
        let bytes = try der(template)
        #expect(bytes.contains("06092b0601040183b203010101ff04020500"))
        #expect(bytes.contains("06092b0601040183b203020403" + "0401ff"))
    }

    @Test(
        arguments: [
            ([0x00, 0x00, 0x2A], "02012a"), ([0x80], "02020080"), ([0x00], "020100"), ([], "020100"),
        ] as [([UInt8], String)])
    func serialsAreWrittenAsDERWantsThem(magnitude: [UInt8], expected: String) throws {
        var template = server()
        template.serial = magnitude
        #expect(try der(template).dropFirst(16).hasPrefix("a003020102" + expected))
    }

    @Test func weakSignatures() throws {
        var template = server()
        template.digest = .sha1
        // ecdsa-with-SHA1
        #expect(try der(template).contains("300906072a8648ce3d0401"))
    }

    @Test func timesAfter2049AreGeneralized() throws {
        var template = server()
        // 2050-01-01 00:00:00 UTC (RFC 5280, 4.1.2.5).
        template.notAfter = 2_524_608_000
        #expect(try der(template).contains("180f" + "32303530303130313030303030305a"))
        #expect(try template.identity().chain[0].notAfter == 2_524_608_000)
    }

    @Test func whatCannotBeEncodedIsAnError() {
        var long = server()
        long.subject = [("CN", String(repeating: "a", count: 65))]
        var unknown = server()
        unknown.subject = [("NOPE", "a")]
        var address = server()
        address.alternativeNames = [.address([1, 2, 3])]
        var identifier = server()
        identifier.otherExtensions = [.init(identifier: "not an identifier", isCritical: false, value: [5, 0])]
        for template in [long, unknown, address, identifier] {
            #expect(throws: OpenSSLError.self) { try template.identity() }
        }
    }

    @Test func chainsEndBelowTheRoot() throws {
        let root = try CertificateTemplate.authority(subject: [("CN", "R")], notBefore: 0, notAfter: 1).identity()
        let middle = try CertificateTemplate.authority(subject: [("CN", "M")], notBefore: 0, notAfter: 1)
            .identity(issuer: root)
        let leaf = try server().identity(issuer: middle)
        #expect(middle.chain == [middle.chain[0]])
        #expect(leaf.chain == [leaf.chain[0], middle.chain[0]])
        #expect(leaf.chain[0].issuer == "CN=M")
        #expect(leaf.chain[0].isIssued(by: middle.chain[0]))
    }
}
