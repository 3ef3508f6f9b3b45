import Crypto
import Testing

/// Files that would cost more than anyone wants to wait.
///
/// Written by hand from RFC 5958 and RFC 8018: EncryptedPrivateKeyInfo around sixteen zeros.
@Suite struct IdentityHostileTests {
    private static func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        precondition(content.count < 128, "the short form of lengths is enough here")
        return [tag, UInt8(content.count)] + content
    }

    private static let salt = element(0x04, [1, 2, 3, 4, 5, 6, 7, 8])
    private static let aes256 = element(
        0x30, [0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 0x2A], element(0x04, [UInt8](repeating: 0, count: 16)))

    /// PBES2 with this key derivation.
    private static func key(_ derivation: [UInt8]) -> [UInt8] {
        let pbes2: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 13]
        return element(
            0x30, element(0x30, pbes2, element(0x30, derivation, aes256)),
            element(0x04, [UInt8](repeating: 0, count: 16)))
    }

    private static func pbkdf2(_ iterations: [UInt8]) -> [UInt8] {
        let identifier: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 12]
        return key(element(0x30, identifier, element(0x30, salt, element(0x02, iterations))))
    }

    private static func scrypt(cost: [UInt8], blockSize: UInt8, parallelization: [UInt8]) -> [UInt8] {
        let identifier: [UInt8] = [0x06, 9, 0x2B, 6, 1, 4, 1, 0xDA, 0x47, 4, 11]
        return key(
            element(
                0x30, identifier,
                element(
                    0x30, salt, element(0x02, cost), element(0x02, [blockSize]), element(0x02, parallelization))))
    }

    private func failure(_ file: [UInt8]) -> IdentityError? {
        CryptoTests.failure { try IdentityReader.read(file, at: 0) { Array("x".utf8) } }
    }

    @Test func roundsOfKeyDerivationAreLimited() {
        let refused = IdentityError.tooCostly("its passwords take more than 10000000 rounds of key derivation")
        // 10,000,001; 2^31 - 1; 2^64 - 1; 2^72.
        for iterations: [UInt8] in [
            [0x00, 0x98, 0x96, 0x81], [0x7F, 0xFF, 0xFF, 0xFF], [0] + [UInt8](repeating: 0xFF, count: 8),
            [1] + [UInt8](repeating: 0, count: 9),
        ] {
            #expect(failure(Self.pbkdf2(iterations)) == refused)
        }
        // A thousand are tried, and what comes out is no key.
        #expect(failure(Self.pbkdf2([0x03, 0xE8])) == .wrongPassword)
    }

    @Test func theCostOfScryptIsLimited() {
        let refused = IdentityError.tooCostly("its passwords take more than 10000000 rounds of key derivation")
        #expect(failure(Self.scrypt(cost: [0x40, 0, 0, 0], blockSize: 8, parallelization: [1])) == refused)
        #expect(failure(Self.scrypt(cost: [0x40, 0], blockSize: 8, parallelization: [0x7F, 0xFF])) == refused)
        #expect(failure(Self.scrypt(cost: [0x04, 0], blockSize: 8, parallelization: [1])) == .wrongPassword)
    }

    @Test(arguments: [[0xFF], [0x80, 0, 0, 0]] as [[UInt8]])
    func countsBelowZeroAreDamage(iterations: [UInt8]) {
        #expect(failure(Self.pbkdf2(iterations)) == .damaged("the parameters of an encryption cannot be read"))
    }

    @Test func manyKeysAreRefused() throws {
        let file = try (0..<65).flatMap { _ in try PrivateKey.generate(.p256).pem() }
        #expect(failure(file) == .tooCostly("it has more than 64 keys"))
    }

    @Test func manyBlocksAreRefused() {
        let block = "-----BEGIN X-----\nAAAA\n-----END X-----\n"
        let file = Array(String(repeating: block, count: 1001).utf8)
        #expect(failure(file) == .tooCostly("it has more than 1000 parts"))
    }

    @Test func textOfTheFileIsNotPrintedAsItIs() {
        let label = "-----BEGIN \u{1B}[2J PRIVATE KEY-----\nAAAA\n-----END \u{1B}[2J PRIVATE KEY-----\n"
        #expect(failure(Array(label.utf8)) == .unsupportedAlgorithm("a key in the form “?[2J PRIVATE KEY”"))
        let cipher = """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: \u{1B}[2J,0000000000000000

            AAAA
            -----END EC PRIVATE KEY-----
            """
        #expect(failure(Array(cipher.utf8)) == .unsupportedAlgorithm("?[2J"))
    }
}
