import Testing

@testable import Pinning

/// Names as Java compares them (PS-4-5).
@Suite struct PrincipalNameTests {
    private static let commonName: [UInt8] = [0x06, 3, 0x55, 4, 3]
    private static let organization: [UInt8] = [0x06, 3, 0x55, 4, 10]

    private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }

    private static func attribute(_ type: [UInt8], _ text: String, tag: UInt8 = 0x0C) -> [UInt8] {
        tagged(0x30, type + tagged(tag, Array(text.utf8)))
    }

    /// A name of relative names, each of attributes.
    private static func name(_ parts: [[UInt8]]...) -> [UInt8] {
        tagged(0x30, parts.flatMap { tagged(0x31, $0.flatMap { $0 }) })
    }

    private static let plain = name([attribute(commonName, "An Issuer")])

    @Test(
        "PS-4-5: case, blanks and which of the two string types do not matter",
        arguments: [
            name([attribute(commonName, "AN ISSUER")]), name([attribute(commonName, "  an   issuer ")]),
            name([attribute(commonName, "An Issuer", tag: 0x13)]),
        ])
    func same(other: [UInt8]) {
        #expect(other != Self.plain)
        #expect(PrincipalName(other) == PrincipalName(Self.plain))
    }

    @Test(
        "PS-4-5: everything else does",
        arguments: [
            name([attribute(commonName, "AnIssuer")]), name([attribute(organization, "An Issuer")]),
            // T61String and IA5String are compared as they are encoded.
            name([attribute(commonName, "An Issuer", tag: 0x14)]),
            name([attribute(commonName, "An Issuer", tag: 0x16)]),
            name([attribute(commonName, "An Issuer")], [attribute(organization, "x")]), name(), [], [0x30],
            plain + [0], Array(plain.dropLast()), [0x30, 0x83, 0xFF, 0xFF, 0xFF], [0x30, 0x84, 0, 0, 0, 0],
        ])
    func different(other: [UInt8]) { #expect(PrincipalName(other) != PrincipalName(Self.plain)) }

    @Test("PS-4-5: the order of relative names counts, that of attributes inside one does not")
    func order() {
        let (common, organization) = (Self.attribute(Self.commonName, "a"), Self.attribute(Self.organization, "b"))
        #expect(
            PrincipalName(Self.name([common, organization])) == PrincipalName(Self.name([organization, common])))
        #expect(
            PrincipalName(Self.name([common], [organization])) != PrincipalName(Self.name([organization], [common])))
        #expect(PrincipalName(Self.name([common, organization])) != PrincipalName(Self.name([common], [organization])))
    }

    @Test("PS-4-5: IA5 text of another case, and what is no name, equals only itself")
    func unreadable() {
        let (lower, upper) = (
            Self.attribute(Self.commonName, "a", tag: 0x16), Self.attribute(Self.commonName, "A", tag: 0x16)
        )
        #expect(PrincipalName(Self.name([lower])) != PrincipalName(Self.name([upper])))
        #expect(PrincipalName(Self.name([lower])) == PrincipalName(Self.name([lower])))
        #expect(PrincipalName([1, 2]) == PrincipalName([1, 2]))
        #expect(PrincipalName([1, 2]) != PrincipalName([1, 3]))
        // A relative name that is none.
        #expect(PrincipalName([0x30, 3, 0x31, 1, 0x30]) != PrincipalName([0x30, 3, 0x31, 1, 0x31]))
    }
}
