import Crypto
import Testing
import Wire

/// Verifications that go on after a fault; errors by the numbers of OpenSSL's `X509_V_ERR_*`, alerts by those of RFC 8446
/// section 6.
struct TLSFaultsTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    /// A server's chain, and everything that is wrong with it: number and depth.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let faults: Set<[Int]>
        let identity: @Sendable (TestAuthority) throws -> TLSIdentity
    }

    static let cases = [
        Case(testDescription: "expired", faults: [[10, 0]]) {
            try $0.server(.dns("api.pinproof.test"), notBefore: -7200, notAfter: -60)
        },
        Case(testDescription: "not yet valid", faults: [[9, 0]]) {
            try $0.server(.dns("api.pinproof.test"), notBefore: 1800)
        },
        Case(testDescription: "another name", faults: [[62, 0]]) { try $0.server(.dns("www.pinproof.test")) },
        Case(testDescription: "a common name alone", faults: [[62, 0]]) {
            var template = CertificateTemplate.server(
                names: [.dns("api.pinproof.test")], notBefore: $0.now - 60, notAfter: $0.now + 60)
            template.alternativeNames = []
            return try template.identity(issuer: $0.root)
        },
        Case(testDescription: "self-signed", faults: [[18, 0]]) {
            try CertificateTemplate.server(
                names: [.dns("api.pinproof.test")], notBefore: $0.now - 60, notAfter: $0.now + 60
            ).identity()
        },
        Case(testDescription: "an unknown issuer", faults: [[20, 0]]) { _ in
            try TestAuthority("Another root").server(.dns("api.pinproof.test"))
        },
        Case(testDescription: "an unknown root that is sent along", faults: [[19, 1]]) { _ in
            let other = try TestAuthority("Another root")
            let identity = try other.server(.dns("api.pinproof.test"))
            return TLSIdentity(chain: identity.chain + other.root.chain, key: identity.key)
        },
        Case(testDescription: "expired, another name, an unknown issuer", faults: [[10, 0], [62, 0], [20, 0]]) { _ in
            try TestAuthority("Another root").server(.dns("www.pinproof.test"), notBefore: -7200, notAfter: -60)
        },
        Case(testDescription: "an issuer and a leaf that are expired", faults: [[10, 0], [10, 1]]) {
            try $0.server(
                .dns("api.pinproof.test"), notBefore: -7200, notAfter: -60, issuer: $0.intermediate(notAfter: -60))
        },
        Case(testDescription: "a client's purpose", faults: [[26, 0]]) {
            var template = CertificateTemplate.server(
                names: [.dns("api.pinproof.test")], notBefore: $0.now - 60, notAfter: $0.now + 60)
            template.purposes = [.clientAuth]
            return try template.identity(issuer: $0.root)
        },
    ]

    @Test("C53: every fault is found, not only the first", arguments: cases, Version.allCases)
    func everyFault(_ it: Case, _ version: Version) throws {
        var asked: [[VerificationFault]] = []
        var chains: [[Certificate]] = []
        let identity = try it.identity(authority)
        let pair = try TLSPair(
            authority, identity: identity,
            verify: .trustAndNameUnless { faults, chain in
                asked.append(faults)
                chains.append(chain)
                return nil
            }, version: version)
        let steps = pair.handshake()
        #expect(steps.client == .complete)
        #expect(steps.server == .complete)
        #expect(asked.map { Set($0.map { [Int($0.verifyError), $0.depth] }) } == [it.faults])
        #expect(asked.first?.count == it.faults.count)
        #expect(chains == [identity.chain])
        #expect(pair.client.verifyError == 0)
    }

    @Test func aSoundChainIsNotAskedAbout() throws {
        let pair = try TLSPair(
            authority,
            verify: .trustAndNameUnless { faults, _ in
                Issue.record("\(faults)")
                return faults.first
            })
        #expect(pair.handshake().client == .complete)
    }

    @Test(
        "C53: refused for the fault that the caller names",
        arguments: [(0, 20, 48), (1, 62, 42), (2, 10, 45)] as [(Int, Int32, UInt8)])
    func refused(_ index: Int, _ number: Int32, _ alert: UInt8) throws {
        let identity = try TestAuthority("Another root").server(
            .dns("www.pinproof.test"), notBefore: -7200, notAfter: -60)
        let pair = try TLSPair(
            authority, identity: identity, verify: .trustAndNameUnless { faults, _ in faults[index] })
        let steps = pair.handshake()
        #expect(steps.client.failure == .certificateRejected(verifyError: number, depth: 0))
        #expect(steps.server.failure == .peerAlert(alert))
        #expect(pair.client.peerChain == identity.chain)
    }

    /// OpenSSL calls it self-signed without having looked: X509_V_ERR_CERT_SIGNATURE_FAILURE is 7.
    @Test func aSelfSignedLeafWhoseSignatureIsBroken() throws {
        let sound = try CertificateTemplate.server(
            names: [.dns("api.pinproof.test")], notBefore: authority.now - 60, notAfter: authority.now + 60
        ).identity()
        var der = sound.chain[0].der
        der[der.endIndex - 1] ^= 1
        let broken = TLSIdentity(chain: [try Certificate(der: der)], key: sound.key)
        var found: [Int32] = []
        let pair = try TLSPair(
            authority, identity: broken,
            verify: .trustAndNameUnless { faults, _ in
                found = faults.map(\.verifyError)
                return faults.last
            })
        #expect(pair.handshake().client.failure == .certificateRejected(verifyError: 7, depth: 0))
        #expect(found == [18, 7])
    }

    @Test("C53: a common name alone is no name (RFC 9525 section 6.3)")
    func commonNameAlone() throws {
        var template = CertificateTemplate.server(
            names: [.dns("api.pinproof.test")], notBefore: authority.now - 60, notAfter: authority.now + 60)
        template.alternativeNames = []
        let steps = try TLSPair(authority, identity: template.identity(issuer: authority.root)).handshake()
        #expect(steps.client.failure == .certificateRejected(verifyError: 62, depth: 0))
    }
}
