import Crypto
import Testing
import Wire

/// The extension by which a CA is kept from issuing for what is not its business (RFC 5280, 4.2.1.10).
@Suite struct NameConstraintsTests {
    private func authority(permitting names: String...) throws -> Certificate {
        var template = CertificateTemplate.authority(subject: [("CN", "A")], notBefore: 0, notAfter: 1)
        template.nameConstraints = NameConstraints(permitting: try names.map { try #require(HostName($0)) })
        return try template.identity().chain[0]
    }

    private func leaf(_ name: AlternativeName) throws -> Certificate {
        try CertificateTemplate.server(names: [name], notBefore: 0, notAfter: 1).identity().chain[0]
    }

    @Test func `the encoding is that of the standard`() throws {
        let certificate = try authority(permitting: "a.test")
        // SEQUENCE { 2.5.29.30, TRUE, OCTET STRING { SEQUENCE {
        //   [0] { SEQUENCE { [2] "a.test" } }, [1] { SEQUENCE { [7] 0.0.0.0/0 }, SEQUENCE { [7] ::/0 } } } } }
        let permitted = "a00a" + "3008" + "8206612e74657374"
        let addresses =
            "300a" + "8708" + String(repeating: "00", count: 8) + "3022" + "8720" + String(repeating: "00", count: 32)
        #expect(
            hex(certificate.der).contains("0603551d1e" + "0101ff" + "0440" + "303e" + permitted + "a130" + addresses))
    }

    @Test(arguments: [
        (["a.test"], ["DNS:a.test"], ["IP:0.0.0.0/0.0.0.0", "IP:::/::"]),
        (
            ["192.0.2.1"],
            [
                "DNS:192.0.2.1", "IP:192.0.2.1",
                "IP:::ffff:192.0.2.1",
            ], []
        ),
        (
            ["2001:db8::1"], ["IP:2001:db8::1"],
            ["DNS:", "IP:0.0.0.0/0.0.0.0"]
        ),
    ])
    func `what a certificate says is read back`(names: [String], permitted: [String], excluded: [String]) throws {
        var template = CertificateTemplate.authority(subject: [("CN", "A")], notBefore: 0, notAfter: 1)
        template.nameConstraints = NameConstraints(permitting: names.compactMap(HostName.init))
        let constraints = try #require(try template.identity().chain[0].nameConstraints)
        #expect(constraints.permitted.map(\.description) == permitted)
        #expect(constraints.excluded.map(\.description) == excluded)
    }

    @Test func `long lists need longer lengths`() throws {
        let names = (0..<40).map { "host-\($0).example.test" }
        var template = CertificateTemplate.authority(subject: [("CN", "A")], notBefore: 0, notAfter: 1)
        template.nameConstraints = NameConstraints(permitting: names.compactMap(HostName.init))
        let constraints = try template.identity().chain[0].nameConstraints
        #expect(constraints?.permitted == names.map { .dns($0) })
    }

    @Test func `a certificate without the extension has none`() throws {
        let template = CertificateTemplate.authority(subject: [("CN", "A")], notBefore: 0, notAfter: 1)
        let certificate = try template.identity().chain[0]
        #expect(certificate.nameConstraints == nil)
        #expect(try leaf(.dns("b.test")).isPermitted(by: certificate))
    }

    @Test(
        arguments: [
            (.dns("a.test"), true), (.dns("x.a.test"), true), (.dns("*.a.test"), true), (.dns("b.test"), false),
            (.dns("xa.test"), false), (.address([192, 0, 2, 1]), false), (.address([127, 0, 0, 1]), false),
            (.email("a@b.test"), true),
        ] as [(AlternativeName, Bool)])
    func `a name permits itself and what is below`(name: AlternativeName, permitted: Bool) throws {
        #expect(try leaf(name).isPermitted(by: authority(permitting: "a.test")) == permitted)
    }

    @Test(
        arguments: [
            (.address([192, 0, 2, 1]), true), (.address([192, 0, 2, 2]), false), (.dns("a.test"), false),
            (.address([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 1]), true),
            (.address([0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]), false),
        ] as [(AlternativeName, Bool)])
    func `an address permits itself only`(name: AlternativeName, permitted: Bool) throws {
        #expect(try leaf(name).isPermitted(by: authority(permitting: "192.0.2.1")) == permitted)
    }

    @Test func `a common name that looks like a host counts where no alternative name does`() throws {
        let client = CertificateTemplate.client(subject: [("CN", "b.test")], names: [], notBefore: 0, notAfter: 1)
        #expect(try !client.identity().chain[0].isPermitted(by: authority(permitting: "a.test")))
        let person = CertificateTemplate.client(subject: [("CN", "Jane Doe")], names: [], notBefore: 0, notAfter: 1)
        #expect(try person.identity().chain[0].isPermitted(by: authority(permitting: "a.test")))
    }
}
