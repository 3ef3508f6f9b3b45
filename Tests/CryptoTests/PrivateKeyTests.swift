import Crypto
import Testing

@Suite struct PrivateKeyTests {
    @Test func describesItself() throws {
        #expect(try PrivateKey.generate(.p256).description == "EC P-256")
        #expect(try PrivateKey.generate(.rsa(2048)).description == "RSA 2048")
        #expect(try PrivateKey.generate(.ed25519).description == "ED25519")
    }

    @Test(arguments: [KeyKind.rsa(0), .rsa(-1), .rsa(16), .rsa(Int.max)])
    func refusesSizesThatRSADoesNotHave(kind: KeyKind) {
        #expect(throws: OpenSSLError.self) { try PrivateKey.generate(kind) }
    }

    @Test func everyKeyIsAnother() throws {
        #expect(try PrivateKey.generate(.p256).publicKey != PrivateKey.generate(.p256).publicKey)
    }

    @Test func survivesPEM() throws {
        let key = try PrivateKey.generate(.p256)
        let pem = key.pem()
        #expect(String(decoding: pem, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try PrivateKey(pem: pem).publicKey == key.publicKey)
        #expect(try PrivateKey(pem: Array(CertificateFixture.pem.utf8) + pem).publicKey == key.publicKey)
    }

    @Test func publicKeyIsTheSubjectPublicKeyInfo() throws {
        // SEQUENCE { SEQUENCE { ecPublicKey, prime256v1 }, BIT STRING { uncompressed point } } (RFC 5480)
        let encoding = try PrivateKey.generate(.p256).publicKey
        #expect(hex(encoding).hasPrefix("3059301306072a8648ce3d020106082a8648ce3d03010703420004"))
        #expect(encoding.count == 91)
    }

    @Test func `C81: Ed25519 keys have the form of RFC 8410`() throws {
        let key = try PrivateKey.generate(.ed25519)
        // SEQUENCE { SEQUENCE { id-Ed25519 }, BIT STRING of 32 octets }
        #expect(hex(key.publicKey).hasPrefix("302a300506032b6570032100"))
        #expect(key.publicKey.count == 44)
        #expect(try PrivateKey(pem: key.pem()).publicKey == key.publicKey)
    }

    @Test func belongsToItsOwnCertificateOnly() throws {
        let template = CertificateTemplate.authority(subject: [("CN", "A")], notBefore: 0, notAfter: 1)
        let identity = try template.identity()
        #expect(identity.key.belongs(to: identity.chain[0]))
        #expect(try !PrivateKey.generate(.p256).belongs(to: identity.chain[0]))
        #expect(try !PrivateKey.generate(.rsa(2048)).belongs(to: identity.chain[0]))
        #expect(identity.key.publicKey == identity.chain[0].publicKey)
    }

    @Test func whatIsNoKeyIsRefused() {
        for text in ["", "nothing", CertificateFixture.pem] {
            #expect {
                try PrivateKey(pem: Array(text.utf8))
            } throws: {
                guard case PrivateKeyError.unreadable = $0 else { return false }
                return true
            }
        }
    }

    @Test(arguments: [encryptedPKCS8, encryptedTraditional])
    func encryptedKeysAreToldApart(text: String) {
        #expect(throws: PrivateKeyError.encrypted) { try PrivateKey(pem: Array(text.utf8)) }
    }
}

/// The form of an encrypted PKCS#8 key (PBES2, AES-256) around a ciphertext of zeros: there is no key in it.
private let encryptedPKCS8 = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHrMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAhGuo7mJMGOowIBATAM
    BggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQwsDmokylw1ObSguLZXFASwSBkAAA
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
    -----END ENCRYPTED PRIVATE KEY-----
    """

/// The older form of an encrypted key (RFC 1421), around zeros too.
private let encryptedTraditional = """
    -----BEGIN EC PRIVATE KEY-----
    Proc-Type: 4,ENCRYPTED
    DEK-Info: AES-256-CBC,00000000000000000000000000000000

    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
    -----END EC PRIVATE KEY-----
    """
