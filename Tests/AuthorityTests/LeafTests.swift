import Authority
import Crypto
import Testing
import Wire

/// What a leaf says, byte for byte, against encodings written by hand from RFC 5280.
@Suite struct LeafTests {
    private let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority.ephemeral(now: now) }

    private func mint(_ name: String, _ key: KeyKind = .p256) throws -> Certificate {
        try authority.issue(LeafRequest(host: host(name), key: key), now: now).chain[0]
    }

    private func der(_ certificate: Certificate) -> String { Hex.encode(certificate.der) }

    @Test func extensionsOfAnEllipticLeaf() throws {
        let leaf = try mint("api.example.test")
        let bytes = der(leaf)
        // basicConstraints, critical: an empty SEQUENCE, which is CA:FALSE.
        #expect(bytes.contains("300c0603551d130101ff04023000"))
        // keyUsage, critical: bit 0, digitalSignature.
        #expect(bytes.contains("300e0603551d0f0101ff040403020780"))
        // extendedKeyUsage: 1.3.6.1.5.5.7.3.1, serverAuth, alone.
        #expect(bytes.contains("30130603551d25040c300a06082b06010505070301"))
        // subjectAltName, not critical: [2] "api.example.test".
        #expect(bytes.contains("301b0603551d11041430128210" + "6170692e6578616d706c652e74657374"))
        // ecdsa-with-SHA256, inside and outside.
        #expect(bytes.split(separator: "300a06082a8648ce3d040302", omittingEmptySubsequences: false).count == 3)
        #expect(leaf.subject == "CN=api.example.test")
        #expect(leaf.issuer == authority.certificate.subject)
        #expect(leaf.keyDescription == "EC P-256")
        #expect(!leaf.isAuthority)
    }

    @Test func keyIdentifiers() throws {
        let leaf = try mint("api.example.test")
        // The SHA-1 of the 65 octets of the point, the last of the 91 of the key (RFC 5280, 4.2.1.2, method 1).
        let own = Hex.encode(Digest.sha1(Array(leaf.spki.suffix(65))))
        let issuers = Hex.encode(Digest.sha1(Array(authority.certificate.spki.suffix(65))))
        #expect(der(leaf).contains("301d0603551d0e04160414" + own))
        #expect(der(leaf).contains("301f0603551d2304183016" + "8014" + issuers))
        #expect(der(authority.certificate).contains("301d0603551d0e04160414" + issuers))
        #expect(der(authority.certificate).contains("301f0603551d2304183016" + "8014" + issuers))
        #expect(own != issuers)
    }

    @Test func extensionsOfAnRSALeaf() throws {
        let leaf = try mint("api.example.test", .rsa(2048))
        // keyUsage, critical: bits 0 and 2, digitalSignature and keyEncipherment.
        #expect(der(leaf).contains("300e0603551d0f0101ff0404030205a0"))
        #expect(leaf.keyDescription == "RSA 2048")
    }

    @Test func extensionsOfTheAuthority() throws {
        let bytes = der(authority.certificate)
        // basicConstraints, critical: CA:TRUE.
        #expect(bytes.contains("300f0603551d130101ff040530030101ff"))
        // keyUsage, critical: bits 5 and 6, keyCertSign and cRLSign.
        #expect(bytes.contains("300e0603551d0f0101ff040403020106"))
        #expect(authority.certificate.subject.wholeMatch(of: /CN=Pinproof TEST ONLY CA [0-9a-f]{8},O=Pinproof/) != nil)
        #expect(authority.chain.isEmpty)
    }

    @Test(
        "C30: addresses are iPAddress names of 4 or 16 octets",
        arguments: [
            ("127.0.0.1", "30210603551d11041a3018" + "87047f000001" + "871000000000000000000000ffff7f000001"),
            ("[::1]", "301b0603551d1104143012" + "8710" + "00000000000000000000000000000001"),
            ("0:0:0:0:0:0:0:1", "301b0603551d1104143012" + "8710" + "00000000000000000000000000000001"),
            ("2001:DB8::7", "301b0603551d1104143012" + "8710" + "20010db8000000000000000000000007"),
            // An IPv4 address that a dual-stack socket reports; OpenSSL's clients compare all 16 octets of it.
            ("::ffff:127.0.0.1", "30210603551d11041a3018" + "87047f000001" + "871000000000000000000000ffff7f000001"),
        ])
    func addresses(name: String, expected: String) throws { #expect(try der(mint(name)).contains(expected)) }

    @Test(
        "C60: the exact host, never a wildcard",
        arguments: ["tfl.gov.uk", "a.b.example.test", "intranet", "under_score.example.test"])
    func exactHost(name: String) throws { #expect(try mint(name).subjectAltNames == ["DNS:" + name]) }

    @Test("C61: a name too long for a common name stands in a critical subjectAltName alone")
    func longNames() throws {
        let label = String(repeating: "a", count: 59)
        let fits = label + ".test"
        #expect(try mint(fits).subject == "CN=" + fits)

        let long = "a" + fits
        let leaf = try mint(long)
        #expect(leaf.subject == "")
        #expect(leaf.subjectAltNames == ["DNS:" + long])
        #expect(der(leaf).contains("0603551d110101ff04"))

        let longest = [63, 63, 63, 61].map { String(repeating: "a", count: $0) }.joined(separator: ".")
        #expect(try mint(longest).subjectAltNames == ["DNS:" + longest])
    }

    @Test func everyHostHasAKeyOfItsOwn() throws {
        let keys = try [
            mint("a.test").spkiSHA256, mint("b.test").spkiSHA256, authority.certificate.spkiSHA256,
        ]
        #expect(Set(keys).count == 3)
        let identity = try authority.issue(LeafRequest(host: host("a.test")), now: now)
        #expect(identity.key.belongs(to: identity.chain[0]))
    }

    @Test func whatOpenSSLRefusesIsAnErrorThatNamesTheHost() throws {
        let error = #expect(throws: AuthorityError.self) { try mint("a.test", .rsa(16)) }
        #expect(error?.fault == .minting)
        #expect(error?.message.contains("a.test") == true)
    }
}
