import Crypto
import Testing
import Wire

/// What a context made for legacy peers opens, and what the other one says of it.
@Suite struct TLSLegacyTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private func pair(
        client: TLSContext.Tolerance, server: TLSContext.Tolerance, version: UInt16, key: KeyKind = .rsa(2048)
    ) throws -> TLSPair {
        let identity = try authority.server(.dns("api.pinproof.test"), key: .generate(key))
        return TLSPair(
            client: try .connecting(
                .client(trust: authority.trust, client, maximumVersion: version), to: host(), verify: .trustAndName,
                alpn: []),
            server: try .accepting(.server(server, maximumVersion: version), identity: identity, alpn: nil))
    }

    @Test("C55: TLS 1.0 and 1.1 complete where both ends are open to them", arguments: [0x0301, 0x0302] as [UInt16])
    func oldVersions(_ version: UInt16) throws {
        let pair = try pair(client: .legacy, server: .legacy, version: version)
        #expect(pair.handshake() == (.complete, .complete))
        #expect(pair.client.parameters?.version == version)
    }

    @Test("A legacy context takes new peers too", arguments: [0x0303, 0x0304] as [UInt16])
    func newVersions(_ version: UInt16) throws {
        let pair = try pair(client: .standard, server: .legacy, version: version)
        #expect(pair.handshake() == (.complete, .complete))
        #expect(pair.client.parameters?.version == version)
    }

    @Test("C55: a standard client says what of an old server is too weak") func oldServer() throws {
        let steps = try pair(client: .standard, server: .legacy, version: 0x0301).handshake()
        // legacy sigalg disallowed or unsupported: reason 333 of library 20.
        #expect(steps.client.failure == .tooWeak)
        guard case .failed(let failure) = steps.client else { return }
        #expect(failure.description.hasSuffix("(0A00014D)"))
    }

    @Test("An RSA key of 1024 bits is taken by a legacy client only") func smallKey() throws {
        let open = try pair(client: .legacy, server: .legacy, version: 0x0304, key: .rsa(1024))
        #expect(open.handshake() == (.complete, .complete))
        let closed = try pair(client: .standard, server: .legacy, version: 0x0304, key: .rsa(1024))
        // X509_V_ERR_EE_KEY_TOO_SMALL.
        #expect(closed.handshake().client.failure == .certificateRejected(verifyError: 66, depth: 0))
        #expect(CertificateFault(verifyError: 66) == .tooWeak)
    }

    /// A ServerHello of TLS 1.2 with TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 and no extensions: no renegotiation_info
    /// (RFC 5746 section 3.4).
    @Test("A server without RFC 5746 is taken by a legacy client only")
    func withoutSecureRenegotiation() throws {
        let body: [UInt8] = [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0xC0, 0x2F, 0]
        let message: [UInt8] = [2, 0, 0, UInt8(body.count)] + body
        for tolerance in [TLSContext.Tolerance.standard, .legacy] {
            let session = try TLSSession.connecting(
                .client(trust: nil, tolerance), to: host(), verify: .trustAndName, alpn: [])
            #expect(session.handshake() == .needsInput)
            session.inbound.append([22, 3, 3, 0, UInt8(message.count)] + message)
            let step = session.handshake()
            switch tolerance {
            case .standard:
                #expect(step.failure == .noSecureRenegotiation)
                guard case .failed(let failure) = step else { return }
                // unsafe legacy renegotiation disabled: reason 338 of library 20.
                #expect(failure.description.hasSuffix("(0A000152)"))
            // The server's Certificate is to come.
            case .legacy: #expect(step == .needsInput)
            }
        }
    }
}
