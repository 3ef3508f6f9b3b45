import Crypto
import Pinning
import Testing
import Wire

private let day: Int64 = 86_400

/// What a JVM's trust manager asks of a path (PS-4-5); a real one is asked the same in OracleTests.
@Suite struct PathBuilderJavaTests {
    private let pki: Hierarchy

    init() throws { pki = try Hierarchy() }

    private func faults(_ leaf: Certificate, in pki: Hierarchy? = nil) throws -> [String] {
        let pki = pki ?? self.pki
        return try evaluate(
            [leaf, pki.intermediateCertificate], policy: .jvm, anchors: [pki.rootCertificate]
        ).faults
    }

    /// What is wrong with a leaf below an anchor that is made for the test.
    private func faults(
        key: PrivateKey? = nil, below adjust: (inout CertificateTemplate) -> Void
    ) throws -> [String] {
        var template = CertificateTemplate.authority(
            subject: [("CN", "Adjusted Root")], notBefore: pathTestTime - 90 * day, notAfter: pathTestTime + 90 * day)
        adjust(&template)
        let root = try template.identity(key: key)
        return try evaluate([pki.leaf(issuer: root)], policy: .jvm, anchors: [root.chain[0]]).faults
    }

    private func key(on curve: String) throws -> PrivateKey {
        let shop = try Workshop()
        _ = try shop.openssl("ecparam -name \(curve) -genkey -noout -out key.pem")
        return try PrivateKey(pem: shop.read("key.pem"))
    }

    @Test(
        "PS-4-5: a leaf's key is for digital signatures, or for whatever",
        arguments: [
            (nil, true), (.digitalSignature, true), ([.digitalSignature, .keyEncipherment], true),
            (.keyEncipherment, false), (.keyCertSign, false),
        ] as [(KeyUsage?, Bool)])
    func keyUsage(usage: KeyUsage?, allowed: Bool) throws {
        #expect(try faults(pki.leaf { $0.keyUsage = usage }) == (allowed ? [] : ["wrongPurpose 0"]))
    }

    @Test(
        "PS-4-5: the leaf's purpose, if it states one",
        arguments: [
            ([.serverAuth], true), ([.any], true), ([], true), ([.clientAuth], false),
        ] as [([CertificateTemplate.Purpose], Bool)])
    func purpose(purposes: [CertificateTemplate.Purpose], allowed: Bool) throws {
        #expect(try faults(pki.leaf { $0.purposes = purposes }) == (allowed ? [] : ["wrongPurpose 0"]))
        let signers = try Hierarchy { $0.purposes = [.codeSigning] }
        #expect(try faults(signers.leaf(), in: signers) == [])
    }

    @Test(
        "PS-4-5: Netscape's type of a leaf, a BIT STRING whose second bit is for servers",
        arguments: [
            ([3, 2, 6, 0x40], true), ([3, 2, 6, 0xc0], true), ([3, 2, 7, 0x80], false), ([3, 1, 0], false),
        ] as [([UInt8], Bool)])
    func netscapeType(value: [UInt8], allowed: Bool) throws {
        let leaf = try pki.leaf {
            $0.otherExtensions = [.init(identifier: "2.16.840.1.113730.1.1", isCritical: false, value: value)]
        }
        #expect(try faults(leaf) == (allowed ? [] : ["wrongPurpose 0"]))
    }

    @Test("PS-4-5: an anchor above others is a CA that may sign certificates")
    func anchorsAreAuthorities() throws {
        #expect(try faults { $0.basicConstraints = nil } == ["issuerNotAuthority 1"])
        #expect(try faults { $0.basicConstraints = .init(isAuthority: false) } == ["issuerNotAuthority 1"])
        #expect(try faults { $0.keyUsage = .cRLSign } == ["issuerNotAuthority 1"])
        #expect(try faults { $0.keyUsage = nil } == [])
    }

    @Test("PS-4-5: of an anchor's names, dates, purposes and unknown extensions nothing counts")
    func anchorsAsTheyStand() throws {
        #expect(try faults { $0.nameConstraints = NameConstraints(permitted: [.dns("other.example")]) } == [])
        #expect(try faults { $0.notAfter = pathTestTime - day } == [])
        #expect(try faults { $0.purposes = [.clientAuth] } == [])
        #expect(
            try faults { $0.otherExtensions = [.init(identifier: "1.2.3.4", isCritical: true, value: [5, 0])] } == [])
        let middle = try strictAuthority("other.example", issuer: pki.root)
        let result = try evaluate(
            [pki.leaf(issuer: middle), middle.chain[0]], policy: .jvm, anchors: [pki.rootCertificate])
        #expect(result.faults == ["nameConstraint 0"])
    }

    @Test("PS-4-5: a leaf that is an anchor is not examined; one that only has its name and key is")
    func anchoredLeaf() throws {
        let key = try PrivateKey.generate(.rsa(768))
        var template = CertificateTemplate.server(names: [.dns("a.example")], notBefore: 1, notAfter: 2)
        template.keyUsage = .keyEncipherment
        let listed = try template.signed(for: key, by: pki.intermediate)
        #expect(try evaluate([listed], policy: .jvm, anchors: [listed]).faults == [])
        let other = try template.signed(for: key, by: pki.root)
        #expect(try !evaluate([other], policy: .jvm, anchors: [listed]).valid)
    }

    @Test("PS-4-5: keys of RSA from 1024 bits on, the anchor's too, and of other kinds")
    func keys() throws {
        #expect(try faults(pki.leaf(key: .rsa(1024))) == [])
        #expect(try faults(pki.leaf(key: .rsa(1016))) == ["weakKey 0"])
        #expect(try faults(pki.leaf(key: .ed25519)) == [])
        #expect(try faults(key: .generate(.rsa(768))) { _ in } == ["weakKey 1"])
    }

    @Test("PS-4-5: a leaf's curve has 224 bits or more, an issuer's is one of three")
    func curves() throws {
        for (curve, isForLeaves, isForIssuers) in [
            ("prime192v1", false, false), ("secp224r1", true, false), ("secp256k1", true, false),
            ("secp384r1", true, true),
        ] {
            let key = try key(on: curve)
            let template = CertificateTemplate.server(
                names: [.dns("a.example")], notBefore: pathTestTime - day, notAfter: pathTestTime + day)
            let leaf = try template.signed(for: key, by: pki.intermediate)
            #expect(try faults(leaf) == (isForLeaves ? [] : ["weakKey 0"]), "\(curve)")
            #expect(try faults(key: key) { _ in } == (isForIssuers ? [] : ["weakKey 1"]), "\(curve)")
        }
    }

    @Test("PS-4-5: SHA-1 is taken, and that Java's own authorities may not use it is named as not checked")
    func sha1() throws {
        func rules(_ leaf: Certificate) throws -> [String] {
            let result = try evaluate(
                [leaf, pki.intermediateCertificate], policy: .jvm, anchors: [pki.rootCertificate])
            #expect(result.faults == [])
            return result.notChecked.map(\.summary)
        }
        let other = "what the JVM's java.security disables beside the defaults of OpenJDK 17"
        #expect(try rules(pki.leaf()) == [other])
        #expect(
            try rules(pki.leaf { $0.digest = .sha1 })
                == [other, "SHA-1, which is refused below the authorities that Java ships"])
    }

    @Test("PS-4-5: an intermediate may demand a policy, whichever (RFC 5280, 4.2.1.11)")
    func policies() throws {
        let demand = CertificateTemplate.RawExtension(
            identifier: "2.5.29.36", isCritical: true, value: [0x30, 3, 0x80, 1, 0])
        let policy = CertificateTemplate.RawExtension(
            identifier: "2.5.29.32", isCritical: false, value: [0x30, 7, 0x30, 5, 6, 3, 0x2a, 3, 4])
        let demanding = try Hierarchy { $0.otherExtensions = [demand, policy] }
        #expect(try faults(demanding.leaf(), in: demanding) == ["other 0"])
        #expect(try faults(demanding.leaf { $0.otherExtensions = [policy] }, in: demanding) == [])
        #expect(try faults { $0.otherExtensions = [demand] } == [])
    }
}
