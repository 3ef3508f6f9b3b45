import Crypto
import Pinning
import Testing
import Wire

/// What must hold for every path (PS-0.3-4, PS-0.3-6).
@Suite struct PathBuilderBasicRuleTests {
    private func validate(
        _ pki: Hierarchy, _ leaf: Certificate, time: Int64 = pathTestTime
    ) throws -> [String] {
        try evaluate([leaf, pki.intermediateCertificate], platform: [pki.rootCertificate], time: time).faults
    }

    @Test("PS-0.3-4: each certificate must be valid at the time, its first and last second included")
    func validityOfTheLeaf() throws {
        let pki = try Hierarchy()
        let leaf = try pki.leaf { ($0.notBefore, $0.notAfter) = (pathTestTime - 100, pathTestTime + 100) }
        #expect(try validate(pki, leaf, time: pathTestTime - 101) == ["notYetValid 0"])
        #expect(try validate(pki, leaf, time: pathTestTime - 100) == [])
        #expect(try validate(pki, leaf, time: pathTestTime + 100) == [])
        #expect(try validate(pki, leaf, time: pathTestTime + 101) == ["expired 0"])
    }

    @Test("PS-0.3-4: an expired intermediate")
    func validityOfTheIntermediate() throws {
        let pki = try Hierarchy { $0.notAfter = pathTestTime - 1 }
        #expect(try validate(pki, pki.leaf()) == ["expired 1"])
    }

    @Test("PS-0.3-4: the anchor counts too, also an intermediate as anchor")
    func validityOfTheAnchor() throws {
        let pki = try Hierarchy()
        let leaf = try pki.leaf {
            ($0.notBefore, $0.notAfter) = (pathTestTime - 2000 * 86_400, pathTestTime + 2000 * 86_400)
        }
        let rootExpired = pathTestTime + 901 * 86_400
        #expect(try validate(pki, leaf, time: rootExpired).first == "expired 2")
        let anchored = try evaluate([leaf], anchors: [pki.intermediateCertificate], time: rootExpired)
        #expect(anchored.faults == ["expired 1"])
        let notYet = pathTestTime - 501 * 86_400
        #expect(try evaluate([leaf], anchors: [pki.intermediateCertificate], time: notYet).faults == ["notYetValid 1"])
    }

    @Test("PS-0.3-4: an issuer must be an authority")
    func issuerMustBeAuthority() throws {
        let leafAsIssuer = try Hierarchy { $0.basicConstraints = .init(isAuthority: false) }
        #expect(try validate(leafAsIssuer, leafAsIssuer.leaf()) == ["issuerNotAuthority 1"])
        let silent = try Hierarchy {
            $0.basicConstraints = nil
            $0.keyUsage = nil
        }
        #expect(try validate(silent, silent.leaf()) == ["issuerNotAuthority 1"])
        let anchored = try evaluate([leafAsIssuer.leaf()], anchors: [leafAsIssuer.intermediateCertificate])
        #expect(anchored.faults == ["issuerNotAuthority 1"])
    }

    @Test("PS-0.3-4: an issuer whose key may not sign certificates is none")
    func issuerMayNotSign() throws {
        let pki = try Hierarchy { $0.keyUsage = .digitalSignature }
        #expect(
            try evaluate([pki.leaf(), pki.intermediateCertificate], platform: [pki.rootCertificate]).valid == false)
    }

    @Test("PS-0.3-4: no more authorities than one permits")
    func pathLength() throws {
        let pki = try Hierarchy { $0.basicConstraints = .init(isAuthority: true, pathLength: 0) }
        let extra = try CertificateTemplate.authority(
            subject: [("CN", "Extra")], notBefore: pathTestTime - 1, notAfter: pathTestTime + 1
        ).identity(issuer: pki.intermediate)
        let result = try evaluate(
            [pki.leaf(issuer: extra), extra.chain[0], pki.intermediateCertificate], platform: [pki.rootCertificate])
        #expect(result.faults == ["pathTooLong 2"])
    }

    @Test("PS-0.3-6: an unknown critical extension")
    func criticalExtension() throws {
        let pki = try Hierarchy()
        let unknown = CertificateTemplate.RawExtension(identifier: "1.2.3.4.5", isCritical: true, value: [5, 0])
        #expect(try validate(pki, pki.leaf { $0.otherExtensions = [unknown] }) == ["criticalExtension 0"])
    }

    @Test("PS-0.3-6: a name that the authority may not certify")
    func nameConstraint() throws {
        // Permitted subtrees: the DNS name example.net and below (RFC 5280, 4.2.1.10).
        let permitted: [UInt8] = [0x30, 0x11, 0xa0, 0x0f, 0x30, 0x0d, 0x82, 0x0b] + Array("example.net".utf8)
        let pki = try Hierarchy {
            $0.otherExtensions = [.init(identifier: "2.5.29.30", isCritical: true, value: permitted)]
        }
        #expect(try validate(pki, pki.leaf()) == ["nameConstraint 0"])
        #expect(try validate(pki, pki.leaf { $0.alternativeNames = [.dns("api.example.net")] }) != ["nameConstraint 0"])
    }
}

/// A list of one public suffix.
private struct CoUK: PublicSuffixes {
    func suffixLength(of host: String) -> Int { host.hasSuffix("co.uk") ? 5 : 0 }
}

/// What Apple asks of a TLS server (PS-0.3-7, PS-0.5-1), and basic X.509 does not (PS-0.3-6).
@Suite struct PathBuilderServerRuleTests {
    private let pki: Hierarchy

    init() throws { pki = try Hierarchy() }

    /// The faults under the policy of TLS servers; the basic policy must find none.
    private func serverFaults(
        of leaf: Certificate, host: String? = "api.example.com", in pki: Hierarchy? = nil, byApplication: Bool = true
    ) throws -> [String] {
        let pki = pki ?? self.pki
        let sent = [leaf, pki.intermediateCertificate]
        let ours = byApplication ? [pki.rootCertificate] : nil
        let theirs = byApplication ? [] : [pki.rootCertificate]
        #expect(try evaluate(sent, anchors: ours, platform: theirs).faults == [])
        return try evaluate(sent, policy: server(host), anchors: ours, platform: theirs).faults
    }

    @Test func soundServer() throws {
        #expect(try serverFaults(of: pki.leaf()) == [])
        #expect(try serverFaults(of: pki.leaf(), byApplication: false) == [])
    }

    @Test(
        "PS-0.5-1: the host is looked for among the alternative names",
        arguments: [
            ("api.example.com", [AlternativeName.dns("api.example.com")], true),
            ("API.example.com.", [.dns("other.example"), .dns("Api.Example.com")], true),
            ("api.example.com", [.dns("*.example.com")], true),
            ("a_b.example.com", [.dns("*.example.com")], true),
            ("api.example.com", [.dns("*.com")], false),
            ("api.example.com", [.dns("a*.example.com")], false),
            ("api.example.com", [.email("api.example.com"), .uri("api.example.com")], false),
            ("192.0.2.1", [.address([192, 0, 2, 1])], true),
            ("192.0.2.1", [.dns("192.0.2.1")], false),
            ("192.0.2.1", [.address([192, 0, 2, 2])], false),
            ("2001:db8::1", [.address([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])], true),
        ] as [(String, [AlternativeName], Bool)])
    func hostMatch(host: String, names: [AlternativeName], matches: Bool) throws {
        let leaf = try pki.leaf { $0.alternativeNames = names }
        #expect(try serverFaults(of: leaf, host: host) == (matches ? [] : ["hostMismatch 0"]))
    }

    @Test("PS-0.5-1: no asterisk directly above a public suffix, if there is a list of them")
    func publicSuffix() throws {
        let leaf = try pki.leaf { $0.alternativeNames = [.dns("*.co.uk"), .dns("*.shop.co.uk")] }
        func faults(_ host: String, _ suffixes: (any PublicSuffixes)?) throws -> [String] {
            try evaluate(
                [leaf, pki.intermediateCertificate], policy: server(host), platform: [pki.rootCertificate],
                suffixes: suffixes
            ).faults
        }
        #expect(try faults("bank.co.uk", CoUK()) == ["hostMismatch 0"])
        #expect(try faults("pay.shop.co.uk", CoUK()) == [])
        #expect(try faults("bank.co.uk", nil) == [])
    }

    @Test("PS-0.5-1: the common name is no name")
    func commonName() throws {
        let leaf = try pki.leaf {
            $0.subject = [("CN", "api.example.com")]
            $0.alternativeNames = []
        }
        #expect(try serverFaults(of: leaf) == ["hostMismatch 0"])
    }

    @Test("PS-0.3-7: no host given, no host compared")
    func noHost() throws {
        #expect(try serverFaults(of: pki.leaf { $0.alternativeNames = [.dns("other.example")] }, host: nil) == [])
    }

    @Test("PS-0.3-7: RSA keys of at least 2048 bits, on the whole path")
    func shortKeys() throws {
        #expect(try serverFaults(of: pki.leaf(key: .rsa(2048))) == [])
        #expect(try serverFaults(of: pki.leaf(key: .rsa(1024))) == ["weakKey 0"])
        let weakRoot = try Hierarchy(rootKey: .rsa(1024))
        #expect(try serverFaults(of: weakRoot.leaf(), in: weakRoot) == ["weakKey 2"])
    }

    @Test("PS-0.3-7: elliptic curves of at least 256 bits")
    func shortCurve() throws {
        let leaf = try #require(try Certificate.pem(Array(shortCurvePEM.utf8)).first)
        // 2033-05-18.
        let time: Int64 = 2_000_000_000
        #expect(try evaluate([leaf], anchors: [leaf], time: time).valid)
        #expect(
            try evaluate([leaf], policy: server(nil), anchors: [leaf], time: time).faults == [
                "lifetimeTooLong 0", "weakKey 0",
            ])
    }

    @Test("PS-0.3-7: no SHA-1 signatures, except a root's own")
    func weakSignatures() throws {
        #expect(try serverFaults(of: pki.leaf { $0.digest = .sha1 }) == ["weakSignature 0"])
        let weak = try Hierarchy { $0.digest = .sha1 }
        #expect(try serverFaults(of: weak.leaf(), in: weak) == ["weakSignature 1"])
        var template = CertificateTemplate.authority(
            subject: [("CN", "Old Root")], notBefore: pathTestTime - 1, notAfter: pathTestTime + 1)
        template.digest = .sha1
        let root = try template.identity()
        #expect(try evaluate([pki.leaf(issuer: root)], policy: server(nil), anchors: root.chain).faults == [])
    }
}

/// A self-signed certificate on P-224, valid from 2026 to 2126, made by the `openssl` command; its key was thrown away.
private let shortCurvePEM = """
    -----BEGIN CERTIFICATE-----
    MIIBgjCCATCgAwIBAgIUZK1QldGPFeppv0oXzf6vozcjydMwCgYIKoZIzj0EAwIw
    FjEUMBIGA1UEAwwLc2hvcnQgY3VydmUwIBcNMjYxMTMwMDgyMTA0WhgPMjEyNjEx
    MDYwODIxMDRaMBYxFDASBgNVBAMMC3Nob3J0IGN1cnZlME4wEAYHKoZIzj0CAQYF
    K4EEACEDOgAEPL9qq8d674JJSjA5r0LXbHv4DK71RfVBymk7rCjhcuefajw4IKc1
    ddTtpUCA1PTgsaQfIKAOEiCjZTBjMB0GA1UdDgQWBBQPhDg1WLzObQH6iGFfVJa8
    ya3K4DAfBgNVHSMEGDAWgBQPhDg1WLzObQH6iGFfVJa8ya3K4DATBgNVHSUEDDAK
    BggrBgEFBQcDATAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0AAMD0CHQCgsKh5
    1A88nNer5hLzEpM4qUjQ4UAtvjSYccsIAhxS93eZ9Tt1JuIT6KJj+/pZoodcy7Om
    w4737kF7
    -----END CERTIFICATE-----
    """
