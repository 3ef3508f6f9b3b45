import Crypto
import Foundation
import Testing

/// PKCS#12 files that no common program writes but that RFC 7292 allows, laid out by hand: no encryption, no MAC.
@Suite struct IdentityBagTests {
    private let fixture: ClientFixture

    init() throws { fixture = try ClientFixture() }

    private static func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        // Lengths in two bytes, which is BER where one would do.
        return [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    /// 1.2.840.113549.1.12.10.1.N: the types of bags (RFC 7292, 4.2).
    private static func bag(_ type: UInt8, _ value: [UInt8], name: String? = nil) -> [UInt8] {
        let identifier: [UInt8] = [0x06, 11, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 12, 10, 1, type]
        // friendlyName is 1.2.840.113549.1.9.20.
        let attribute = name.map { name in
            let text = Array(name.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            return element(
                0x31,
                element(
                    0x30, [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 20],
                    element(0x31, element(0x1E, text))))
        }
        return element(0x30, identifier, element(0xA0, value), attribute ?? [])
    }

    private static func key(_ key: PrivateKey, name: String? = nil) throws -> [UInt8] {
        let lines = String(decoding: key.pem(), as: UTF8.self).split(separator: "\n").dropFirst().dropLast()
        return bag(1, [UInt8](try #require(Data(base64Encoded: lines.joined()))), name: name)
    }

    private static func certificate(_ certificate: Certificate, name: String? = nil) -> [UInt8] {
        // x509Certificate is 1.2.840.113549.1.9.22.1.
        let identifier: [UInt8] = [0x06, 10, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 22, 1]
        return bag(3, element(0x30, identifier, element(0xA0, element(0x04, certificate.der))), name: name)
    }

    private static func nested(_ bags: [UInt8]) -> [UInt8] { bag(6, element(0x30, bags)) }

    /// ContentInfo of the type data (RFC 2315).
    private static func data(_ content: [UInt8]) -> [UInt8] {
        element(0x30, [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1], element(0xA0, element(0x04, content)))
    }

    private static func file(_ bags: [UInt8]...) -> [UInt8] {
        let safes = bags.flatMap { data(element(0x30, $0)) }
        return element(0x30, [0x02, 1, 3], data(element(0x30, safes)))
    }

    @Test func bagsInBags() throws {
        let bags = try Self.key(fixture.whole.key) + Self.nested(Self.certificate(fixture.whole.chain[1]))
        let file = Self.file(Self.nested(bags), Self.nested(Self.nested(Self.certificate(fixture.leaf))))
        #expect(try fixture.read(file).select(nil).identity.chain == fixture.sent)
    }

    @Test(arguments: [40, 300])
    func bagsInBagsWithoutEndAreRefused(depth: Int) throws {
        var bags = Self.certificate(fixture.leaf)
        for _ in 0..<depth { bags = Self.nested(bags) }
        #expect(failure { try fixture.read(Self.file(bags)) } == .damaged("a part cannot be read"))
    }

    @Test func severalKeysAndCertificatesInAnyOrder() throws {
        let other = try TestAuthority("Other").root
        let file = Self.file(
            Self.certificate(fixture.whole.chain[1]) + Self.certificate(other.chain[0], name: "second"),
            try Self.key(fixture.whole.key, name: "first") + Self.key(other.key, name: "ignored")
                + Self.key(.generate(.p256)),
            Self.certificate(fixture.leaf))
        let contents = try fixture.read(file)
        #expect(contents.candidates.map(\.friendlyName) == ["first", "second"])
        #expect(contents.candidates.map(\.identity.chain) == [fixture.sent, other.chain])
        #expect(contents.warnings == [.noMAC, .unusedKeys(["EC P-256"])])
        #expect(try contents.select("Second").identity.chain == other.chain)
    }

    @Test func indefiniteLengths() throws {
        let file = Self.file(try Self.key(fixture.whole.key) + Self.certificate(fixture.leaf))
        let open = [0x30, 0x80] + file.dropFirst(4) + [0, 0]
        #expect(try fixture.read(open).select(nil).identity.chain == [fixture.leaf])
    }

    @Test func namesAreNotPrintedAsTheyAre() throws {
        let file = Self.file(
            try Self.key(fixture.whole.key) + Self.certificate(fixture.leaf, name: "a\u{1B}[2Jb"))
        #expect(try fixture.read(file).select(nil).friendlyName == "a\u{FFFD}[2Jb")
    }

    @Test func aPartThatCannotBeReadIsPassedOver() throws {
        let file = Self.file(
            try Self.key(fixture.whole.key) + Self.certificate(fixture.leaf), [0x30, 0x05, 0x01])
        #expect(try fixture.read(file).warnings == [.noMAC, .unreadablePart("it is damaged: a part cannot be read")])
    }
}
