import Crypto
import Testing

/// PKCS#12 files of Python's `cryptography`.
@Suite(.enabled(if: Workshop.isInstalled(python), "Python makes the files"))
struct IdentityPythonTests {
    private let shop: Workshop
    private let fixture: ClientFixture

    init() throws {
        shop = try Workshop()
        fixture = try ClientFixture()
        try shop.write("key.pem", fixture.whole.key.pem())
        try shop.write("leaf.pem", [fixture.leaf])
        try shop.write("root.pem", fixture.authority.root.chain)
        try shop.write("intermediate.pem", [fixture.whole.chain[1]])
        let script = """
            import sys
            from cryptography import x509
            from cryptography.hazmat.primitives import hashes
            from cryptography.hazmat.primitives.serialization import *
            from cryptography.hazmat.primitives.serialization.pkcs12 import *
            read = lambda name: open(name + ".pem", "rb").read()
            certificate = lambda name: x509.load_pem_x509_certificate(read(name))
            builder = PrivateFormat.PKCS12.encryption_builder()
            encryption = eval(sys.argv[1])
            open("client.p12", "wb").write(serialize_key_and_certificates(
                "Käthe".encode(), load_pem_private_key(read("key"), None), certificate("leaf"),
                [certificate("root"), certificate("intermediate")], encryption))
            """
        try shop.write("make.py", Array(script.utf8))
    }

    @Test(
        arguments: [
            ("BestAvailableEncryption(b'secret')", []),
            (
                "builder.key_cert_algorithm(PBES.PBESv1SHA1And3KeyTripleDESCBC).build(b'secret')",
                [.legacyEncryption("PBE-SHA1-3DES")]
            ),
            (
                "builder.kdf_rounds(50000).key_cert_algorithm(PBES.PBESv2SHA256AndAES256CBC)"
                    + ".hmac_hash(hashes.SHA256()).build(b'secret')", []
            ),
        ] as [(String, [IdentityWarning])])
    func encryptions(expression: String, warnings: [IdentityWarning]) throws {
        try shop.run(python, ["make.py", expression])
        let contents = try fixture.read(shop.read("client.p12"), "secret")
        let candidate = try contents.select("käthe")
        #expect(candidate.identity.chain == fixture.sent)
        #expect(contents.warnings == warnings)
        #expect(failure { try fixture.read(shop.read("client.p12"), "Secret") } == .wrongPassword)
    }

    @Test func withoutEncryption() throws {
        try shop.run(python, ["make.py", "NoEncryption()"])
        let contents = try IdentityReader.read(shop.read("client.p12"), at: fixture.now) {
            Issue.record("the password was asked for")
            return nil
        }
        #expect(try contents.select(nil).identity.chain == fixture.sent)
    }
}

private let python = "/usr/bin/python3"
