import Pinning
import Testing
import Wire

@testable import Crypto

private let day: Int64 = 86_400

/// Paths that OpenSSL's own search does not find (PS-0.4-3).
@Suite struct PathSearchTests {
    private let pki: Hierarchy
    private let stranger: Hierarchy
    /// The intermediate as the stranger's root certifies it.
    private let cross: Certificate
    private let leaf: Certificate

    init() throws {
        pki = try Hierarchy()
        stranger = try Hierarchy("Stranger")
        cross = try authority("Example Intermediate").signed(for: pki.intermediate.key, by: stranger.root)
        leaf = try pki.leaf()
    }

    @Test(
        "PS-0.4-3: an authority that two others certify leads to either, for Apple and for Android",
        arguments: [TrustPolicy.basicX509, server("api.example.com"), .android])
    func crossSigned(policy: TrustPolicy) throws {
        for sent in [[leaf, pki.intermediateCertificate, cross], [leaf, cross, pki.intermediateCertificate]] {
            let ours = try evaluate(sent, policy: policy, anchors: [pki.rootCertificate])
            #expect(ours.faults == [])
            #expect(ours.names == ["CN=api.example.com", "CN=Example Intermediate", "CN=Example Root"])
            let theirs = try evaluate(sent, policy: policy, anchors: [stranger.rootCertificate])
            #expect(theirs.faults == [])
            #expect(theirs.path.map(\.der) == [leaf, cross, stranger.rootCertificate].map(\.der))
        }
    }

    @Test("PS-0.4-3: OpenSSL's own clients stay with the first issuer that fits")
    func openSSLStays() throws {
        func isValid(_ sent: [Certificate]) throws -> Bool {
            try evaluate(sent, policy: .openssl(host: nil), anchors: [stranger.rootCertificate]).valid
        }
        #expect(try !isValid([leaf, pki.intermediateCertificate, cross]))
        #expect(try isValid([leaf, cross, pki.intermediateCertificate]))
    }

    @Test("PS-0.4-3: of anchors with one name each is tried, for Apple and for Android", arguments: 0..<3)
    func likeNamedAnchors(which: Int) throws {
        let roots = try (0..<3).map { _ in try authority("Namesake").identity() }
        let leaf = try pki.leaf(issuer: roots[which]) { $0.hasAuthorityKeyIdentifier = false }
        for policy in [TrustPolicy.basicX509, .android] {
            let result = try evaluate([leaf], policy: policy, anchors: roots.map { $0.chain[0] })
            #expect(result.faults == [])
            #expect(result.path.map(\.der) == [leaf.der, roots[which].chain[0].der])
        }
    }

    @Test("PS-0.4-3: a path that fails for another reason than its anchor has others beside it")
    func expiredAlternative() throws {
        let old = try Hierarchy("Old") { $0.notAfter = pathTestTime - 1 }
        let renewed = try authority("Old Intermediate").signed(for: old.intermediate.key, by: stranger.root)
        let leaf = try old.leaf()
        let anchors = [old.intermediateCertificate, stranger.rootCertificate]
        #expect(try evaluate([leaf], anchors: anchors).faults == ["expired 1"])
        let result = try evaluate([leaf, renewed], anchors: anchors)
        #expect(result.faults == [])
        #expect(result.path.map(\.der) == [leaf, renewed, stranger.rootCertificate].map(\.der))
    }

    @Test("PS-0.3-2: of all paths that end nowhere the longest whose signatures hold is shown")
    func longest() throws {
        let result = try evaluate([leaf, pki.intermediateCertificate, cross, stranger.rootCertificate])
        #expect(result.path.map(\.der) == [leaf, cross, stranger.rootCertificate].map(\.der))
        #expect(result.faults == ["noAnchor 2"])
    }

    @Test("PS-0.3-2, PS-0.4-2: a failed path ends where a signature is not by the next key")
    func signatureLinked() throws {
        let impostor = try authority("Example Intermediate").identity()
        let leaf = try pki.leaf { $0.hasAuthorityKeyIdentifier = false }
        let result = try evaluate([leaf, impostor.chain[0], pki.rootCertificate])
        #expect(result.names == ["CN=api.example.com"])
        #expect(result.faults == ["noAnchor 0"])
    }

    /// Searches as the builder does, and gives how much was done.
    private func work(_ leaf: Certificate, _ sent: [Certificate]) throws -> PathSearch {
        var search = PathSearch(
            from: leaf, through: sent, to: try TrustStore(anchors: [stranger.rootCertificate]),
            agreement: .byIdentifier)
        search.run { _ in false }
        return search
    }

    @Test("PS-0.4-3: a hundred certificates with the issuer's name cost no more than the permitted signature checks")
    func namesakesAreBounded() throws {
        let leaf = try pki.leaf { $0.hasAuthorityKeyIdentifier = false }
        let impostors = try (0..<100).map { _ in try authority("Example Intermediate").identity().chain[0] }
        #expect(try work(leaf, impostors).signatureChecks == 40)
        #expect(try work(leaf, Array(impostors.prefix(20))).signatureChecks == 20)
        #expect(try evaluate([leaf] + impostors, platform: [stranger.rootCertificate]).faults == ["noAnchor 0"])
    }

    @Test(
        "PS-0.4-3: forty certificates of the issuer that lead nowhere do not hide the one that leads to an anchor",
        arguments: [TrustPolicy.basicX509, .android, .jvm])
    func deadEndsComeLast(policy: TrustPolicy) throws {
        let dead = try (0..<45).map { _ in
            try authority("Example Intermediate").signed(for: pki.intermediate.key, by: stranger.root)
        }
        let result = try evaluate(
            [leaf] + dead + [pki.intermediateCertificate], policy: policy, anchors: [pki.rootCertificate])
        #expect(result.faults == [])
        #expect(result.path.map(\.der) == [leaf, pki.intermediateCertificate, pki.rootCertificate].map(\.der))
        #expect(!result.notChecked.contains { $0.rule == RuleID("PS-0.4-3") })
    }

    @Test("PS-0.4-3: where seven authorities certify each other, the way out is found", arguments: [false, true])
    func mesh(hasWayOut: Bool) throws {
        let members = try (0..<7).map { try authority("Member \($0)").identity() }
        var sent = try members.indices.flatMap { subject in
            try members.indices.filter { $0 != subject }.map { issuer in
                try authority("Member \(subject)").signed(for: members[subject].key, by: members[issuer])
            }
        }
        if hasWayOut { sent.append(try authority("Member 6").signed(for: members[6].key, by: pki.root)) }
        let leaf = try pki.leaf(issuer: members[0])
        let result = try evaluate([leaf] + sent, policy: .android, anchors: [pki.rootCertificate])
        #expect(result.valid == hasWayOut)
        let way = ["CN=api.example.com", "CN=Member 0", "CN=Member 6", "CN=Example Root"]
        #expect(!hasWayOut || result.names == way)
        #expect(result.notChecked.contains { $0.rule == RuleID("PS-0.4-3") } != hasWayOut)
    }

    @Test("PS-0.4-3: a search that was given up is named as what was not checked, one that came to its end is not")
    func givenUp() throws {
        let leaf = try pki.leaf { $0.hasAuthorityKeyIdentifier = false }
        let impostors = try (0..<41).map { _ in try authority("Example Intermediate").identity().chain[0] }
        func unchecked(_ sent: some Sequence<Certificate>) throws -> [String] {
            try evaluate([leaf] + sent, policy: .jvm, anchors: [stranger.rootCertificate]).notChecked
                .filter { $0.rule == RuleID("PS-0.4-3") }.map(\.summary)
        }
        #expect(try unchecked(impostors) == ["further paths: the search was given up after 40 signatures"])
        #expect(try unchecked(impostors.prefix(40)) == [])
        let key = try PrivateKey.generate(.p256)
        let ring = try (0..<5).map { _ in try authority("Ring").signed(for: key) }
        let below = try pki.leaf(issuer: TLSIdentity(chain: [ring[0]], key: key))
        #expect(
            try evaluate([below] + ring, policy: .jvm, anchors: [stranger.rootCertificate]).notChecked.last?.summary
                == "further paths: the search was given up after 128 paths")
    }

    @Test("PS-0.4-3: authorities that all certify each other cost no more than the permitted paths")
    func ringIsBounded() throws {
        let key = try PrivateKey.generate(.p256)
        let ring = try (0..<5).map { _ in try authority("Ring").signed(for: key) }
        let leaf = try pki.leaf(issuer: TLSIdentity(chain: [ring[0]], key: key))
        let search = try work(leaf, ring)
        #expect(search.paths == 128)
        // One for each ordered pair, and those of the leaf.
        #expect(search.signatureChecks <= 5 * 4 + 5)
        #expect(search.longest.count == 6)
    }

    @Test("PS-0.4-3: a certificate whose key identifier is another costs no signature check")
    func identifiersAreComparedFirst() throws {
        let impostors = try (0..<10).map { _ in try authority("Example Intermediate").identity().chain[0] }
        #expect(try work(leaf, impostors + [pki.intermediateCertificate]).signatureChecks == 1)
    }

    @Test("PS-0.4-3: no path is longer than ten")
    func lengthIsBounded() throws {
        var issuer = pki.root
        var sent: [Certificate] = []
        for level in 0..<12 {
            issuer = try authority("Level \(level)").identity(issuer: issuer)
            sent.append(issuer.chain[0])
        }
        let search = try work(pki.leaf(issuer: issuer), sent)
        #expect(search.longest.count == 10)
        #expect(search.signatureChecks == 9)
    }
}

/// An authority that is valid at the time of the tests.
private func authority(_ name: String) -> CertificateTemplate {
    .authority(subject: [("CN", name)], notBefore: pathTestTime - 10 * day, notAfter: pathTestTime + 10 * day)
}
