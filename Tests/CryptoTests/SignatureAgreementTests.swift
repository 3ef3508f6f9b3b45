import Crypto
import Pinning
import Testing
import Wire

/// Certificates that name the algorithm of their signature in two ways (PS-0.4-4).
@Suite struct SignatureAgreementTests {
    /// sha256WithRSAEncryption with the NULL that RFC 4055 asks for, and without.
    private static let usual: [UInt8] = [0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0b, 5, 0]
    private static let short: [UInt8] = [0x30, 0x0b, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0b]
    /// sha384WithRSAEncryption.
    private static let other: [UInt8] = [0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0c, 5, 0]

    private let root: TLSIdentity
    private let leaf: Certificate
    /// The inside of the leaf's TBSCertificate.
    private let content: [UInt8]

    init() throws {
        let pki = try Hierarchy(rootKey: .rsa(2048))
        root = pki.root
        leaf = try pki.leaf(issuer: root)
        // The outer sequence and the one inside have headers of four octets, as they are between 256 and 65535 long.
        let length = Int(leaf.der[6]) << 8 | Int(leaf.der[7])
        content = Array(leaf.der[8..<8 + length])
    }

    /// Puts a certificate together and signs it with the root's key.
    private func certificate(inside: [UInt8], outside: [UInt8]) throws -> Certificate {
        let start = try #require(content.firstRange(of: Self.usual)).lowerBound
        var changed = content
        changed.replaceSubrange(start..<start + Self.usual.count, with: inside)
        let signed = sequence(changed)
        let shop = try Workshop()
        try shop.write("key.pem", root)
        try shop.write("content", signed)
        _ = try shop.openssl("dgst -sha256 -sign key.pem -out signature content")
        let signature = try shop.read("signature")
        #expect(signature.count == 256)
        // A bit string of 257 octets, the first of which counts unused bits.
        return try Certificate(der: sequence(signed + outside + [3, 0x82, 1, 1, 0] + signature))
    }

    private func sequence(_ content: [UInt8]) -> [UInt8] {
        [0x30, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
    }

    private func faults(_ leaf: Certificate, _ policy: TrustPolicy) throws -> [String] {
        try evaluate([leaf], policy: policy, anchors: root.chain).faults
    }

    @Test("PS-0.4-4: Apple and Java take a NULL that is missing inside or outside")
    func byIdentifier() throws {
        for (inside, outside) in [(Self.usual, Self.usual), (Self.short, Self.usual), (Self.usual, Self.short)] {
            let made = try certificate(inside: inside, outside: outside)
            for policy in [TrustPolicy.basicX509, server("api.example.com"), .jvm] {
                let result = try evaluate([made], policy: policy, anchors: root.chain)
                #expect(result.faults == [])
                #expect(result.path.map(\.der) == [made.der, root.chain[0].der])
            }
        }
    }

    @Test(
        "PS-0.4-4: OpenSSL's clients and Android want the same octets",
        arguments: [.openssl(host: nil), .android] as [TrustPolicy])
    func exact(policy: TrustPolicy) throws {
        #expect(try faults(certificate(inside: Self.usual, outside: Self.usual), policy) == [])
        for (inside, outside) in [(Self.short, Self.usual), (Self.usual, Self.short), (Self.other, Self.usual)] {
            let errors = try evaluate(
                [certificate(inside: inside, outside: outside)], policy: policy, anchors: root.chain
            ).errors
            #expect(errors.first?.kind == .noAnchor)
            #expect(errors.first?.detail == "the two identifiers of its signature's algorithm differ")
        }
    }

    @Test("PS-0.4-4: another algorithm, or a signature that does not hold, is refused by all")
    func refused() throws {
        for policy in [TrustPolicy.basicX509, .jvm] {
            let result = try evaluate(
                [certificate(inside: Self.other, outside: Self.usual)], policy: policy, anchors: root.chain)
            #expect(result.faults.first == "noAnchor 0")
            #expect(result.errors.first?.detail == "the two identifiers of its signature's algorithm differ")
        }
        let sound = try certificate(inside: Self.short, outside: Self.usual).der
        for offset in [sound.count - 1, 30] {
            var forged = sound
            forged[offset] ^= 1
            let facts = CertificateFacts(der: forged, publicKey: nil, sha256: [], subject: "")
            let result = PathBuilder(platform: try TrustStore(anchors: root.chain)).evaluate(
                policy: .basicX509, anchors: nil, anchorsOnly: false, sent: [facts], time: pathTestTime)
            #expect(!result.valid, "octet \(offset)")
            let reason = "no certificate with the issuer's name has the key that signed this one"
            #expect(result.errors.first?.detail == reason || offset == 30)
        }
    }
}
