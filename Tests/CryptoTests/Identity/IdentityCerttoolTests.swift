import Crypto
import Testing

/// PKCS#12 files and encrypted keys of GnuTLS's `certtool`.
@Suite(.enabled(if: Workshop.isInstalled(certtool), "certtool makes the files"))
struct IdentityCerttoolTests {
    private let shop: Workshop
    private let fixture: ClientFixture

    init() throws {
        shop = try Workshop()
        fixture = try ClientFixture()
        try shop.write("key.pem", fixture.whole.key.pem())
        try shop.write("chain.pem", fixture.sent)
    }

    private func makeFile(_ options: String) throws -> [UInt8] {
        let line =
            "--to-p12 --load-privkey key.pem --load-certificate chain.pem --p12-name client "
            + "--outder --outfile client.p12 \(options)"
        try shop.run(certtool, line.split(separator: " ").map(String.init))
        return try shop.read("client.p12")
    }

    @Test(
        arguments: [
            ("aes-128", []), ("aes-192", []), ("aes-256", []), ("3des", [.legacyEncryption("DES-EDE3-CBC")]),
            ("3des-pkcs12", [.legacyEncryption("PBE-SHA1-3DES")]), ("rc2-40", [.legacyEncryption("PBE-SHA1-RC2-40")]),
            ("arcfour", [.legacyEncryption("PBE-SHA1-RC4-128")]),
        ] as [(String, [IdentityWarning])])
    func ciphers(cipher: String, warnings: [IdentityWarning]) throws {
        let file = try makeFile("--password secret --pkcs-cipher \(cipher)")
        let contents = try fixture.read(file, "secret")
        let candidate = try contents.select("client")
        #expect(candidate.identity.chain == fixture.sent)
        #expect(candidate.identity.key.publicKey == fixture.whole.key.publicKey)
        #expect(contents.warnings == warnings)
        #expect(failure { try fixture.read(file, "Secret") } == .wrongPassword)
    }

    /// The two encodings of the empty password, which give different keys.
    @Test(arguments: ["--null-password", "--empty-password"], ["3des-pkcs12", "rc2-40", "aes-256"])
    func theEmptyPasswordInBothEncodings(option: String, cipher: String) throws {
        let file = try makeFile("\(option) --pkcs-cipher \(cipher)")
        let contents = try IdentityReader.read(file, at: fixture.now) {
            Issue.record("the password was asked for")
            return nil
        }
        #expect(try contents.select(nil).identity.chain == fixture.sent)
    }
}

private let certtool = "/usr/bin/certtool"
