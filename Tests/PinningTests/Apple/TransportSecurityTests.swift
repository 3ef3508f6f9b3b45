import Pinning
import Testing
import Wire

/// App Transport Security, by hand from PS-6.2.
@Suite struct TransportSecurityTests {
    typealias Connection = TransportSecurity.Connection

    /// TLS 1.2 with ECDHE-RSA-AES128-GCM-SHA256.
    private static func connection(
        version: UInt16 = 0x0303, suite: UInt16 = 0xc02f,
        key: CertificateFacts.KeyKind? = .rsa(bits: 2048), hash: CertificateFacts.SignatureHash? = .sha256
    ) -> Connection {
        Connection(version: version, cipherSuite: suite, leaf: keyed("leaf", kind: key, signatureHash: hash))
    }

    private static func finding(
        under security: TransportSecurity = TransportSecurity(), _ connection: Connection?,
        host: String = "api.example.com"
    ) throws -> TransportSecurityFinding? {
        let reason = security.objection(to: try #require(HostName(host)), connection)
        #expect(reason.map { $0.rule.description == "PS-6.2" } ?? true)
        guard case .transportSecurity(let finding)? = reason?.kind else { return nil }
        return finding
    }

    @Test("PS-6.2: a connection without TLS is refused, one with sound TLS is not")
    func plain() throws {
        #expect(try Self.finding(nil) == .notSecure)
        #expect(try Self.finding(Self.connection()) == nil)
    }

    @Test(
        "PS-6.2: TLS 1.2 at least",
        arguments: [(0x0300, false), (0x0301, false), (0x0302, false), (0x0303, true), (0x0304, true)])
    func version(version: UInt16, isAllowed: Bool) throws {
        let expected: TransportSecurityFinding? = isAllowed ? nil : .versionTooOld(version, least: 0x0303)
        #expect(try Self.finding(Self.connection(version: version, suite: 0xc02f)) == expected)
    }

    @Test(
        "PS-6.2: ECDHE with AES, or TLS 1.3",
        arguments: [
            (0x1301, true), (0x1303, true), (0xc02b, true), (0xc030, true), (0xc013, true), (0xc009, true),
            // RSA key exchange, DHE, ECDHE with RC4 and 3DES, static ECDH.
            (0x009c, false), (0x002f, false), (0x009e, false), (0xc011, false), (0xc012, false), (0xc00e, false),
        ])
    func suite(suite: UInt16, isAllowed: Bool) throws {
        let expected: TransportSecurityFinding? = isAllowed ? nil : .noForwardSecrecy(cipherSuite: suite)
        #expect(try Self.finding(Self.connection(suite: suite)) == expected)
    }

    @Test(
        "PS-6.2: the leaf's key is of 2048 bits, or 256 on a curve",
        arguments: [
            (CertificateFacts.KeyKind.rsa(bits: 2047), false), (.rsa(bits: 1024), false), (.rsa(bits: 4096), true),
            (.ellipticCurve("P-224", bits: 224), false), (.ellipticCurve("P-256", bits: 256), true),
            (.other("DSA"), false), (nil, false),
        ] as [(CertificateFacts.KeyKind?, Bool)])
    func key(kind: CertificateFacts.KeyKind?, isAllowed: Bool) throws {
        let expected: TransportSecurityFinding? = isAllowed ? nil : .weakKey(kind)
        #expect(try Self.finding(Self.connection(key: kind)) == expected)
    }

    @Test(
        "PS-6.2: the leaf is signed with SHA-256 at least",
        arguments: [
            (CertificateFacts.SignatureHash.md5, false), (.sha1, false), (.sha224, false), (.sha256, true),
            (.sha384, true), (.sha512, true), (nil, false),
        ] as [(CertificateFacts.SignatureHash?, Bool)])
    func signature(hash: CertificateFacts.SignatureHash?, isAllowed: Bool) throws {
        let expected: TransportSecurityFinding? = isAllowed ? nil : .weakSignature(hash)
        #expect(try Self.finding(Self.connection(hash: hash)) == expected)
    }

    @Test("PS-6.2: arbitrary loads lift everything, but not for domains that are exceptions")
    func arbitraryLoads() throws {
        let security = TransportSecurity(allowsArbitraryLoads: true, exceptions: ["example.org": .init()])
        #expect(try Self.finding(under: security, nil) == nil)
        #expect(try Self.finding(under: security, Self.connection(version: 0x0301, key: .rsa(bits: 512))) == nil)
        #expect(try Self.finding(under: security, nil, host: "example.org") == .notSecure)
    }

    @Test(
        "PS-6.2: local networking",
        arguments: [
            ("printer.local", true), ("printer", true), ("192.0.2.1", true), ("api.example.com", false),
            ("local.example.com", false),
        ])
    func localNetworking(host: String, isAllowed: Bool) throws {
        let security = TransportSecurity(allowsLocalNetworking: true)
        #expect(try Self.finding(under: security, nil, host: host) == (isAllowed ? nil : .notSecure))
        #expect(try Self.finding(nil, host: host) == .notSecure)
    }

    @Test("PS-6.2: what an exception allows, and nothing more")
    func exceptions() throws {
        let insecure = TransportSecurity(exceptions: ["api.example.com": .init(allowsInsecureLoads: true)])
        #expect(try Self.finding(under: insecure, nil) == nil)
        #expect(
            try Self.finding(under: insecure, Self.connection(version: 0x0302)) == .versionTooOld(0x0302, least: 0x0303)
        )
        let old = TransportSecurity(exceptions: ["api.example.com": .init(leastVersion: 0x0301)])
        #expect(try Self.finding(under: old, Self.connection(version: 0x0301)) == nil)
        #expect(try Self.finding(under: old, nil) == .notSecure)
        let new = TransportSecurity(exceptions: ["api.example.com": .init(leastVersion: 0x0304)])
        #expect(try Self.finding(under: new, Self.connection()) == .versionTooOld(0x0303, least: 0x0304))
        let withoutSecrecy = TransportSecurity(exceptions: ["api.example.com": .init(requiresForwardSecrecy: false)])
        #expect(try Self.finding(under: withoutSecrecy, Self.connection(suite: 0x009c)) == nil)
        #expect(
            try Self.finding(under: withoutSecrecy, Self.connection(key: .rsa(bits: 1024))) == nil,
            "the key's length is lifted too")
        #expect(try Self.finding(under: withoutSecrecy, Self.connection(hash: .sha1)) == .weakSignature(.sha1))
    }

    @Test(
        "PS-6.2: an exception includes one more label if it says so",
        arguments: [
            ("example.com", true, true), ("a.example.com", true, true), ("a.b.example.com", true, false),
            ("a.example.com", false, false), ("example.com", false, true),
        ])
    func subdomains(host: String, includesSubdomains: Bool, isException: Bool) throws {
        let exception = TransportSecurity.Exception(includesSubdomains: includesSubdomains, allowsInsecureLoads: true)
        let security = TransportSecurity(exceptions: ["example.com": exception])
        #expect(try Self.finding(under: security, nil, host: host) == (isException ? nil : .notSecure))
    }

    @Test("PS-6.2: addresses have exceptions from iOS 17 on, keys in upper case never")
    func keys() throws {
        let exceptions = ["192.0.2.1": TransportSecurity.Exception(allowsInsecureLoads: true)]
        let new = TransportSecurity(exceptions: exceptions)
        #expect(try Self.finding(under: new, nil, host: "192.0.2.1") == nil)
        let old = TransportSecurity(exceptions: exceptions, knowsAddresses: false)
        #expect(try Self.finding(under: old, nil, host: "192.0.2.1") == .notSecure)
        let upper = TransportSecurity(exceptions: ["API.example.com": .init(allowsInsecureLoads: true)])
        #expect(try Self.finding(under: upper, nil) == .notSecure)
    }

    @Test("PS-6.2: the keys of an Info.plist and their defaults")
    func properties() {
        #expect(TransportSecurity(properties: [:]) == TransportSecurity())
        let security = TransportSecurity(properties: [
            "NSAllowsArbitraryLoads": .boolean(true), "NSAllowsLocalNetworking": .boolean(true),
            "NSExceptionDomains": .dictionary([
                "example.com": .dictionary([
                    "NSIncludesSubdomains": .boolean(true), "NSExceptionAllowsInsecureHTTPLoads": .boolean(true),
                    "NSExceptionMinimumTLSVersion": .string("TLSv1.1"),
                    "NSExceptionRequiresForwardSecrecy": .boolean(false),
                ]), "example.org": .dictionary(["NSExceptionMinimumTLSVersion": .string("SSLv3")]),
                "example.net": .string("odd"),
            ]),
        ])
        #expect(
            security
                == TransportSecurity(
                    allowsArbitraryLoads: true, allowsLocalNetworking: true,
                    exceptions: [
                        "example.com": .init(
                            includesSubdomains: true, allowsInsecureLoads: true, leastVersion: 0x0302,
                            requiresForwardSecrecy: false), "example.org": .init(),
                    ]))
    }
}
