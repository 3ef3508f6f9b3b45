import Crypto
import Pinning
import Testing
import Wire

private let day: Int64 = 86_400

/// What Android's trust manager asks of a path (PS-5-9).
@Suite struct PathBuilderAndroidTests {
    private let pki: Hierarchy

    init() throws { pki = try Hierarchy() }

    private func faults(_ leaf: Certificate, in pki: Hierarchy? = nil, time: Int64 = pathTestTime) throws -> [String] {
        let pki = pki ?? self.pki
        return try evaluate(
            [leaf, pki.intermediateCertificate], policy: .android, anchors: [pki.rootCertificate], time: time
        ).faults
    }

    @Test("PS-5-9: no host is compared")
    func noHost() throws {
        #expect(try faults(pki.leaf { $0.alternativeNames = [] }) == [])
    }

    @Test(
        "PS-5-9: the leaf's purpose, if it states one",
        arguments: [
            ([.serverAuth], true), ([.any], true), ([], true), ([.clientAuth], false), ([.codeSigning], false),
            ([.codeSigning, .serverAuth], true),
        ] as [([CertificateTemplate.Purpose], Bool)])
    func purpose(purposes: [CertificateTemplate.Purpose], allowed: Bool) throws {
        #expect(try faults(pki.leaf { $0.purposes = purposes }) == (allowed ? [] : ["wrongPurpose 0"]))
    }

    @Test(
        "PS-5-9: Netscape's and Microsoft's gated purposes are a server's too, an authority's purpose is not looked at")
    func gatedPurposes() throws {
        // 2.16.840.1.113730.4.1 and 1.3.6.1.4.1.311.10.3.3.
        let netscape: [UInt8] = [0x30, 0x0b, 6, 9, 0x60, 0x86, 0x48, 1, 0x86, 0xf8, 0x42, 4, 1]
        let microsoft: [UInt8] = [0x30, 0x0c, 6, 10, 0x2b, 6, 1, 4, 1, 0x82, 0x37, 10, 3, 3]
        for value in [netscape, microsoft] {
            let leaf = try pki.leaf {
                $0.purposes = []
                $0.otherExtensions = [.init(identifier: "2.5.29.37", isCritical: false, value: value)]
            }
            #expect(try faults(leaf) == [])
        }
        let signers = try Hierarchy { $0.purposes = [.codeSigning] }
        #expect(try faults(signers.leaf(), in: signers) == [])
    }

    @Test("PS-5-9: keys from 1024 bits on, of a kind that is known; the anchor's does not matter")
    func keys() throws {
        #expect(try faults(pki.leaf(key: .rsa(1024))) == [])
        #expect(try faults(pki.leaf(key: .rsa(1016))) == ["weakKey 0"])
        #expect(try faults(pki.leaf(key: .ed25519)) == ["weakKey 0"])
        let weakRoot = try Hierarchy(rootKey: .rsa(768))
        #expect(try faults(weakRoot.leaf(), in: weakRoot) == [])
    }

    @Test("PS-5-9: no SHA-1 below the anchor")
    func hashes() throws {
        #expect(try faults(pki.leaf { $0.digest = .sha1 }) == ["weakSignature 0"])
        let weak = try Hierarchy { $0.digest = .sha1 }
        #expect(try faults(weak.leaf(), in: weak) == ["weakSignature 1"])
        #expect(
            try evaluate([weak.leaf()], policy: .android, anchors: [weak.intermediateCertificate]).faults == [])
    }

    @Test("PS-5-9: an anchor may have expired, what is below it may not")
    func times() throws {
        let leaf = try pki.leaf { $0.notAfter = pathTestTime + 5000 * day }
        let rootExpired = pathTestTime + 901 * day
        #expect(
            try evaluate([leaf], policy: .android, anchors: [pki.intermediateCertificate], time: rootExpired).faults
                == [])
        #expect(try faults(leaf, time: rootExpired) == ["expired 1"])
        #expect(try faults(pki.leaf(), time: pathTestTime + 81 * day) == ["expired 0"])
    }

    @Test("PS-5-9: names that the anchor does not permit are as good as others, those of an intermediate are not")
    func namesOfTheAnchor() throws {
        let root = try strictAuthority("other.example")
        let middle = try strictAuthority("other.example", issuer: pki.root)
        let both = try strictAuthority("third.example", issuer: root)
        func faults(_ issuer: TLSIdentity, _ anchor: TLSIdentity) throws -> [String] {
            try evaluate(
                [pki.leaf(issuer: issuer), issuer.chain[0]], policy: .android, anchors: [anchor.chain[0]]
            ).faults
        }
        #expect(try faults(root, root) == [])
        #expect(try faults(middle, pki.root) == ["nameConstraint 0"])
        #expect(try faults(middle, middle) == [])
        #expect(try faults(both, root) == ["nameConstraint 0"])
        // Apple and OpenSSL's clients apply those of the anchor too.
        for policy in [TrustPolicy.basicX509, .openssl(host: nil)] {
            let result = try evaluate([pki.leaf(issuer: root)], policy: policy, anchors: [root.chain[0]])
            #expect(result.faults == ["nameConstraint 0"])
        }
    }

    @Test("PS-5-9: anchors that issued the anchor are on the path too, since pins may name them")
    func anchorsAboveTheAnchor() throws {
        let leaf = try pki.leaf()
        let anchors = [pki.intermediateCertificate, pki.rootCertificate]
        let whole = [leaf] + anchors
        #expect(try evaluate([leaf], policy: .android, anchors: anchors).path.map(\.der) == whole.map(\.der))
        let stranger = try Hierarchy().rootCertificate
        let alone = try evaluate([leaf], policy: .android, anchors: [pki.intermediateCertificate, stranger])
        #expect(alone.path.map(\.der) == [leaf, pki.intermediateCertificate].map(\.der))
        // A leaf that is an anchor has its issuers behind it as well.
        let anchored = try evaluate([leaf], policy: .android, anchors: whole)
        #expect(anchored.path.map(\.der) == whole.map(\.der))
        #expect(try evaluate([leaf], anchors: whole).names == ["CN=api.example.com"])
    }

    @Test("PS-5-9: without an anchor there is no path")
    func unanchored() throws {
        let result = try evaluate([pki.leaf(), pki.intermediateCertificate], policy: .android, anchors: [])
        #expect(result.faults == ["noAnchor 1"])
    }

    @Test("PS-5-9: a leaf with an anchor's name and key is the anchor, and nothing of it is examined")
    func anchoredLeaf() throws {
        let key = try PrivateKey.generate(.rsa(768))
        var template = CertificateTemplate.server(names: [.dns("a.example")], notBefore: 1, notAfter: 2)
        template.purposes = [.clientAuth]
        let listed = try template.signed(for: key, by: pki.intermediate)
        template.digest = .sha1
        let sent = try template.signed(for: key, by: pki.root)
        let result = try evaluate([sent], policy: .android, anchors: [listed])
        #expect(result.faults == [])
        #expect(result.path.map(\.der) == [listed.der])
        let otherKey = try template.signed(for: PrivateKey.generate(.p256), by: pki.root)
        #expect(try !evaluate([otherKey], policy: .android, anchors: [listed]).valid)
    }
}
