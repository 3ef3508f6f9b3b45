import Crypto
import Testing

/// PEM files, those with encrypted keys from the real `openssl` command.
@Suite(.enabled(if: Workshop.isInstalled("/usr/bin/openssl"), "the openssl command makes the files"))
struct IdentityPEMTests {
    @Test func keyAndChainInAnyOrderAndInOneOrTwoFiles() throws {
        let fixture = try ClientFixture()
        let key = fixture.whole.key.pem()
        let blocks = fixture.whole.chain.map { Array($0.pem.utf8) }
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let chain = order.flatMap { blocks[$0] }
            for contents in [
                try fixture.read(key + chain), try fixture.read(chain + key), try fixture.read(chain, key: key),
                try fixture.read(key, key: chain), try fixture.read(blocks[order[0]] + key, key: chain),
            ] {
                let candidate = try contents.select(nil)
                #expect(candidate.identity.chain == fixture.sent)
                #expect(candidate.identity.key.publicKey == fixture.whole.key.publicKey)
                #expect(contents.warnings == [])
            }
        }
    }

    @Test func lineEndsMarksAndTextAroundMakeNoDifference() throws {
        let fixture = try ClientFixture()
        let text = String(decoding: fixture.whole.key.pem(), as: UTF8.self) + fixture.whole.chain.map(\.pem).joined()
        for variant in [
            text.replacing("\n", with: "\r\n"), text.replacing("\n", with: "\r"), "\u{FEFF}" + text,
            text.replacing("\n", with: "  \t\n"), "0 is the first\n\n" + text + "\nthe end",
            String(text.dropLast()),
        ] {
            #expect(try fixture.read(Array(variant.utf8)).candidates[0].identity.chain == fixture.sent)
        }
    }

    @Test(
        "C48: encrypted keys of all forms",
        arguments: [
            ("pkcs8 -topk8 -v2 aes256", nil), ("pkcs8 -topk8 -v2 aes128 -v2prf hmacWithSHA512", nil),
            ("pkcs8 -topk8 -v2 aes256 -v2prf hmacWithSHA1", nil), ("pkcs8 -topk8 -scrypt", nil),
            ("pkcs8 -topk8 -v2 des3", "DES-EDE3-CBC"), ("pkcs8 -topk8 -v1 PBE-SHA1-3DES", "PBE-SHA1-3DES"),
            ("pkcs8 -topk8 -v1 PBE-MD5-DES -provider legacy -provider default", "PBE-MD5-DES"),
            ("pkcs8 -topk8 -v1 PBE-SHA1-RC2-40 -provider legacy -provider default", "PBE-SHA1-RC2-40"),
            ("pkey -traditional -aes128", "AES-128-CBC with one round of MD5"),
            ("pkey -traditional -aes256", "AES-256-CBC with one round of MD5"),
            ("pkey -traditional -des3", "DES-EDE3-CBC with one round of MD5"),
            ("ec -aes192", "AES-192-CBC with one round of MD5"),
            ("ec -des -provider legacy -provider default", "DES-CBC with one round of MD5"),
        ] as [(String, String?)])
    func encryptedKeys(command: String, legacy: String?) throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("key.pem", fixture.whole.key.pem())
        try shop.openssl("\(command) -in key.pem -passout pass:secret -out locked.pem")
        let locked = try shop.read("locked.pem")
        let chain = Array(fixture.whole.chain.map(\.pem).joined().utf8)
        for contents in [try fixture.read(locked + chain, "secret"), try fixture.read(chain, key: locked, "secret")] {
            #expect(try contents.select(nil).identity.chain == fixture.sent)
            #expect(contents.warnings == [legacy].compactMap { $0.map(IdentityWarning.legacyEncryption) })
        }
        #expect(failure { try fixture.read(chain, key: locked, "Secret") } == .wrongPassword)
        #expect(failure { try fixture.read(chain, key: locked) } == .passwordNeeded)
    }

    @Test("C48: odd layouts", arguments: ["P-256", "P-384", "P-521"])
    func parametersBeforeTheKey(curve: String) throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        let name = ["P-256": "prime256v1", "P-384": "secp384r1", "P-521": "secp521r1"][curve] ?? ""
        try shop.openssl("ecparam -name \(name) -genkey -out key.pem")
        try shop.openssl("req -x509 -key key.pem -subj /CN=odd -days 30 -out leaf.pem")
        try shop.openssl("x509 -in leaf.pem -trustout -addtrust clientAuth -out trusted.pem")
        let key = try shop.read("key.pem")
        #expect(String(decoding: key, as: UTF8.self).hasPrefix("-----BEGIN EC PARAMETERS-----"))
        for certificate in ["leaf.pem", "trusted.pem"] {
            let contents = try fixture.read(shop.read(certificate) + key)
            #expect(contents.candidates.map(\.subject) == ["CN=odd"])
            #expect(contents.candidates[0].identity.key.description == "EC \(curve)")
        }
    }

    @Test("C48: glued blocks are malformed, with their line")
    func gluedBlocks() throws {
        let fixture = try ClientFixture()
        let key = String(decoding: fixture.whole.key.pem(), as: UTF8.self)
        // The key has five lines: begin, three of base64, end.
        let glued = String(key.dropLast()) + fixture.leaf.pem
        #expect(failure { try fixture.read(Array(glued.utf8)) } == .damaged("malformed PEM at line 5"))
        let oneLine = "-----BEGIN CERTIFICATE----------END CERTIFICATE-----\n" + key
        #expect(failure { try fixture.read(Array(oneLine.utf8)) } == .damaged("malformed PEM at line 1"))
        let unfinished = key + fixture.leaf.pem.prefix(100)
        #expect(
            failure { try fixture.read(Array(unfinished.utf8)) }
                == .damaged("malformed PEM at line 6: the block does not end"))
        let garbled = key + fixture.leaf.pem.replacing("MII", with: "M!I", maxReplacements: 1)
        #expect(
            failure { try fixture.read(Array(garbled.utf8)) }
                == .damaged("malformed PEM at line 6: the block is not base64"))
    }

    @Test("C49: the intermediate of an identity is sent")
    func intermediateIsSent() throws {
        let fixture = try ClientFixture()
        let file = fixture.whole.key.pem() + Array(fixture.sent.map(\.pem).joined().utf8)
        // The peer trusts the root only.
        let pair = try TLSPair(fixture.authority, identity: fixture.read(file).select(nil).identity)
        #expect(pair.handshake().client == .complete)
        #expect(pair.client.peerChain == fixture.sent)
    }

    @Test("C47: of two certificates for one key, the valid and newest one")
    func twoCertificatesForOneKey() throws {
        let fixture = try ClientFixture()
        let key = fixture.whole.key
        func leaf(_ notBefore: Int64, _ notAfter: Int64) throws -> Certificate {
            try fixture.authority.server(
                .dns("api.pinproof.test"), notBefore: notBefore, notAfter: notAfter, key: key,
                issuer: fixture.intermediate
            ).chain[0]
        }
        let expired = try leaf(-3000, -1000)
        let (older, newer, future) = (try leaf(-2000, 1000), try leaf(-1000, 900), try leaf(1000, 3000))
        for certificates in [[expired, older, newer, future], [future, newer, older, expired]] {
            let contents = try fixture.read(key.pem() + Array(certificates.map(\.pem).joined().utf8))
            let chosen = try contents.select(nil)
            #expect(chosen.identity.chain == [newer])
            let others = contents.warnings.filter { if case .otherCertificate = $0 { true } else { false } }
            #expect(others.count == 3)
            // Whoever names another gets it.
            #expect(try contents.select(hex(older.sha256)).identity.chain == [older])
        }
        let late = try fixture.read(key.pem() + Array(expired.pem.utf8))
        #expect(late.warnings == [.expired(expired.subject)])
        let early = try fixture.read(key.pem() + Array(future.pem.utf8))
        #expect(early.warnings == [.notYetValid(future.subject)])
    }

    @Test func whatDoesNotBelongTogether() throws {
        let fixture = try ClientFixture()
        let stranger = try PrivateKey.generate(.p256).pem()
        let leaf = Array(fixture.leaf.pem.utf8)
        #expect(
            failure { try fixture.read(leaf, key: stranger) }
                == .keyDoesNotMatch(keys: ["EC P-256"], certificates: [fixture.leaf.subject]))
        #expect(failure { try fixture.read(stranger) } == .noCertificate)
        // Beside an identity it is left over.
        let contents = try fixture.read(stranger + leaf + fixture.whole.key.pem())
        #expect(contents.candidates.count == 1)
        #expect(contents.warnings == [.unusedKeys(["EC P-256"])])
    }

    @Test func keysWithPasswordsOfTheirOwn() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        let other = try TestAuthority("Other").root
        try shop.write("first.key", fixture.whole.key.pem())
        try shop.write("second.key", other.key.pem())
        try shop.openssl("pkcs8 -topk8 -in first.key -passout pass:first -out first.pem")
        try shop.openssl("pkcs8 -topk8 -in second.key -passout pass:second -out second.pem")
        let leaves = Array((fixture.leaf.pem + other.chain[0].pem).utf8)
        let file = try shop.read("first.pem") + shop.read("second.pem") + leaves
        let contents = try fixture.read(file, "second")
        #expect(try contents.select(nil).identity.chain == other.chain)
        #expect(contents.warnings == [.unusedCertificates([fixture.leaf.subject]), .locked(1)])
        #expect(failure { try fixture.read(file, "third") } == .wrongPassword)
        // The password opens a key, but not the one whose certificate is there.
        let foreign = try shop.read("first.pem") + shop.read("second.pem") + Array(fixture.leaf.pem.utf8)
        #expect(failure { try fixture.read(foreign, "second") } == .wrongPassword)
    }

    @Test func keysThatTLSCannotSignWithAreNamed() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.openssl("genpkey -algorithm X25519 -out key.pem")
        #expect(
            failure { try fixture.read(Array(fixture.leaf.pem.utf8), key: shop.read("key.pem")) }
                == .unsupportedAlgorithm("a key of the kind X25519"))
        let openSSH = "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"
        #expect(
            failure { try fixture.read(Array(openSSH.utf8)) }
                == .unsupportedAlgorithm("a key in the form “OPENSSH PRIVATE KEY”"))
    }

    @Test func derIsReadToo() throws {
        let (fixture, shop) = (try ClientFixture(), try Workshop())
        try shop.write("key.pem", fixture.whole.key.pem())
        try shop.openssl("pkcs8 -topk8 -nocrypt -in key.pem -outform DER -out key.der")
        try shop.openssl("ec -in key.pem -outform DER -out ec.der")
        try shop.openssl("pkcs8 -topk8 -in key.pem -outform DER -passout pass:x -out locked.der")
        for key in ["key.der", "ec.der", "locked.der"] {
            let contents = try fixture.read(fixture.leaf.der, key: shop.read(key), "x")
            #expect(contents.candidates[0].identity.chain == [fixture.leaf], "\(key)")
        }
    }
}
