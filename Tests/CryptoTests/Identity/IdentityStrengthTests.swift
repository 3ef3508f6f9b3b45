import Crypto
import Testing

/// What TLS makes of kinds and sizes of keys.
@Suite(.enabled(if: Workshop.isInstalled("/usr/bin/openssl"), "the openssl command makes the files"))
struct IdentityStrengthTests {
    private static let subject = "-subj /CN=client -days 30 -addext subjectAltName=DNS:api.pinproof.test"

    @Test(
        "C81: RSA-PSS and Ed25519 client keys",
        arguments: [
            ("ED25519", "ED25519"), ("RSA-PSS -pkeyopt rsa_keygen_bits:2048", "RSA-PSS 2048"),
            ("RSA-PSS -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_pss_keygen_md:sha256", "RSA-PSS 2048"),
            ("RSA -pkeyopt rsa_keygen_bits:2048", "RSA 2048"), ("EC -pkeyopt ec_paramgen_curve:P-384", "EC P-384"),
            ("EC -pkeyopt ec_paramgen_curve:P-521", "EC P-521"),
        ])
    func kindsOfKeys(options: String, description: String) throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.openssl("genpkey -algorithm \(options) -out key.pem")
        try shop.openssl("req -x509 -key key.pem \(Self.subject) -out leaf.pem")
        try shop.openssl("pkcs12 -export -inkey key.pem -in leaf.pem -passout pass:x -out client.p12")
        try shop.openssl("pkcs8 -topk8 -in key.pem -passout pass:x -out locked.pem")
        for contents in [
            try fixture.read(shop.read("leaf.pem"), key: shop.read("key.pem")),
            try fixture.read(shop.read("leaf.pem"), key: shop.read("locked.pem"), "x"),
            try fixture.read(shop.read("client.p12"), "x"),
        ] {
            let identity = try contents.select(nil).identity
            #expect(identity.key.description == description)
            #expect(contents.warnings == [])
            for version in Version.allCases {
                let trust = try TrustStore(anchors: identity.chain)
                let pair = try TLSPair(fixture.authority, identity: identity, trust: trust, version: version)
                #expect(pair.handshake().client == .complete, "\(version)")
            }
        }
    }

    @Test func smallCurve() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        let curve = "ec -pkeyopt ec_paramgen_curve:P-192"
        try shop.openssl("req -x509 -newkey \(curve) -nodes -keyout key.pem \(Self.subject) -out leaf.pem")
        #expect(failure { try fixture.read(shop.read("leaf.pem"), key: shop.read("key.pem")) } == .weakKey("EC P-192"))
    }

    @Test("C82: a 1024-bit client key")
    func smallKey() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.openssl("req -x509 -newkey rsa:1024 -nodes -keyout key.pem \(Self.subject) -out leaf.pem")
        let (leaf, key) = (try shop.read("leaf.pem"), try shop.read("key.pem"))
        #expect(failure { try fixture.read(leaf, key: key) } == .weakKey("RSA 1024 bits"))
        let allowed = try fixture.read(leaf, key: key, allowsWeakKeys: true)
        #expect(allowed.warnings == [.weak("RSA 1024 bits")])
        #expect(try allowed.select(nil).weakness == "RSA 1024 bits")
        // Beside another one it is refused when it is chosen.
        let both = try fixture.read(leaf + key, key: fixture.whole.key.pem() + Array(fixture.leaf.pem.utf8))
        #expect(both.candidates.map(\.weakness) == ["RSA 1024 bits", nil])
        #expect(throws: IdentityError.weakKey("RSA 1024 bits")) { try both.select("client") }
        #expect(try both.select(hex(fixture.leaf.sha256)).identity.chain == [fixture.leaf])
    }

    @Test func weakSignaturesAndIssuersAreNamed() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("root.pem", fixture.authority.root)
        try shop.openssl(
            "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -subj /CN=sha1 -out csr")
        try shop.openssl("x509 -req -sha1 -in csr -CA root.pem -CAkey root.pem -CAcreateserial -days 30 -out leaf.pem")
        #expect(
            failure { try fixture.read(shop.read("leaf.pem"), key: shop.read("key.pem")) }
                == .weakKey("the signature ecdsa-with-SHA1 on the certificate of CN=sha1"))

        let template = CertificateTemplate.authority(subject: [("CN", "Small")], notBefore: 0, notAfter: .max >> 30)
        let small = try template.identity(key: try PrivateKey.generate(.rsa(1024)), issuer: fixture.authority.root)
        let leaf = try fixture.authority.server(.dns("api.pinproof.test"), issuer: small)
        let file = leaf.key.pem() + Array((leaf.chain.prefix(1) + small.chain.prefix(1)).map(\.pem).joined().utf8)
        #expect(
            failure { try fixture.read(file) } == .weakKey("RSA 1024 bits in the certificate of CN=Small"))
    }
}
