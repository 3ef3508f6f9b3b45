import Crypto
import Testing
import Wire

struct TLSHandshakeTests {
    @Test(arguments: Version.allCases)
    func bothEndsAgreeOnTheSameParameters(_ version: Version) throws {
        let pair = try TLSPair(TestAuthority(), version: version)
        #expect(pair.client.parameters == nil)
        let steps = pair.handshake()
        #expect(steps.client == .complete)
        #expect(steps.server == .complete)
        let facts = try #require(pair.client.parameters)
        #expect(facts.version == version.rawValue)
        #expect(facts.alpn == nil)
        #expect(!facts.resumed)
        switch version {
        case .tls13:
            #expect(facts.cipherSuite == 0x1302)
            #expect(facts.cipherSuiteName == "TLS_AES_256_GCM_SHA384")
            #expect(facts.group == "X25519")
        case .tls12:
            #expect(facts.cipherSuite == 0xC02C)
            #expect(facts.cipherSuiteName == "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384")
        }
        #expect(pair.server.parameters == facts)
    }

    @Test(arguments: [1, 5, 100])
    func arrivesInAnySegments(_ segment: Int) throws {
        let pair = try TLSPair(TestAuthority())
        pair.segment = segment
        let steps = pair.handshake()
        #expect(steps.client == .complete)
        #expect(steps.server == .complete)
    }

    @Test func stepsAfterTheHandshakeChangeNothing() throws {
        let pair = try TLSPair(TestAuthority())
        pair.handshake()
        #expect(pair.client.handshake() == .complete)
        #expect(pair.client.outbound.isEmpty)
    }

    @Test(arguments: Version.allCases)
    func theServerAgreesOnItsOwnProtocol(_ version: Version) throws {
        let pair = try TLSPair(
            TestAuthority(), version: version, offering: ["h2", "http/1.1"], agreeing: "http/1.1")
        pair.handshake()
        #expect(pair.client.parameters?.alpn == Array("http/1.1".utf8))
        #expect(pair.server.parameters?.alpn == Array("http/1.1".utf8))
    }

    @Test func withoutAProtocolOfItsOwnTheServerAgreesOnNone() throws {
        let pair = try TLSPair(TestAuthority(), offering: ["h2"], agreeing: nil)
        let steps = pair.handshake()
        #expect(steps.client == .complete)
        #expect(pair.client.parameters?.alpn == nil)
    }

    @Test func aClientThatOffersNoProtocolIsServedWithoutOne() throws {
        let pair = try TLSPair(TestAuthority(), offering: [], agreeing: "h2")
        let steps = pair.handshake()
        #expect(steps.client == .complete)
        #expect(pair.server.parameters?.alpn == nil)
    }

    // RFC 7301 section 3.2. "h2" must not be found inside of another name either.
    @Test func aClientWithOtherProtocolsIsRefused() throws {
        let pair = try TLSPair(TestAuthority(), offering: ["xh2", "h2c"], agreeing: "h2")
        let steps = pair.handshake()
        #expect(steps.server.failure == .noCommonApplicationProtocol)
        #expect(steps.client.failure == .peerAlert(120))
    }

    @Test(arguments: [0, 256])
    func aProtocolNameMustFitItsField(_ length: Int) throws {
        let context = try TLSContext.client(trust: nil)
        #expect(throws: OpenSSLError.self) {
            try TLSSession.connecting(
                context, to: host(), verify: .trustAndName, alpn: [[UInt8](repeating: 0x61, count: length)])
        }
    }

    @Test(arguments: [("api.pinproof.test", "api.pinproof.test"), ("192.0.2.7", nil), ("2001:db8::7", nil)])
    func theServerNameIsSentForNamesOnly(_ name: String, _ expected: String?) throws {
        let session = try TLSSession.connecting(
            .client(trust: nil), to: host(name), verify: .trustAndName, alpn: [])
        #expect(session.handshake() == .needsInput)
        var assembler = ClientHelloAssembler()
        guard case .hello(let hello, _) = assembler.receive(session.outbound.takeAll()) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.serverName == expected)
    }

    @Test func theChainIsSentAsGiven() throws {
        let authority = try TestAuthority()
        let intermediate = try authority.intermediate()
        let identity = try authority.server(.dns("api.pinproof.test"), issuer: intermediate)
        let pair = try TLSPair(authority, identity: identity)
        #expect(pair.handshake().client == .complete)
        #expect(pair.client.peerChain == [identity.chain[0], intermediate.chain[0]])
        #expect(pair.server.peerChain.isEmpty)
    }

    @Test func aKeyOfAnotherCertificateIsRefused() throws {
        let authority = try TestAuthority()
        let identity = try authority.server(.dns("api.pinproof.test"))
        let mismatched = try TLSIdentity(chain: identity.chain, key: .generate(.p256))
        #expect(throws: OpenSSLError.self) {
            try TLSSession.accepting(.server(), identity: mismatched, alpn: nil)
        }
    }

    @Test func presentsAnRSACertificate() throws {
        let authority = try TestAuthority()
        let identity = try authority.server(.dns("api.pinproof.test"), key: .generate(.rsa(2048)))
        let pair = try TLSPair(authority, identity: identity, version: .tls12)
        #expect(pair.handshake().client == .complete)
        #expect(pair.client.parameters?.cipherSuiteName == "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384")
    }

    // Threads share contexts, identities and trust; the sessions are their own.
    @Test func contextsAreSharedByThreads() async throws {
        let authority = try TestAuthority()
        let identity = try authority.server(.dns("api.pinproof.test"))
        let servers = try TLSContext.server()
        let clients = try TLSContext.client(trust: authority.trust)
        let completed = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var completed = 0
                    for _ in 0..<10 {
                        let pair = TLSPair(
                            client: try .connecting(clients, to: host(), verify: .trustAndName, alpn: []),
                            server: try .accepting(servers, identity: identity, alpn: nil))
                        let steps = pair.handshake()
                        if steps.client == .complete, steps.server == .complete { completed += 1 }
                    }
                    return completed
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(completed == 80)
    }

    @Test func aSessionIsNotResumed() throws {
        let authority = try TestAuthority()
        let identity = try authority.server(.dns("api.pinproof.test"))
        let servers = try TLSContext.server()
        let clients = try TLSContext.client(trust: authority.trust)
        for _ in 0..<2 {
            let pair = TLSPair(
                client: try .connecting(clients, to: host(), verify: .trustAndName, alpn: []),
                server: try .accepting(servers, identity: identity, alpn: nil))
            pair.handshake()
            #expect(pair.client.parameters?.resumed == false)
            #expect(pair.server.parameters?.resumed == false)
        }
    }

    @Test func aSessionDiesWithItsOwner() throws {
        let authority = try TestAuthority()
        weak var client: TLSSession?
        do {
            let pair = try TLSPair(authority)
            pair.client.onMessage = { _ in }
            pair.handshake()
            client = pair.client
            #expect(client != nil)
        }
        #expect(client == nil)
    }
}

extension TLSSession.HandshakeStep {
    /// The kind of failure, if it is one.
    var failure: TLSFailure.Kind? {
        if case .failed(let failure) = self { failure.kind } else { nil }
    }
}

extension TLSSession.ReadStep {
    /// The kind of failure, if it is one.
    var failure: TLSFailure.Kind? {
        if case .failed(let failure) = self { failure.kind } else { nil }
    }
}
