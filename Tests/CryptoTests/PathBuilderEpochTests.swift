import Crypto
import Pinning
import Testing
import Wire

/// What iOS 12 and earlier let pass that iOS 13 does not (PS-0.3-7).
@Suite struct PathBuilderEpochTests {
    private let pki: Hierarchy

    init() throws { pki = try Hierarchy() }

    /// The faults of a leaf for api.example.com in each epoch.
    private func faults(_ leaf: Certificate, in pki: Hierarchy? = nil) throws -> [AppleEpoch: [String]] {
        let pki = pki ?? self.pki
        var faults: [AppleEpoch: [String]] = [:]
        for epoch in AppleEpoch.allCases {
            faults[epoch] =
                PathBuilder(platform: try TrustStore(anchors: []), epoch: epoch).evaluate(
                    policy: server("api.example.com"), anchors: [CertificateFacts(pki.rootCertificate)],
                    anchorsOnly: true, sent: [leaf, pki.intermediateCertificate].map(CertificateFacts.init),
                    time: pathTestTime
                ).faults
        }
        return faults
    }

    @Test("PS-0.3-7: the common name counts in the legacy epoch, where there is no alternative name")
    func commonName() throws {
        func leaf(_ name: String, _ others: [AlternativeName]) throws -> Certificate {
            try pki.leaf {
                $0.subject = [("CN", name)]
                $0.alternativeNames = others
            }
        }
        #expect(try faults(leaf("api.example.com", [])) == [.legacy: [], .iOS13: ["hostMismatch 0"]])
        #expect(try faults(leaf("*.example.com", [])) == [.legacy: [], .iOS13: ["hostMismatch 0"]])
        let both = [AppleEpoch.legacy: ["hostMismatch 0"], .iOS13: ["hostMismatch 0"]]
        #expect(try faults(leaf("www.example.com", [])) == both)
        #expect(try faults(leaf("api.example.com", [.dns("www.example.com")])) == both)
    }

    @Test("PS-0.3-7: purpose, key size and SHA-1 are rules of the present epoch")
    func presentRules() throws {
        #expect(try faults(pki.leaf()) == [.legacy: [], .iOS13: []])
        #expect(try faults(pki.leaf { $0.purposes = [] }) == [.legacy: [], .iOS13: ["wrongPurpose 0"]])
        #expect(try faults(pki.leaf(key: .rsa(1024))) == [.legacy: [], .iOS13: ["weakKey 0"]])
        #expect(try faults(pki.leaf { $0.digest = .sha1 }) == [.legacy: [], .iOS13: ["weakSignature 0"]])
    }

    @Test("PS-0.3-7: a purpose that is stated and is another is refused in both")
    func otherPurpose() throws {
        let leaf = try pki.leaf { $0.purposes = [.clientAuth] }
        #expect(try faults(leaf) == [.legacy: ["wrongPurpose 0"], .iOS13: ["wrongPurpose 0"]])
    }
}

/// What Crypto states of a certificate for the policies that look at it.
@Suite struct CertificateFactsTests {
    @Test(
        "The key's kind and the signature's hash",
        arguments: [
            (KeyKind.p256, CertificateFacts.KeyKind.ellipticCurve("P-256", bits: 256)),
            (.rsa(2048), .rsa(bits: 2048)), (.rsa(1024), .rsa(bits: 1024)),
        ])
    func key(kind: KeyKind, expected: CertificateFacts.KeyKind) throws {
        let facts = CertificateFacts(try Hierarchy().leaf(key: kind))
        #expect(facts.key == expected)
        #expect(facts.signatureHash == .sha256)
    }

    @Test func `the hash is that under the signature`() throws {
        #expect(CertificateFacts(try Hierarchy().leaf { $0.digest = .sha1 }).signatureHash == .sha1)
    }

    @Test("PS-0.2: the pin is the digest of the key as it stands in the certificate")
    func pin() throws {
        let leaf = try Hierarchy().leaf()
        let facts = CertificateFacts(leaf)
        #expect(facts.details.spkiSHA256 == leaf.spkiSHA256)
        #expect(facts.details.spkiSHA256.count == 32)
    }

    @Test("PS-0.5-3: the summary is the common name")
    func summary() throws {
        let leaf = try Hierarchy().leaf { $0.subject = [("O", "Example"), ("CN", "api.example.com")] }
        #expect(CertificateFacts(leaf).subjectSummary == "api.example.com")
        let nameless = try Hierarchy().leaf { $0.subject = [("O", "Example")] }
        #expect(CertificateFacts(nameless).subjectSummary == nil)
    }
}
