import Crypto
import Testing
import Wire

/// Handshakes that wait for a certificate which the server left out.
@Suite struct TLSIssuerTests {
    private let authority: TestAuthority
    private let intermediate: TLSIdentity
    private let identity: TLSIdentity

    init() throws {
        authority = try TestAuthority()
        intermediate = try authority.intermediate()
        let whole = try authority.server(.dns("api.pinproof.test"), issuer: intermediate)
        identity = TLSIdentity(chain: [whole.chain[0]], key: whole.key)
    }

    @Test("C63: the handshake waits for the issuer and goes on with it", arguments: Version.allCases)
    func waits(_ version: Version) throws {
        let pair = try TLSPair(authority, identity: identity, version: version)
        var orphans: [Certificate] = []
        pair.client.onMissingIssuer = {
            orphans.append($0)
            return true
        }
        #expect(pair.handshake().client == .suspended)
        #expect(orphans == identity.chain)
        pair.client.supply([intermediate.chain[0]])
        #expect(pair.client.handshake() == (version == .tls13 ? .complete : .needsInput))
        pair.handshake()
        #expect(pair.client.isHandshakeComplete)
        #expect(orphans.count == 1)
        // What was fetched is not what was sent.
        #expect(pair.client.peerChain == identity.chain)
    }

    @Test("C63: what was supplied is not trusted, and a wrong certificate does not help")
    func suppliedIsNotTrusted() throws {
        let pair = try TLSPair(authority, identity: identity, trust: TrustStore(anchors: []))
        pair.client.onMissingIssuer = { [leaf = identity.chain[0]] in $0 == leaf }
        #expect(pair.handshake().client == .suspended)
        pair.client.supply([intermediate.chain[0]])
        guard case .failed(let failure) = pair.client.handshake(), case .certificateRejected = failure.kind else {
            Issue.record("the supplied issuer was trusted")
            return
        }
        #expect(pair.client.orphan == intermediate.chain[0])
    }

    @Test("C63: nobody who is asked, nobody who waits") func doesNotWait() throws {
        let pair = try TLSPair(authority, identity: identity)
        guard case .failed(let failure) = pair.handshake().client else {
            Issue.record("half a chain was accepted")
            return
        }
        // X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY.
        #expect(failure.kind == .certificateRejected(verifyError: 20, depth: 0))
        #expect(pair.client.orphan == identity.chain[0])
    }
}
