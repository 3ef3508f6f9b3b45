import Crypto
import Testing

/// PKCS#12 files of the real `openssl` command.
@Suite(.enabled(if: Workshop.isInstalled("/usr/bin/openssl"), "the openssl command makes the files"))
struct IdentityPKCS12Tests {
    /// How a file is written, and what is remarkable about it.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let options: String
        let warnings: [IdentityWarning]

        init(_ name: String, _ options: String, _ warnings: IdentityWarning...) {
            testDescription = name
            self.options = options
            self.warnings = warnings
        }
    }

    private static let legacy = "-provider legacy -provider default "

    static let kinds = [
        Kind("as OpenSSL 3 writes it", ""),
        Kind("AES-128, SHA-1 MAC", "-keypbe AES-128-CBC -certpbe AES-128-CBC -macalg sha1"),
        Kind("AES-192, SHA-384 MAC", "-keypbe AES-192-CBC -certpbe AES-192-CBC -macalg sha384"),
        Kind("AES-256, SHA-512 MAC", "-keypbe AES-256-CBC -certpbe AES-256-CBC -macalg sha512"),
        Kind("one round", "-iter 1"),
        Kind("without MAC", "-nomac", .noMAC),
        Kind("without encryption", "-keypbe NONE -certpbe NONE"),
        Kind("without encryption and MAC", "-keypbe NONE -certpbe NONE -nomac", .noMAC),
        Kind("only the certificates in the clear", "-certpbe NONE"),
        Kind("only the key in the clear", "-keypbe NONE"),
        Kind("-descert", "-descert", .legacyEncryption("PBE-SHA1-3DES")),
        Kind("PBES2 with 3DES", "-keypbe DES-EDE3-CBC -certpbe DES-EDE3-CBC", .legacyEncryption("DES-EDE3-CBC")),
    ]

    @Test(arguments: kinds)
    func opensWithItsPassword(kind: Kind) throws { try check(kind) }

    @Test(
        "C26: old algorithms under OpenSSL 3",
        arguments: [
            Kind("-legacy", "-legacy", .legacyEncryption("PBE-SHA1-RC2-40"), .legacyEncryption("PBE-SHA1-3DES")),
            Kind(
                "3DES throughout", "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1",
                .legacyEncryption("PBE-SHA1-3DES")),
            Kind(
                "RC2-40 throughout", legacy + "-keypbe PBE-SHA1-RC2-40 -certpbe PBE-SHA1-RC2-40",
                .legacyEncryption("PBE-SHA1-RC2-40")),
            Kind("-certpbe RC2-40", legacy + "-certpbe RC2-40-CBC", .legacyEncryption("RC2-CBC")),
            Kind(
                "RC4", legacy + "-keypbe PBE-SHA1-RC4-128 -certpbe PBE-SHA1-RC4-128 -nomac", .noMAC,
                .legacyEncryption("PBE-SHA1-RC4-128")),
            Kind(
                "MD5 and DES", legacy + "-keypbe PBE-MD5-DES -certpbe PBE-MD5-DES", .legacyEncryption("PBE-MD5-DES")),
        ])
    func oldAlgorithms(kind: Kind) throws {
        let opened = try check(kind)
        // The key is one of the default context, which knows no RC2.
        let pair = try TLSPair(opened.fixture.authority, identity: opened.identity)
        #expect(pair.handshake().client == .complete)
        // And TLS stays as strict as it was.
        let shop = try Workshop()
        try shop.openssl("req -x509 -newkey rsa:1024 -nodes -keyout key.pem -out leaf.pem -subj /CN=weak -days 30")
        let weak = try opened.fixture.read(shop.read("leaf.pem"), key: shop.read("key.pem"), allowsWeakKeys: true)
        #expect(throws: OpenSSLError.self) {
            try TLSPair(opened.fixture.authority, identity: weak.candidates[0].identity)
        }
    }

    @discardableResult
    private func check(_ kind: Kind) throws -> (fixture: ClientFixture, identity: TLSIdentity) {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("all.pem", fixture.whole)
        let options = kind.options.isEmpty ? "" : kind.options + " "
        try shop.openssl("pkcs12 -export \(options)-in all.pem -name client -passout pass:secret -out client.p12")
        let file = try shop.read("client.p12")

        let contents = try fixture.read(file, "secret")
        let candidate = try contents.select(nil)
        #expect(candidate.identity.chain == fixture.sent)
        #expect(candidate.identity.key.publicKey == fixture.whole.key.publicKey)
        #expect(candidate.friendlyName == "client")
        #expect(candidate.fingerprint == hex(fixture.leaf.sha256))
        #expect(contents.warnings == kind.warnings)

        guard !kind.options.contains("NONE -certpbe NONE -nomac") else { return (fixture, candidate.identity) }
        #expect(failure { try fixture.read(file, "Secret") } == .wrongPassword)
        #expect(failure { try fixture.read(file, "") } == .wrongPassword)
        #expect(failure { try fixture.read(file) } == .passwordNeeded)
        return (fixture, candidate.identity)
    }

    @Test(arguments: ["", "-nomac ", "-legacy ", "-legacy -nomac "])
    func theEmptyPasswordIsTriedBeforeAnyoneIsAsked(options: String) throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("all.pem", fixture.whole)
        try shop.openssl("pkcs12 -export \(options)-in all.pem -passout pass: -out client.p12")
        let contents = try IdentityReader.read(shop.read("client.p12"), at: fixture.now) {
            Issue.record("the password was asked for")
            return nil
        }
        #expect(try contents.select(nil).identity.chain == fixture.sent)
    }

    /// The password in the terminal's encoding, the one that it is entered in, and what the key derivation makes of it.
    @Test(arguments: ["", "-legacy "])
    func passwordsBeyondASCII(options: String) throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("all.pem", fixture.whole)
        let encodings: [String: [UInt8]] = [
            "UTF-8": Array("Schlüssel €😀".utf8), "narrow": Array("Schlüssel".utf8),
            "Latin-1": Array("Schl".utf8) + [0xFC] + Array("ssel".utf8),
        ]
        for (made, password) in encodings {
            try shop.write("password", password + [0x0A])
            try shop.openssl("pkcs12 -export \(options)-in all.pem -passout file:password -out \(made).p12")
        }
        for (made, entered) in [
            ("UTF-8", "UTF-8"), ("narrow", "narrow"), ("narrow", "Latin-1"), ("Latin-1", "Latin-1"),
            ("Latin-1", "narrow"),
        ] {
            let contents = try IdentityReader.read(shop.read("\(made).p12"), at: fixture.now) { encodings[entered] }
            #expect(contents.candidates.count == 1, "made with \(made), opened with \(entered)")
        }
    }

    @Test("C83: a container without any private key")
    func noPrivateKey() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("certificates.pem", fixture.whole.chain)
        try shop.openssl("pkcs12 -export -nokeys -in certificates.pem -passout pass:x -out nokey.p12")
        #expect(failure { try fixture.read(shop.read("nokey.p12"), "x") } == .noKey)
        #expect(failure { try fixture.read(shop.read("certificates.pem")) } == .noKey)
        // Together with a key it is an identity.
        let joined = try fixture.read(shop.read("nokey.p12"), key: fixture.whole.key.pem(), "x")
        #expect(joined.candidates[0].identity.chain == fixture.sent)
    }

    @Test func aKeyWithoutCertificate() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("key.pem", fixture.whole.key.pem())
        try shop.openssl("pkcs12 -export -nocerts -inkey key.pem -passout pass:x -out key.p12")
        #expect(failure { try fixture.read(shop.read("key.p12"), "x") } == .noCertificate)
    }

    @Test("C47: chain order, root first and among strangers")
    func chainOrder() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        let stranger = try TestAuthority("Stranger").root.chain[0]
        try shop.write("leaf.pem", TLSIdentity(chain: [fixture.leaf], key: fixture.whole.key))
        try shop.write("others.pem", [stranger, fixture.whole.chain[2], fixture.whole.chain[1]])
        try shop.openssl("pkcs12 -export -in leaf.pem -certfile others.pem -passout pass:x -out client.p12")
        let contents = try fixture.read(shop.read("client.p12"), "x")
        #expect(contents.candidates[0].identity.chain == fixture.sent)
        #expect(contents.warnings == [.unusedCertificates(["CN=Stranger"])])
    }

    @Test func anUnknownCipherIsNamedAndNobodyIsAsked() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("all.pem", fixture.whole)
        try shop.openssl("pkcs12 -export -nomac -in all.pem -passout pass:x -out client.p12")
        var file = try shop.read("client.p12")
        // aes256-CBC is 2.16.840.1.101.3.4.1.42; nothing is 2.16.840.1.101.3.4.1.127.
        let cipher: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A]
        for start in file.indices where file[start...].starts(with: cipher) { file[start + cipher.count - 1] = 0x7F }
        #expect(failure { try fixture.read(file) } == .unsupportedAlgorithm("2.16.840.1.101.3.4.1.127"))
    }

    @Test func anUnknownMACIsNotedAndNotChecked() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("all.pem", fixture.whole)
        try shop.openssl("pkcs12 -export -in all.pem -passout pass:x -out client.p12")
        var file = try shop.read("client.p12")
        // The last SHA-256 (2.16.840.1.101.3.4.2.1) is the MAC's; 127 in its place is nothing.
        let digest: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        let start = try #require(file.indices.last { file[$0...].starts(with: digest) })
        file[start + digest.count - 1] = 0x7F
        #expect(try fixture.read(file, "x").warnings == [.uncheckedMAC("2.16.840.1.101.3.4.2.127")])
    }

    @Test func cutOffFilesAreDamagedAndNeverTrap() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("all.pem", fixture.whole)
        try shop.openssl("pkcs12 -export -iter 1 -in all.pem -passout pass:x -out client.p12")
        let file = try shop.read("client.p12")
        #expect(
            failure { try fixture.read(Array(file.dropLast()), "x") }
                == .damaged("the PKCS#12 file is cut off or changed"))
        for count in stride(from: 0, to: file.count, by: 7) {
            #expect(failure { try fixture.read(Array(file.prefix(count)), "x") } != nil, "\(count) bytes")
        }
        // A byte changed anywhere is noticed or harmless, but the identity is never another.
        for index in stride(from: 0, to: file.count, by: 5) {
            var changed = file
            changed[index] ^= 0x01
            if let contents = try? fixture.read(changed, "x") {
                #expect(contents.candidates[0].identity.chain.first == fixture.leaf, "byte \(index)")
            }
        }
    }

    @Test func whatWouldTakeTooLongIsRefused() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("all.pem", fixture.whole)
        try shop.openssl("pkcs12 -export -iter 1000 -in all.pem -passout pass:x -out client.p12")
        let file = try shop.read("client.p12")
        func read(_ change: (inout IdentityLimits) -> Void) -> IdentityError? {
            var limits = IdentityLimits()
            change(&limits)
            return failure {
                try IdentityReader.read(
                    [file], at: fixture.now, allowsWeakKeys: false, limits: limits, password: { Array("x".utf8) })
            }
        }
        // MAC, certificates and key: a thousand rounds each.
        #expect(read { $0.rounds = 3000 } == nil)
        #expect(read { $0.rounds = 2999 } == .tooCostly("its passwords take more than 2999 rounds of key derivation"))
        // Two parts, three certificates, one key.
        #expect(read { $0.parts = 6 } == nil)
        #expect(read { $0.parts = 5 } == .tooCostly("it has more than 5 parts"))
        #expect(read { $0.bytes = file.count } == nil)
        #expect(read { $0.bytes = file.count - 1 } == .tooCostly("it has more than \(file.count - 1) bytes"))
    }
}
