import Crypto
import Pinning
import Testing
import Wire

/// What libssl and curl ask of a server (PS-7-2).
@Suite struct PathBuilderOpenSSLTests {
    private let pki: Hierarchy

    init() throws { pki = try Hierarchy() }

    private func faults(
        _ leaf: Certificate, host: String? = nil, in pki: Hierarchy? = nil, time: Int64 = pathTestTime
    ) throws -> [String] {
        let pki = pki ?? self.pki
        return try evaluate(
            [leaf, pki.intermediateCertificate], policy: .openssl(host: host.flatMap { HostName($0) }),
            anchors: [pki.rootCertificate], time: time
        ).faults
    }

    @Test("PS-7-2: the purpose of a server, for the leaf and for authorities that state one")
    func purpose() throws {
        #expect(try faults(pki.leaf()) == [])
        #expect(try faults(pki.leaf { $0.purposes = [] }) == [])
        #expect(try faults(pki.leaf { $0.purposes = [.clientAuth] }) == ["wrongPurpose 0"])
        let signers = try Hierarchy { $0.purposes = [.codeSigning] }
        #expect(try faults(signers.leaf(), in: signers) == ["wrongPurpose 1"])
    }

    @Test("PS-7-2, PS-0.4-5: security level 2 for keys, anchors included")
    func keys() throws {
        #expect(try faults(pki.leaf(key: .rsa(2048))) == [])
        #expect(try faults(pki.leaf(key: .rsa(1024))) == ["weakKey 0"])
        let weakRoot = try Hierarchy(rootKey: .rsa(1024))
        #expect(try faults(weakRoot.leaf(), in: weakRoot).contains("weakKey 2"))
    }

    @Test("PS-7-2, PS-0.4-5: security level 2 for hashes, which others judge by rules of their own")
    func hashes() throws {
        let leaf = try pki.leaf { $0.digest = .sha1 }
        #expect(try faults(leaf) == ["weakSignature 0"])
        let sent = [leaf, pki.intermediateCertificate]
        #expect(try evaluate(sent, policy: .basicX509, anchors: [pki.rootCertificate]).faults == [])
        let weak = try Hierarchy { $0.digest = .sha1 }
        #expect(try faults(weak.leaf(), in: weak) == ["weakSignature 1"])
    }

    @Test("PS-7-2: OpenSSL takes the last second of validity for one too late")
    func lastSecond() throws {
        let leaf = try pki.leaf { $0.notAfter = pathTestTime }
        #expect(try faults(leaf) == ["expired 0"])
        #expect(try faults(leaf, time: pathTestTime - 1) == [])
    }

    @Test("PS-7-2: an intermediate may be an anchor")
    func intermediateAnchor() throws {
        let anchored = try evaluate(
            [pki.leaf()], policy: .openssl(host: nil), anchors: [pki.intermediateCertificate])
        #expect(anchored.faults == [])
        #expect(try evaluate([pki.leaf()], policy: .openssl(host: nil), anchors: []).faults.first == "noAnchor 0")
    }

    @Test(
        "PS-7-2: curl's comparison of hosts",
        arguments: [
            ("api.example.com", [.dns("api.example.com")], nil, true),
            ("API.example.com.", [.dns("Api.Example.COM.")], nil, true),
            ("api.example.com", [.dns("other.example"), .dns("*.example.com")], nil, true),
            ("a.b.example.com", [.dns("*.example.com")], nil, false),
            ("example.com", [.dns("*.example.com")], nil, false),
            ("api.example.com", [.dns("a*.example.com")], nil, false),
            ("api.example.com", [.dns("api.*.com")], nil, false),
            // An asterisk has at least two dots behind it; a public suffix is as good as another name.
            ("example.com", [.dns("*.com")], nil, false),
            ("bank.co.uk", [.dns("*.co.uk")], nil, true),
            ("a_b.example.com", [.dns("*.example.com")], nil, true),
            ("192.0.2.1", [.address([192, 0, 2, 1])], nil, true),
            ("192.0.2.1", [.address([192, 0, 2, 2])], nil, false),
            ("192.0.2.1", [.dns("192.0.2.1")], nil, false),
            ("192.0.2.1", [.dns("*.0.2.1")], nil, false),
            // The common name counts only where there is no name or address, of either kind.
            ("api.example.com", [], "api.example.com", true),
            ("api.example.com", [], "*.example.com", true),
            ("192.0.2.1", [], "192.0.2.1", true),
            ("192.0.2.1", [], "*.0.2.1", false),
            ("api.example.com", [.email("a@example.com")], "api.example.com", true),
            ("api.example.com", [.dns("other.example")], "api.example.com", false),
            ("api.example.com", [.address([192, 0, 2, 1])], "api.example.com", false),
        ] as [(String, [AlternativeName], String?, Bool)])
    func hosts(host: String, names: [AlternativeName], commonName: String?, matches: Bool) throws {
        let leaf = try pki.leaf {
            $0.alternativeNames = names
            $0.subject = DistinguishedName(commonName: commonName ?? "unused.example")
        }
        #expect(try faults(leaf, host: host) == (matches ? [] : ["hostMismatch 0"]))
    }
}
