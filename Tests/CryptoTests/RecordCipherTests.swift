import Crypto
import Testing
import Wire

/// Vectors that Python's `cryptography` made.
struct RecordCipherTests {
    struct Vector: Sendable {
        let cipher: RecordCipher
        let key: String
        let nonce: String
        let additional: String
        let sealed: String
        let plain: String
    }

    static let vectors: [Vector] = [
        Vector(
            cipher: .aes128GCM, key: "000102030405060708090a0b0c0d0e0f", nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "3b197ccaa0f9ab0e4b59b0d839530f66b4c084fe", plain: "02301500"),
        Vector(
            cipher: .aes128GCM, key: "000102030405060708090a0b0c0d0e0f", nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "3756c51cf22faa96dc163839f042c8dc", plain: ""),
        Vector(
            cipher: .aes256GCM, key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "e089bb232d9a8dd350037f7319c4e987a3304004", plain: "02301500"),
        Vector(
            cipher: .aes256GCM, key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "e61b4a145c0f24febc18411b25bf5e3e", plain: ""),
        Vector(
            cipher: .chaCha20Poly1305, key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "fa646981d403f8e16ef2a44a5c0aecd134aaae16", plain: "02301500"),
        Vector(
            cipher: .chaCha20Poly1305, key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "0b59a8caa61252ee4c26c777928129b3", plain: ""),
        Vector(
            cipher: .aes128CCM, key: "000102030405060708090a0b0c0d0e0f", nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "72bfb82e4a079c8a1c926993c349ed1c9b1bcb5f", plain: "02301500"),
        Vector(
            cipher: .aes128CCM, key: "000102030405060708090a0b0c0d0e0f", nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "7dc81c01c14ac5fe0eb9c0104332f080", plain: ""),
        Vector(
            cipher: .aes128CCM8, key: "000102030405060708090a0b0c0d0e0f", nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "72bfb82ed0f25594af43c07a", plain: "02301500"),
        Vector(
            cipher: .aes128CCM8, key: "000102030405060708090a0b0c0d0e0f", nonce: "404142434445464748494a4b",
            additional: "1703030015", sealed: "b7832eb839aa0bc3", plain: ""),
    ]

    private func octets(_ digits: String) -> [UInt8] { Hex.decode(digits.utf8) ?? [] }

    @Test(arguments: vectors) func opens(_ vector: Vector) {
        let (key, nonce) = (octets(vector.key), octets(vector.nonce))
        let sealed = octets(vector.sealed)
        let additional = octets(vector.additional)
        #expect(
            vector.cipher.open(sealed, key: key, nonce: nonce, additional: additional).map(hex) == vector.plain)
        for index in [0, sealed.count - 1] {
            var changed = sealed
            changed[index] ^= 1
            #expect(vector.cipher.open(changed, key: key, nonce: nonce, additional: additional) == nil)
        }
        #expect(vector.cipher.open(sealed, key: key, nonce: nonce, additional: additional + [0]) == nil)
    }

    /// Whatever a file says.
    @Test(arguments: RecordCipher.allCases) func nothingElseOpens(_ cipher: RecordCipher) {
        let (key, nonce) = ([UInt8](repeating: 1, count: cipher.keyLength), [UInt8](repeating: 2, count: 12))
        for length in [0, 1, 7, 8, 15, 16, 17, 40] {
            #expect(
                cipher.open([UInt8](repeating: 3, count: length), key: key, nonce: nonce, additional: [23]) == nil)
        }
        #expect(cipher.open([UInt8](repeating: 3, count: 40), key: [], nonce: nonce, additional: []) == nil)
        #expect(cipher.open([UInt8](repeating: 3, count: 40), key: key, nonce: [], additional: []) == nil)
    }
}
