import Authority
import Crypto
import TestSupport
import Testing
import Wire

/// Thousands of leaves for whatever hosts there are, taken apart octet by octet as RFC 5280 says.
@Suite struct ManyLeavesTests {
    @Test("C30, C32, C57, C58, C61: 5,000 leaves of one CA, before and after a restart")
    func strictLeaves() async throws {
        let folder = try TemporaryFolder()
        let home = folder.path + "/ca"
        // Younger than a leaf's back-dating, and gone before a leaf's usual end: both bounds of its own time matter.
        let made = try CertificateAuthority.create(in: home, days: 300, now: now - day)
        var serials: Set<ArraySlice<UInt8>> = [try Leaf(made.certificate).serial]
        var hosts = RandomHosts(seed: 58)
        var longest = 0
        // A sanitizer looks for something else, and takes its time.
        let half = isSanitized ? 250 : 2500
        for start in 0..<2 {
            let authority = try CertificateAuthority.load(
                certificateFile: home + "/ca.pem", keyFile: home + "/ca.key", now: now
            ).authority
            let issuer = try Leaf(authority.certificate)
            for number in 0..<half {
                // Others have their turn.
                await Task.yield()
                let expected = hosts.next()
                let seconds = now + Int64(start * half + number) * 3600
                let certificate = try authority.issue(
                    LeafRequest(host: host(expected.text)), now: seconds
                ).chain[0]
                do {
                    let leaf = try Leaf(certificate)
                    try leaf.check(expected, below: issuer, at: seconds, within: authority.certificate)
                    try #require(serials.insert(leaf.serial).inserted)
                } catch {
                    Issue.record("\(expected.text): \(error)")
                    return
                }
                longest = max(longest, expected.text.utf8.count)
            }
        }
        #expect(serials.count == 2 * half + 1)
        #expect(longest == 253)
    }

    @Test("C59: 10,000 names leave no more leaves in memory than are kept")
    func boundedCache() async throws {
        struct Minted {
            weak var certificate: Certificate?
        }
        let forge = Forge(authority: try CertificateAuthority.ephemeral(now: now))
        var hosts = RandomHosts(seed: 59)
        var minted: [Minted] = []
        let total = isSanitized ? 1_500 : 10_000
        for _ in 0..<total {
            await Task.yield()
            let leaf = try forge.leaf(for: host(hosts.next().text), now: now)
            if !leaf.fromCache { minted.append(Minted(certificate: leaf.identity.chain[0])) }
        }
        // Random names hardly ever come again; a Forge keeps 1,024 if it is not told otherwise.
        #expect(minted.count > total - 100)
        #expect(minted.count { $0.certificate != nil } == 1024)
    }
}

/// A certificate in parts.
private struct Leaf {
    let serial: ArraySlice<UInt8>
    let issuer: DERReader.Value
    let subject: DERReader.Value
    let validity: [DERReader.Value]
    /// The body of each extension and whether it is critical, by the octets of its identifier.
    private var extensions: [[UInt8]: (isCritical: Bool, body: DERReader.Value)] = [:]
    private let certificate: Certificate

    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    // 2.5.29.x, and the dNSName and iPAddress of GeneralName (RFC 5280 sections 4.2.1 and 4.2.1.6).
    private static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x0E]
    private static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]
    private static let subjectAltName: [UInt8] = [0x55, 0x1D, 0x11]
    private static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]
    private static let authorityKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x23]
    private static let extendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25]

    init(_ certificate: Certificate) throws {
        self.certificate = certificate
        var reader = DERReader(certificate.der[...])
        let whole = try reader.next().children()
        try Self.require(reader.rest.isEmpty && whole.map(\.tag) == [0x30, 0x30, 0x03], "a certificate")
        let parts = try whole[0].children()
        // [0] version, serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo, [3] extensions
        try Self.require(
            parts.map(\.tag) == [0xA0, 0x02, 0x30, 0x30, 0x30, 0x30, 0x30, 0xA3], "the parts of version 3")
        try Self.require(parts[0].only() == DERReader.Value(tag: 0x02, content: [2]), "version 3")
        try Self.require(parts[2] == whole[1], "the same algorithm inside and outside")
        (serial, issuer, validity, subject) = (parts[1].content, parts[3], try parts[4].children(), parts[5])
        for one in try parts[7].only().children() {
            let fields = try one.children()
            let isCritical = fields.count == 3
            // FALSE is the default, which DER does not encode (X.690 section 11.5).
            try Self.require(
                fields.map(\.tag) == (isCritical ? [0x06, 0x01, 0x04] : [0x06, 0x04])
                    && (!isCritical || fields[1].content == [0xFF]), "an extension")
            let identifier = Array(fields[0].content)
            try Self.require(extensions[identifier] == nil, "each extension once")
            var body = DERReader(fields[fields.count - 1].content)
            extensions[identifier] = (isCritical, try body.next())
            try Self.require(body.rest.isEmpty, "one value in an extension")
        }
    }

    /// Throws what is wrong with a leaf for a host.
    func check(_ host: RandomHosts.Host, below authority: Leaf, at now: Int64, within issuing: Certificate) throws {
        try Self.require((1...20).contains(serial.count), "a serial of 1 to 20 octets")
        try Self.require((serial.first ?? 0x80) < 0x80 && serial != [0], "a positive serial")
        try Self.require(issuer == authority.subject, "the issuer's name")

        let fits = host.commonName.utf8.count <= 64
        let name = try subject.children()
        try Self.require(name.count == (fits ? 1 : 0), "a common name of 64 characters at most")
        if fits {
            // RelativeDistinguishedName { AttributeTypeAndValue { 2.5.4.3, text } }
            let attribute = try name[0].only().children()
            try Self.require(attribute[0].content == [0x55, 0x04, 0x03], "a common name")
            try Self.require(Array(attribute[1].content) == Array(host.commonName.utf8), "the host as common name")
        }
        let names = try body(Self.subjectAltName, critical: !fits).children()
        try Self.require(names.map { [$0.tag] + $0.content } == host.names, "exactly the host's names")

        let own = try body(Self.subjectKeyIdentifier, critical: false)
        try Self.require(own.tag == 0x04 && own.content.count == 20, "a subjectKeyIdentifier")
        let issuers = try authority.body(Self.subjectKeyIdentifier, critical: false)
        let named = try body(Self.authorityKeyIdentifier, critical: false)
        try Self.require(named.only() == .init(tag: 0x80, content: issuers.content), "the CA's key identifier alone")
        // digitalSignature alone: one bit of eight.
        let usage = try body(Self.keyUsage, critical: true)
        try Self.require(usage == .init(tag: 0x03, content: [7, 0x80]), "digitalSignature")
        // serverAuth alone: 1.3.6.1.5.5.7.3.1.
        let purpose = try body(Self.extendedKeyUsage, critical: false).only()
        try Self.require(purpose.content == [0x2B, 6, 1, 5, 5, 7, 3, 1], "serverAuth")
        try Self.require(body(Self.basicConstraints, critical: true).content == [], "no CA")
        try Self.require(extensions.count == 6, "these extensions and no others")

        // UTCTime up to 2049 (RFC 5280 section 4.1.2.5), which Crypto reads; the dates themselves are compared here.
        try Self.require(validity.map(\.tag) == [0x17, 0x17], "two times of the right kind")
        try Self.require(validity.allSatisfy { $0.content.count == 13 && $0.content.last == 0x5A }, "in UTC")
        let (first, last) = (certificate.notBefore, certificate.notAfter)
        try Self.require(first == max(now - 172_800, issuing.notBefore), "back-dated by 48 hours inside the CA's time")
        try Self.require(last == min(first + 397 * 86_400 - 1, issuing.notAfter), "the end of its time")
        try Self.require(last - first + 1 <= 397 * 86_400, "397 days at most")
    }

    private func body(_ identifier: [UInt8], critical: Bool) throws -> DERReader.Value {
        guard let found = extensions[identifier] else { throw Wrong(description: "no extension \(identifier)") }
        try Self.require(found.isCritical == critical, "extension \(identifier) critical: \(critical)")
        return found.body
    }

    private static func require(_ isSo: Bool, _ what: String) throws {
        if !isSo { throw Wrong(description: "it should be: \(what)") }
    }
}

/// Hosts of every kind that a client may name, from a seed.
private struct RandomHosts {
    struct Host {
        /// As a client writes it.
        let text: String
        /// As it stands in a common name.
        let commonName: String
        /// The GeneralNames that a leaf for it has, tag and octets.
        let names: [[UInt8]]
    }

    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> Host {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
            let octets = generator.bytes(4)
            let text = octets.map { "\($0)" }.joined(separator: ".")
            // The address, and its IPv4-mapped form of 16 octets.
            return Host(
                text: text, commonName: text,
                names: [[0x87] + octets, [0x87] + [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + octets])
        case 1:
            // A global unicast address with no zeroes to leave out, so that it is written in one way.
            let groups = [0x2001] + (0..<7).map { _ in Int.random(in: 0x1000...0xFFFF, using: &generator) }
            let text = groups.map { String($0, radix: 16) }.joined(separator: ":")
            return Host(
                text: text, commonName: text, names: [[0x87] + groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }])
        case 2: return name(Self.full)
        default:
            return name(
                (0..<Int.random(in: 1...4, using: &generator)).map { _ in Int.random(in: 1...62, using: &generator) })
        }
    }

    /// Labels as long as labels can be, in a name as long as names can be: 253 characters.
    private static let full = [63, 63, 63, 61]

    private mutating func name(_ lengths: [Int]) -> Host {
        // The last label is never a number, decimal or hexadecimal, or the host would be an address.
        let text = lengths.map { label($0) }.joined(separator: ".").dropLast() + "z"
        return Host(text: String(text), commonName: String(text), names: [[0x82] + Array(text.utf8)])
    }

    private mutating func label(_ length: Int) -> String {
        let inner = Array("abcdefghijklmnopqrstuvwxyz0123456789-")
        return String(
            (0..<length).map { index in
                // A hyphen neither begins nor ends a label, nor are there two together, as in A-labels.
                let last = index == 0 || index == length - 1 || index == 3 ? inner.count - 1 : inner.count
                return inner[Int.random(in: 0..<last, using: &generator)]
            })
    }
}
