import Crypto
import Testing
import Wire

/// Client certificates, asked for and given: alerts by the numbers of RFC 8446 section 6.
struct TLSClientIdentityTests {
    private let authority: TestAuthority
    private let identity: TLSIdentity

    init() throws {
        authority = try TestAuthority()
        identity = try Self.client("app", of: authority.root, authority)
    }

    private static func client(_ name: String, of issuer: TLSIdentity, _ authority: TestAuthority) throws -> TLSIdentity
    {
        var template = CertificateTemplate(
            subject: [("CN", name)], notBefore: authority.now - 3600, notAfter: authority.now + 3600)
        template.purposes = [.clientAuth]
        return try template.identity(issuer: issuer)
    }

    private func pair(
        _ authentication: ClientAuthentication?, version: Version = .tls13, late: Bool = false
    ) throws -> TLSPair {
        let host = try host()
        return TLSPair(
            client: try .connecting(
                .client(trust: authority.trust, maximumVersion: version.rawValue), to: host, verify: .trustAndName,
                alpn: [], offersLateAuthentication: late),
            server: try .accepting(
                .server(), identity: authority.server(.dns(host.text)), authentication: authentication, alpn: nil))
    }

    @Test(arguments: Version.allCases) func theWholeChainIsGivenWhenAsked(_ version: Version) throws {
        let intermediate = try authority.intermediate()
        let identity = try Self.client("app", of: intermediate, authority)
        var given: [Certificate] = []
        let pair = try pair(
            ClientAuthentication(isRequired: true) {
                given = $0
                return .accept
            }, version: version)
        pair.client.onIdentityRequest = { _ in identity }
        #expect(pair.handshake() == (.complete, .complete))
        #expect(given == identity.chain)
        #expect(given.count == 2)
        #expect(pair.server.peerChain == identity.chain)
    }

    @Test(arguments: Version.allCases) func nobodyIsAskedUnlessTold(_ version: Version) throws {
        let pair = try pair(nil, version: version)
        var asked = 0
        pair.client.onIdentityRequest = { [identity] _ in
            asked += 1
            return identity
        }
        #expect(pair.handshake() == (.complete, .complete))
        #expect(asked == 0)
        #expect(pair.server.peerChain == [])
    }

    @Test(arguments: Version.allCases) func aClientThatHasNoneIsLetInUnlessOneIsRequired(_ version: Version) throws {
        let open = try pair(ClientAuthentication(), version: version)
        var requests: [IdentityRequest] = []
        open.client.onIdentityRequest = {
            requests.append($0)
            return nil
        }
        #expect(open.handshake() == (.complete, .complete))
        #expect(requests == [IdentityRequest(authorities: [])])
        let closed = try pair(ClientAuthentication(isRequired: true), version: version)
        closed.handshake()
        let plain = ByteQueue()
        // TLS 1.3: certificate_required, after the client's own handshake; TLS 1.2: handshake_failure.
        switch version {
        case .tls13:
            #expect(closed.client.isHandshakeComplete)
            #expect(closed.client.read(into: plain, upTo: 1).failure == .peerAlert(116))
        case .tls12:
            #expect(closed.client.handshake().failure == .peerAlert(40))
        }
    }

    @Test(arguments: Version.allCases) func aClientWhoseChainIsRefusedGetsTheAlert(_ version: Version) throws {
        let pair = try pair(ClientAuthentication { _ in .reject(alert: 48) }, version: version)
        pair.client.onIdentityRequest = { [identity] _ in identity }
        #expect(pair.handshake().server.failure == .certificateRejected(verifyError: 20, depth: 0))
    }

    @Test(arguments: Version.allCases) func theNamesOfTheAuthoritiesArrive(_ version: Version) throws {
        let other = try TestAuthority("Another root, of C=DE")
        let names = try [authority.root, other.root].map {
            try #require(AuthorityName(subjectOf: $0.chain[0]))
        }
        let pair = try pair(ClientAuthentication(authorities: names), version: version)
        var request: IdentityRequest?
        pair.client.onIdentityRequest = {
            request = $0
            return nil
        }
        pair.handshake()
        #expect(request?.authorities == names)
        #expect(request?.authorities.map(\.text) == ["CN=Test root", "CN=Another root\\, of C=DE"])
    }

    @Test func anIdentityFitsIfItOrAnyIssuerOfItsChainIsNamed() throws {
        let intermediate = try authority.intermediate()
        let long = try Self.client("app", of: intermediate, authority)
        let root = try #require(AuthorityName(subjectOf: authority.root.chain[0]))
        let middle = try #require(AuthorityName(subjectOf: intermediate.chain[0]))
        let other = try #require(AuthorityName(subjectOf: TestAuthority("Another root").root.chain[0]))
        #expect(IdentityRequest(authorities: [other, root]).accepts(identity))
        #expect(IdentityRequest(authorities: [root]).accepts(long))
        #expect(IdentityRequest(authorities: [middle]).accepts(long))
        #expect(!IdentityRequest(authorities: [middle]).accepts(identity))
        #expect(!IdentityRequest(authorities: [other]).accepts(identity))
        let leaf = try #require(AuthorityName(subjectOf: identity.chain[0]))
        #expect(IdentityRequest(authorities: [other, leaf]).accepts(identity))
        #expect(IdentityRequest(authorities: []).accepts(identity))
    }

    /// RFC 8446 section 4.6.2: only a client that offered it may be asked later.
    @Test func aServerMayAskAfterTheHandshake() throws {
        let pair = try pair(nil, late: true)
        pair.client.onIdentityRequest = { [identity] _ in identity }
        pair.handshake()
        #expect(pair.server.peerChain == [])
        #expect(pair.server.requestLateAuthentication())
        _ = pair.send([], from: pair.server, to: pair.client)
        pair.carry(pair.server.outbound, to: pair.client.inbound)
        _ = pair.client.read(into: ByteQueue(), upTo: 1)
        #expect(pair.send([1], from: pair.client, to: pair.server).bytes == [1])
        #expect(pair.server.peerChain == identity.chain)
        let silent = try self.pair(nil)
        silent.handshake()
        #expect(!silent.server.requestLateAuthentication())
    }

    /// The verifier's numbers are OpenSSL's `X509_V_ERR_*`.
    @Test func aClientsChainIsVerifiedForClients() throws {
        let now = authority.now
        let trust = try authority.trust
        #expect(trust.verifyClient(identity.chain, at: now) == 0)
        #expect(trust.verifyClient(identity.chain, at: now + 7200) == 10)
        #expect(trust.verifyClient([], at: now) != 0)
        // 20: unable to get local issuer certificate.
        #expect(try TestAuthority("Another").trust.verifyClient(identity.chain, at: now) == 20)
        // 26: unsuitable certificate purpose.
        #expect(trust.verifyClient(try authority.server(.dns("a.test")).chain, at: now) == 26)
        // A leaf is a valid anchor.
        #expect(try TrustStore(anchors: [identity.chain[0]]).verifyClient(identity.chain, at: now) == 0)
    }
}
