import Crypto
import Pinning
import Testing
import Wire

/// Which path is built, and where it may end (PS-0.3-1 to PS-0.3-5).
@Suite struct PathBuilderTests {
    private let pki: Hierarchy
    private let stranger: Hierarchy
    private let leaf: Certificate

    init() throws {
        pki = try Hierarchy()
        stranger = try Hierarchy("Stranger")
        leaf = try pki.leaf()
    }

    private var whole: [String] { ["CN=api.example.com", "CN=Example Intermediate", "CN=Example Root"] }

    @Test("PS-0.3-1: the path ends in an anchor that was not sent")
    func anchorIsOnThePath() throws {
        let result = try evaluate([leaf, pki.intermediateCertificate], platform: [pki.rootCertificate])
        #expect(result.valid)
        #expect(result.names == whole)
        #expect(result.path.map(\.der) == [leaf.der, pki.intermediateCertificate.der, pki.rootCertificate.der])
    }

    @Test("PS-0.3-1: the order of what was sent is irrelevant, and what does not belong is not on the path")
    func orderIsIrrelevant() throws {
        let sent = [leaf, stranger.rootCertificate, pki.rootCertificate, leaf, pki.intermediateCertificate]
        let result = try evaluate(sent, platform: [pki.rootCertificate])
        #expect(result.valid)
        #expect(result.names == whole)
    }

    @Test("PS-0.3-1: a certificate that only bears the issuer's name is not on the path")
    func issuerMustHaveSigned() throws {
        let impostor = try Hierarchy()
        let forged = try impostor.leaf { $0.hasAuthorityKeyIdentifier = false }
        let sent = try evaluate([forged, pki.intermediateCertificate], platform: [pki.rootCertificate])
        #expect(sent.names == ["CN=api.example.com"])
        #expect(sent.faults == ["noAnchor 0"])
        let anchored = try evaluate([forged], anchors: [pki.intermediateCertificate])
        #expect(anchored.names == ["CN=api.example.com"])
        #expect(anchored.faults == ["noAnchor 0"])
    }

    @Test("PS-0.3-2: without an anchor the best partial path is shown")
    func partialPath() throws {
        let alone = try evaluate([leaf], platform: [pki.rootCertificate])
        #expect(alone.names == ["CN=api.example.com"])
        #expect(alone.faults == ["noAnchor 0"])
        let unanchored = try evaluate([leaf, pki.intermediateCertificate], platform: [stranger.rootCertificate])
        #expect(unanchored.names == ["CN=api.example.com", "CN=Example Intermediate"])
        #expect(unanchored.faults == ["noAnchor 1"])
        let withRoot = try evaluate([leaf, pki.intermediateCertificate, pki.rootCertificate])
        #expect(withRoot.names == whole)
        #expect(withRoot.faults == ["noAnchor 2"])
    }

    @Test("PS-0.3-2: of two failures the longer path is shown")
    func longestFailure() throws {
        let expired = pathTestTime + 1000 * 86_400
        let result = try evaluate(
            [leaf, pki.intermediateCertificate], anchors: [stranger.rootCertificate], anchorsOnly: false,
            platform: [pki.rootCertificate], time: expired)
        #expect(result.names == whole)
        #expect(result.faults == ["expired 2", "expired 1", "expired 0"])
    }

    @Test("PS-0.3-3, PS-0.4-1: an intermediate may be an anchor")
    func intermediateAnchor() throws {
        let result = try evaluate([leaf], anchors: [pki.intermediateCertificate])
        #expect(result.valid)
        #expect(result.names == ["CN=api.example.com", "CN=Example Intermediate"])
    }

    @Test("PS-0.3-3: a leaf may be an anchor, and is then the whole path")
    func leafAnchor() throws {
        let sent = [leaf, pki.intermediateCertificate, pki.rootCertificate]
        let ours = try evaluate(sent, anchors: [leaf])
        #expect(ours.valid)
        #expect(ours.names == ["CN=api.example.com"])
        let theirs = try evaluate(sent, platform: [leaf])
        #expect(theirs.valid)
        #expect(theirs.names == ["CN=api.example.com"])
    }

    @Test("PS-0.3-3: an anchored leaf does not depend on its issuers")
    func leafAnchorAboveExpiredIssuers() throws {
        let old = try Hierarchy { $0.notAfter = pathTestTime - 1 }
        let leaf = try old.leaf()
        let sent = [leaf, old.intermediateCertificate]
        #expect(try evaluate(sent, platform: [leaf]).valid)
        let both = try evaluate(sent, anchors: [leaf, old.intermediateCertificate])
        #expect(both.valid)
        #expect(both.names == ["CN=api.example.com"])
        #expect(try evaluate(sent, anchors: [old.intermediateCertificate]).faults == ["expired 1"])
    }

    @Test("PS-0.3-5: anchors of the application replace the platform's, also none at all")
    func anchorsOnly() throws {
        let sent = [leaf, pki.intermediateCertificate]
        let root = pki.rootCertificate
        #expect(try evaluate(sent, platform: [root]).valid)
        #expect(try !evaluate(sent, anchors: [], platform: [root]).valid)
        #expect(try !evaluate(sent, anchors: [stranger.rootCertificate], platform: [root]).valid)
        #expect(try evaluate(sent, anchors: [root], platform: [stranger.rootCertificate]).valid)
    }

    @Test("PS-0.3-5: with anchorsOnly off both count")
    func anchorsBesideThePlatforms() throws {
        let sent = [leaf, pki.intermediateCertificate]
        let others = [stranger.rootCertificate]
        #expect(try evaluate(sent, anchors: others, anchorsOnly: false, platform: [pki.rootCertificate]).valid)
        #expect(try evaluate(sent, anchors: [pki.rootCertificate], anchorsOnly: false, platform: others).valid)
        #expect(try !evaluate(sent, anchors: others, anchorsOnly: false, platform: others).valid)
    }

    @Test("Authorities that certify each other do not make an endless path")
    func crossSigned() throws {
        func authority(_ name: String) -> CertificateTemplate {
            .authority(subject: [("CN", name)], notBefore: pathTestTime - 1, notAfter: pathTestTime + 1)
        }
        let first = try authority("First").identity()
        let second = try authority("Second").identity(issuer: first)
        let back = try authority("First").signed(for: first.key, by: second)
        let leaf = try pki.leaf(issuer: second)
        let result = try evaluate([leaf, second.chain[0], back])
        #expect(result.faults.contains { $0.hasPrefix("noAnchor") })
        #expect(result.path.count <= 3)
    }

    @Test("A path has an end, however much a server sends")
    func depthIsBounded() throws {
        var issuer = pki.root
        var sent: [Certificate] = []
        for level in 0..<20 {
            let template = CertificateTemplate.authority(
                subject: [("CN", "Level \(level)")], notBefore: pathTestTime - 1, notAfter: pathTestTime + 1)
            issuer = try template.identity(issuer: issuer)
            sent.append(issuer.chain[0])
        }
        let leaf = try pki.leaf(issuer: issuer)
        let result = try evaluate([leaf] + sent, platform: [pki.rootCertificate])
        #expect(result.errors.contains { $0.kind == .pathTooLong })
        #expect(result.path.count < 15)
    }

    @Test("A certificate that was tampered with in any one octet is not on a valid path")
    func tampering() throws {
        let builder = PathBuilder(platform: try TrustStore(anchors: [pki.rootCertificate]))
        let honest = [leaf, pki.intermediateCertificate].map(\.der)
        for (position, certificate) in honest.enumerated() {
            // A quarter of them each time.
            for offset in stride(from: Int.random(in: 0..<4), to: certificate.count, by: 4) {
                var sent = honest
                sent[position][offset] ^= UInt8.random(in: 1...255)
                let facts = sent.map { CertificateFacts(der: $0, publicKey: nil, sha256: [], subject: "") }
                let result = builder.evaluate(
                    policy: server("api.example.com"), anchors: nil, anchorsOnly: false, sent: facts,
                    time: pathTestTime)
                #expect(!result.valid, "octet \(offset) of certificate \(position): \(sent[position])")
            }
        }
    }

    @Test("What is not a certificate is no path", arguments: [[], [[]], [[1, 2, 3]]] as [[[UInt8]]])
    func garbage(sent: [[UInt8]]) throws {
        let facts = sent.map { CertificateFacts(der: $0, publicKey: nil, sha256: [], subject: "") }
        let result = try PathBuilder(platform: TrustStore(anchors: [])).evaluate(
            policy: .basicX509, anchors: nil, anchorsOnly: false, sent: facts, time: pathTestTime)
        #expect(result.path.isEmpty)
        #expect(result.faults == ["noCertificate 0"])
    }

    @Test("What is not checked is named, by rule")
    func notChecked() throws {
        func rules(
            _ policy: TrustPolicy, user: [Certificate] = [], suffixes: (any PublicSuffixes)? = NoSuffixes(),
            epoch: AppleEpoch = .iOS13
        ) throws -> [String] {
            try evaluate(
                [leaf, pki.intermediateCertificate], policy: policy, platform: [pki.rootCertificate], user: user,
                suffixes: suffixes, epoch: epoch
            ).notChecked.map(\.rule.description)
        }
        #expect(try rules(.basicX509) == ["PS-0.3-6"])
        // Certificate transparency is asked for below the system's own roots.
        #expect(try rules(server(nil)) == ["PS-0.3-6", "PS-0.3-7"])
        #expect(try rules(server(nil), epoch: .legacy) == ["PS-0.3-6"])
        #expect(try rules(server(nil), user: [pki.intermediateCertificate]) == ["PS-0.3-6"])
        #expect(try rules(server(nil), suffixes: nil) == ["PS-0.3-6", "PS-0.3-7", "PS-0.5-1"])
        #expect(try rules(.android) == ["PS-5-9", "PS-5-9"])
        #expect(try rules(.jvm) == ["PS-4-5"])
        #expect(try rules(.openssl(host: nil)) == ["PS-7-2"])
    }
}

/// A list without public suffixes.
private struct NoSuffixes: PublicSuffixes {
    func suffixLength(of host: String) -> Int { 0 }
}
