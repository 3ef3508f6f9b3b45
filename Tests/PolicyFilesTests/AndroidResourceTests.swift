import Crypto
import Pinning
import PolicyFiles
import Testing

@Suite("What Android's configuration names")
struct AndroidResourceTests {
    private let anchors =
        "<network-security-config><base-config><trust-anchors>\n<certificates src=\"@raw/my_ca\"/>"
        + "</trust-anchors></base-config></network-security-config>"

    private func certificate() throws -> Certificate {
        try CertificateTemplate.server(
            names: [.dns("a.test")], notBefore: testTime - 86_400, notAfter: testTime + 86_400
        ).signed(for: PrivateKey.generate(.p256))
    }

    @Test("a raw resource is found beside res/xml, in raw/ and beside the file, with each extension")
    func found() throws {
        let certificate = try certificate()
        for path in ["../raw/my_ca.pem", "../raw/my_ca", "raw/my_ca.crt", "my_ca.cer", "my_ca.der"] {
            for contents in [certificate.der, Array(certificate.pem.utf8)] {
                #expect(complaint(anchors, beside: [path: contents]) == nil, "\(path)")
            }
        }
    }

    @Test("a resource that is missing, damaged or oddly named is an error")
    func refused() throws {
        #expect(
            complaint(anchors) == """
                policy, line 2: there is no @raw/my_ca; it was looked for as ../raw/my_ca, raw/my_ca and my_ca beside \
                the file, with .pem, .crt, .cer, .der and nothing behind it
                """)
        #expect(
            complaint(anchors, beside: ["raw/my_ca.pem": Array("no PEM".utf8)]) == """
                policy, line 2: raw/my_ca.pem for @raw/my_ca holds no certificate, or a damaged one; a resource is one \
                certificate in DER, or any number in PEM
                """)
        let outside = anchors.replacing("@raw/my_ca", with: "@raw/../../secret")
        #expect(
            complaint(outside, beside: ["../raw/../../secret": try certificate().der]) == """
                policy, line 2: "@raw/../../secret" is no resource's name; letters, digits and underscores are allowed, \
                and no file name extension
                """)
    }

    @Test("debug overrides are read from the file beside it if there are none inline, and count when debuggable")
    func debugFile() throws {
        let beside = Array(
            """
            <network-security-config><debug-overrides><trust-anchors><certificates src="user"/></trust-anchors>
            </debug-overrides></network-security-config>
            """.utf8)
        let pinned = """
            <network-security-config><domain-config><domain>a.test</domain><pin-set>
            <pin digest="SHA-256">\(digest(0xAA))</pin></pin-set></domain-config></network-security-config>
            """
        let file = try PolicyFile(
            Array(pinned.utf8), named: "res/xml/config.xml",
            resources: MemoryResources(files: ["config_debug.xml": beside]))
        #expect(
            file.remarks.map(\.line) == [
                "config_debug.xml is read for its <debug-overrides>, which count in a debuggable app"
            ])
        var debuggable = environment(isDebuggable: true)
        debuggable.device.userAuthorities = [Presented.root]
        #expect(try file.verdict(on: "a.test", in: debuggable).reason.kind == .pinsOverridden(anchor: "CN=root"))
        debuggable.application.isDebuggable = false
        #expect(try file.verdict(on: "a.test", in: debuggable).decision == .reject)

        let inline = pinned.replacing("</domain-config>", with: "</domain-config><debug-overrides/>")
        let own = try PolicyFile(
            Array(inline.utf8), named: "config.xml", resources: MemoryResources(files: ["config_debug.xml": beside]))
        #expect(own.remarks.isEmpty)
        debuggable.application.isDebuggable = true
        #expect(try own.verdict(on: "a.test", in: debuggable).decision == .reject)

        #expect(throws: PolicyFileError("it is no XML", in: "config_debug.xml")) {
            try PolicyFile(
                Array(pinned.utf8), named: "config.xml", resources: MemoryResources(files: ["config_debug.xml": []]))
        }
    }

    @Test("C46: TrustKit for Android reads its tags, keeps the last domain, and wants SHA-256 by that name")
    func trustKit() throws {
        let text = """
            <network-security-config>
            <domain-config>
            <domain>one.example.com</domain>
            <domain>two.example.com</domain>
            <pin-set><pin digest="SHA-256">\(digest(0xAA))</pin><pin digest="SHA-256">\(digest(0xAB))</pin></pin-set>
            <trustkit-config enforcePinning="true"><report-uri>https://a.test/</report-uri></trustkit-config>
            </domain-config>
            </network-security-config>
            """
        let file = try load(text)
        #expect(file.format == .trustKitAndroid)
        #expect(
            file.remarks.map(\.line) == [
                """
                line 2: TrustKit keeps the last <domain> of a <domain-config> only, "two.example.com"; the platform \
                keeps all
                """
            ])
        let old = environment(apiLevel: 23)
        #expect(try file.verdict(on: "two.example.com", in: old).decision == .reject)
        #expect(try file.verdict(on: "one.example.com", in: old).decision == .default)
        #expect(try file.verdict(on: "one.example.com", in: environment()).decision == .reject)
        #expect(
            try load(text, as: .networkSecurityConfig).remarks.map(\.line) == [
                "<trustkit-config> is TrustKit's and skipped by the platform; read it as trustkit-android"
            ])
        let lower = text.replacing("digest=\"SHA-256\"", with: "digest=\"sha-256\"", maxReplacements: 1)
        #expect(
            complaint(lower) == """
                policy, line 5: the digest sha-256 is not supported; write digest="SHA-256" and the Base64 of the key's \
                SHA-256, which is 44 characters
                """)
        #expect(complaint(lower, as: .networkSecurityConfig) == nil)
    }

    @Test("an environment that contradicts the file is an error")
    func contradictions() throws {
        let file = try load(anchors.replacing("@raw/my_ca", with: "system"))
        let cases: [(PolicyEnvironment, String)] = [
            (environment(.ios), "policy: a policy of android cannot run on ios"),
            (
                environment(version: LibraryVersion(1, 0)),
                "policy: release 1.0.0 is asked for of Android's own configuration"
            ),
            (environment(apiLevel: 23), "policy: Android reads it since API 24, and the device's is 23"),
        ]
        for (environment, expected) in cases {
            let error = #expect(throws: PolicyFileError.self) { try file.appPolicy(in: environment) }
            #expect(error?.description == expected)
        }
    }
}
