import Crypto
import Testing
import Wire

/// Verification errors by the numbers of OpenSSL's `X509_V_ERR_*`, alerts by those of RFC 8446 section 6.
struct TLSVerificationTests {
    @Test(arguments: Version.allCases)
    func anotherNameIsRefused(_ version: Version) throws {
        let authority = try TestAuthority()
        let pair = try TLSPair(authority, identity: authority.server(.dns("www.pinproof.test")), version: version)
        let steps = pair.handshake()
        #expect(steps.client.failure == .certificateRejected(verifyError: 62, depth: 0))
        #expect(steps.server.failure == .peerAlert(42))
        #expect(pair.client.verifyError == 62)
        #expect(!pair.client.isHandshakeComplete)
    }

    @Test(arguments: Version.allCases)
    func anUnknownAuthorityIsRefused(_ version: Version) throws {
        let authority = try TestAuthority()
        let pair = try TLSPair(authority, trust: TestAuthority("Another root").trust, version: version)
        let steps = pair.handshake()
        #expect(steps.client.failure == .certificateRejected(verifyError: 20, depth: 0))
        #expect(steps.server.failure == .peerAlert(48))
    }

    @Test func theRefusedChainCanStillBeRead() throws {
        let authority = try TestAuthority()
        let identity = try authority.server(.dns("api.pinproof.test"))
        let pair = try TLSPair(authority, identity: identity, trust: TestAuthority("Another root").trust)
        pair.handshake()
        #expect(pair.client.peerChain == identity.chain)
    }

    @Test func withoutTrustNothingIsAccepted() throws {
        let authority = try TestAuthority()
        let pair = TLSPair(
            client: try .connecting(.client(trust: nil), to: host(), verify: .trustAndName, alpn: []),
            server: try .accepting(.server(), identity: authority.server(.dns("api.pinproof.test")), alpn: nil))
        #expect(pair.handshake().client.failure == .certificateRejected(verifyError: 20, depth: 0))
    }

    @Test func theSystemDoesNotTrustATestAuthority() throws {
        let pair = try TLSPair(TestAuthority(), trust: .system())
        #expect(pair.handshake().client.failure == .certificateRejected(verifyError: 20, depth: 0))
    }

    @Test func anExpiredLeafIsRefused() throws {
        let authority = try TestAuthority()
        let identity = try authority.server(.dns("api.pinproof.test"), notBefore: -7200, notAfter: -60)
        let steps = try TLSPair(authority, identity: identity).handshake()
        #expect(steps.client.failure == .certificateRejected(verifyError: 10, depth: 0))
        #expect(steps.server.failure == .peerAlert(45))
    }

    @Test func aLeafOfTheFutureIsRefused() throws {
        let authority = try TestAuthority()
        let identity = try authority.server(.dns("api.pinproof.test"), notBefore: 1800, notAfter: 3600)
        let steps = try TLSPair(authority, identity: identity).handshake()
        #expect(steps.client.failure == .certificateRejected(verifyError: 9, depth: 0))
        #expect(steps.server.failure == .peerAlert(42))
    }

    @Test func theFaultyCertificateIsNamedByItsPlace() throws {
        let authority = try TestAuthority()
        let identity = try authority.server(
            .dns("api.pinproof.test"), issuer: authority.intermediate(notAfter: -60))
        let steps = try TLSPair(authority, identity: identity).handshake()
        #expect(steps.client.failure == .certificateRejected(verifyError: 10, depth: 1))
    }

    @Test func aClientsCertificateIsNoServers() throws {
        let authority = try TestAuthority()
        var template = CertificateTemplate.server(
            names: [.dns("api.pinproof.test")], notBefore: authority.now - 60, notAfter: authority.now + 60)
        template.purposes = [.clientAuth]
        let steps = try TLSPair(authority, identity: template.identity(issuer: authority.root)).handshake()
        #expect(steps.client.failure == .certificateRejected(verifyError: 26, depth: 0))
        #expect(steps.server.failure == .peerAlert(43))
    }

    @Test(arguments: [
        ("192.0.2.7", [192, 0, 2, 7] as [UInt8]),
        ("2001:db8::7", [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]),
    ])
    func addressesAreVerified(_ text: String, _ octets: [UInt8]) throws {
        let authority = try TestAuthority()
        let right = try TLSPair(authority, identity: authority.server(.address(octets)), to: text)
        #expect(right.handshake().client == .complete)
        var others = octets
        others[others.endIndex - 1] = 8
        let wrong = try TLSPair(authority, identity: authority.server(.address(others)), to: text)
        #expect(wrong.handshake().client.failure == .certificateRejected(verifyError: 64, depth: 0))
        let named = try TLSPair(authority, identity: authority.server(.dns(text)), to: text)
        #expect(named.handshake().client.failure == .certificateRejected(verifyError: 64, depth: 0))
    }

    @Test(arguments: [("*.pinproof.test", true), ("a*.pinproof.test", false), ("*.test", false)])
    func wildcardsStandForOneWholeLabel(_ pattern: String, _ matches: Bool) throws {
        let authority = try TestAuthority()
        let step = try TLSPair(authority, identity: authority.server(.dns(pattern))).handshake().client
        #expect((step == .complete) == matches)
    }

    @Test func anAnchorNeedNotBeARoot() throws {
        let authority = try TestAuthority()
        let intermediate = try authority.intermediate()
        let identity = try authority.server(.dns("api.pinproof.test"), issuer: intermediate)
        for anchor in identity.chain {
            let pair = try TLSPair(authority, identity: identity, trust: TrustStore(anchors: [anchor]))
            #expect(pair.handshake().client == .complete)
        }
    }

    @Test func anAnchorMayBeListedTwice() throws {
        let authority = try TestAuthority()
        let trust = try TrustStore(anchors: authority.root.chain + authority.root.chain)
        #expect(try TLSPair(authority, trust: trust).handshake().client == .complete)
    }

    @Test(arguments: Version.allCases)
    func aVerifierIsGivenTheChainAsSent(_ version: Version) throws {
        let authority = try TestAuthority()
        let identity = try authority.server(.dns("elsewhere.test"), issuer: authority.intermediate())
        var seen: [Certificate] = []
        let pair = try TLSPair(
            authority, identity: identity, trust: TrustStore(anchors: []),
            verify: .custom { chain in
                seen = chain
                return .accept
            }, version: version)
        let steps = pair.handshake()
        #expect(steps.client == .complete)
        #expect(steps.server == .complete)
        #expect(seen.map(\.sha256) == identity.chain.map(\.sha256))
        #expect(pair.client.verifyError == 0)
    }

    @Test(arguments: Version.allCases, [40, 42, 43, 44, 45, 46, 48, 51, 80] as [UInt8])
    func aVerifierChoosesTheAlert(_ version: Version, _ alert: UInt8) throws {
        let pair = try TLSPair(TestAuthority(), verify: .custom { _ in .reject(alert: alert) }, version: version)
        let steps = pair.handshake()
        guard case .certificateRejected = steps.client.failure else {
            Issue.record("\(steps.client)")
            return
        }
        #expect(steps.server.failure == .peerAlert(alert))
        #expect(pair.client.verifyError != 0)
    }

    @Test(arguments: [0, 49, 113, 255] as [UInt8])
    func anAlertThatCannotBeSentBecomesCertificateUnknown(_ alert: UInt8) throws {
        let pair = try TLSPair(TestAuthority(), verify: .custom { _ in .reject(alert: alert) })
        #expect(pair.handshake().server.failure == .peerAlert(46))
    }
}
