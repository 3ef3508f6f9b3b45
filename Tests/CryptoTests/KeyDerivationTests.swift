import Crypto
import Testing
import Wire

/// Expected octets are those of the RFCs and of the openssl command, as each test says.
struct KeyDerivationTests {
    private func octets(_ digits: String) -> [UInt8] { Hex.decode(digits.utf8) ?? [] }

    /// RFC 5869, appendix A.1 and A.3.
    @Test func expandsAsTheRFCSays() {
        #expect(
            KeyDerivation.expand(
                .sha256, secret: octets("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"),
                info: octets("f0f1f2f3f4f5f6f7f8f9"), length: 42
            ).map(hex)
                == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        #expect(
            KeyDerivation.expand(
                .sha256, secret: octets("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"), info: [],
                length: 42
            ).map(hex)
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    }

    /// RFC 8448 section 3: the server's handshake keys and its finished key.
    @Test func expandsLabelsAsThePublishedTraceDoes() {
        let secret = octets("b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38")
        func label(_ label: String, _ length: Int) -> String? {
            KeyDerivation.expandLabel(.sha256, secret: secret, label, length: length).map(hex)
        }
        #expect(label("key", 16) == "3fce516009c21727d0f2e4e86ee403bc")
        #expect(label("iv", 12) == "5d313eb2671276ee13000b30")
        #expect(label("finished", 32) == "008d3b66f816ea559f96b537e885c31fc068bf492c652f01f288a1d8cdc19fc8")
    }

    /// The vector of the TLS working group's list (msg03416), and one of `openssl kdf -kdfopt digest:SHA384 TLS1-PRF`.
    @Test func thePseudorandomFunctionOfTLS12() {
        #expect(
            KeyDerivation.pseudorandom(
                .sha256, secret: octets("9bbe436ba940f017b17652849a71db35"), label: "test label",
                seed: octets("a0ba9f936cda311827a6f796ffd5198c"), length: 32
            ).map(hex)
                == "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a")
        #expect(
            KeyDerivation.pseudorandom(
                .sha384, secret: octets("0102030405060708"), label: "client finished", seed: octets("aabbccdd"),
                length: 24
            ).map(hex)
                == "a27be0f59405bcfeefe4969a7312914408f321a93569f957")
    }

    /// RFC 4231, test case 2.
    @Test func hmac() {
        let content = Array("what do ya want for nothing?".utf8)
        #expect(
            KeyDerivation.hmac(.sha256, key: Array("Jefe".utf8), content).map(hex)
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            KeyDerivation.hmac(.sha384, key: Array("Jefe".utf8), content).map(hex)
                == "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649")
    }

    /// RFC 5869 section 2.3: at most 255 digests.
    @Test func moreThanThereIsIsNone() {
        #expect(KeyDerivation.expand(.sha256, secret: [1], info: [], length: 255 * 32)?.count == 8160)
        #expect(KeyDerivation.expand(.sha256, secret: [1], info: [], length: 255 * 32 + 1) == nil)
    }
}
