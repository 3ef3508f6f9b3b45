import Crypto
import Pinning
import Testing
import Wire

/// What certificates tell Android's and OpenSSL's libraries.
@Suite struct CertificateDetailsTests {
    private let hierarchy: Hierarchy
    private let leaf: Certificate

    init() throws {
        hierarchy = try Hierarchy { $0.basicConstraints = .init(isAuthority: true, pathLength: 0) }
        leaf = try hierarchy.leaf { template in
            template.alternativeNames = [.dns("*.example.com"), .address([192, 0, 2, 1]), .email("a@example.com")]
        }
    }

    @Test func names() {
        let details = CertificateDetails(leaf)
        #expect(details.names == [.dns("*.example.com"), .address([192, 0, 2, 1])])
        #expect(details.issuerName == CertificateDetails(hierarchy.intermediateCertificate).subjectName)
        #expect(details.issuerName != details.subjectName)
        // SEQUENCE, and the intermediate's common name in it.
        #expect(details.issuerName.first == 0x30)
        #expect(String(decoding: details.issuerName, as: UTF8.self).hasSuffix("Example Intermediate"))
    }

    @Test func authorities() {
        #expect(CertificateDetails(leaf).authority == nil)
        #expect(CertificateDetails(hierarchy.intermediateCertificate).authority == .init(pathLength: 0))
        #expect(CertificateDetails(hierarchy.rootCertificate).authority == .init(pathLength: nil))
    }

    @Test("PS-0.2: digests are of the SubjectPublicKeyInfo as it stands, and of the whole certificate")
    func digests() throws {
        let details = CertificateDetails(leaf)
        #expect(details.spki == leaf.spki && !details.spki.isEmpty)
        #expect(leaf.der.firstRange(of: details.spki) != nil)
        #expect(details.spkiSHA256 == leaf.spkiSHA256)
        #expect(details.spkiSHA1 == Digest.sha1(leaf.spki) && details.spkiSHA1.count == 20)
        #expect(details.sha1 == leaf.sha1)
        #expect(details.md5 == Digest.md5(leaf.der) && details.md5.count == 16)
    }

    @Test("PS-4-5: OkHttp on a JVM rebuilds a real chain, and pins a root that was not sent")
    func rebuilt() throws {
        let stranger = try Hierarchy("Other").rootCertificate
        let sent = [leaf, stranger, hierarchy.intermediateCertificate].map(CertificateFacts.init)
        let root = CertificateFacts(hierarchy.rootCertificate)
        func verdict(_ pinned: Certificate) throws -> PolicyVerdict {
            let pin = "sha256/" + Base64.encode(pinned.spkiSHA256)
            let pinner = OkHttpCertificatePinner(
                version: LibraryVersion(5, 0), entries: [.init(pattern: "api.example.com", pins: [pin])],
                runtime: .jvm(trustRoots: [root]))
            let server = ServerTrust(sent: sent, host: HostName("api.example.com"), time: pathTestTime)
            return pinner.evaluate(server, using: PathBuilder(platform: try TrustStore(anchors: [stranger])))
        }
        let accepted = try verdict(hierarchy.rootCertificate)
        #expect(accepted.decision == .accept && accepted.match?.depth == 2)
        #expect(accepted.path == [sent[0], sent[2], root])
        #expect(try verdict(stranger).decision == .reject)
    }

    @Test(
        "PS-5-9: Android's trust manager and a JVM's compare no host, and OpenSSL's clients do if they have one",
        arguments: [
            (TrustPolicy.android, true), (.jvm, true), (.openssl(host: nil), true),
            (.openssl(host: HostName("api.example.com")), true),
            (.openssl(host: HostName("192.0.2.1")), true), (.openssl(host: HostName("example.org")), false),
        ])
    func hosts(policy: TrustPolicy, isValid: Bool) throws {
        let sent = [leaf, hierarchy.intermediateCertificate]
        let result = try evaluate(sent, policy: policy, platform: [hierarchy.rootCertificate])
        #expect(result.valid == isValid)
        #expect(result.faults == (isValid ? [] : ["hostMismatch 0"]))
        #expect(try evaluate(sent, policy: policy).faults.contains("noAnchor 1"))
        #expect(!result.notChecked.isEmpty)
    }
}
