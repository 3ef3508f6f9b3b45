import Crypto
import Testing

/// The examples of FIPS 180-4 and RFC 1321.
@Suite struct DigestTests {
    @Test func ofABC() {
        let abc = Array("abc".utf8)
        #expect(hex(Digest.sha256(abc)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hex(Digest.sha1(abc)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(hex(Digest.md5(abc)) == "900150983cd24fb0d6963f7d28e17f72")
    }

    @Test func ofNothing() {
        #expect(hex(Digest.sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hex(Digest.md5([])) == "d41d8cd98f00b204e9800998ecf8427e")
    }
}
