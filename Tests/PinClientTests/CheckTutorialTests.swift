import Crypto
import PinClient
import Pinning
import Testing
import Wire

/// The tutorials' policies against right and wrong servers: real chains, real path building, real TLS.
///
/// Expectations from PS-11, by hand.
@Suite(.timeLimit(.minutes(5))) struct CheckTutorialTests {
    /// Which server the client meets; it asks for the right name always.
    enum Server: CaseIterable, Sendable {
        case genuine, otherAuthority, genuineForOtherHost, expired, selfSignedPin, systemAuthority
        case systemAuthorityForOtherHost
    }

    struct Row: Sendable, CustomStringConvertible {
        var name: String
        var rule: String
        /// Whether the app pins its CA; otherwise the certificate of its server.
        var pinsAuthority = false
        /// In the order of `Server`; nil where the policy leaves the server to the platform.
        var decisions: [Bool?]

        var description: String { "\(rule) \(name)" }
    }

    private static let yes: Bool? = true
    private static let no: Bool? = false

    // The columns: genuine, other authority, genuine for another host, expired, self-signed and pinned, system's CA,
    // system's CA for another host.
    static let rows: [Row] = [
        Row(name: "tutorial-000a", rule: "PS-11-1", decisions: [no, no, no, no, no, yes, yes]),
        Row(name: "tutorial-000b", rule: "PS-11-1", pinsAuthority: true, decisions: [yes, no, yes, no, yes, no, no]),
        Row(name: "tutorial-000c", rule: "PS-11-1", pinsAuthority: true, decisions: [yes, no, yes, no, yes, no, no]),
        Row(name: "tutorial-000-script", rule: "PS-11-2", decisions: [yes, no, yes, no, yes, no, no]),
        Row(name: "tutorial-001-2x", rule: "PS-11-3", decisions: [yes, yes, yes, yes, yes, yes, yes]),
        Row(
            name: "tutorial-001-2x-dead-policy", rule: "PS-11-3", decisions: [nil, nil, nil, nil, nil, nil, nil]),
        Row(name: "tutorial-001-3x", rule: "PS-11-4", decisions: [yes, no, yes, no, yes, no, no]),
        Row(name: "tutorial-001-oneway", rule: "PS-11-5", decisions: [yes, no, no, no, yes, no, no]),
        Row(name: "tutorial-002", rule: "PS-11-6", pinsAuthority: true, decisions: [yes, no, yes, no, yes, no, no]),
        Row(
            name: "tutorial-002-overtaken", rule: "PS-11-6", pinsAuthority: true,
            decisions: [no, no, no, no, no, yes, no]),
        Row(
            name: "tutorial-003-session", rule: "PS-11-7", pinsAuthority: true,
            decisions: [yes, no, no, no, yes, no, no]),
        Row(
            name: "tutorial-003-session-system", rule: "PS-11-7", pinsAuthority: true,
            decisions: [yes, no, no, no, yes, yes, no]),
        Row(
            name: "tutorial-003-af253", rule: "PS-11-8", pinsAuthority: true,
            decisions: [yes, no, yes, no, no, no, no]),
        Row(
            name: "tutorial-003-af253-key", rule: "PS-11-8", pinsAuthority: true,
            decisions: [yes, no, yes, yes, yes, no, no]),
        Row(name: "tutorial-004-two-certs", rule: "PS-11-9", decisions: [yes, no, yes, yes, yes, no, no]),
        Row(name: "tutorial-004-one-cert", rule: "PS-11-10", decisions: [yes, yes, yes, yes, yes, yes, yes]),
    ]

    @Test func `the table has every tutorial`() {
        #expect(Set(Self.rows.map(\.name)) == Set(Tutorial.all.map(\.name)))
    }

    @Test(arguments: rows) func decidesWithinTheHandshake(_ row: Row) async throws {
        let tutorial = try #require(Tutorial.named(row.name))
        let test = try TestLoop()
        #expect(row.decisions.count == Server.allCases.count)
        for (kind, expected) in zip(Server.allCases, row.decisions) {
            let meeting = try Meeting(kind)
            let server = try await TestServer.start(on: test, meeting.identity)
            let pin = row.pinsAuthority ? meeting.pinnedAuthority : meeting.pinnedLeaf
            let policy = TutorialPolicy(
                tutorial, pins: tutorial.pinUse == .none ? [] : [.init("pin.cer", pin)],
                hosts: [try #require(HostName(testHost))])
            let result = try await Check(policy, trusting: [meeting.systemAuthority], at: server.address).run(
                on: test.loop)
            let verdict = try #require(result.verdict, "\(kind)")
            let record = try #require(await server.nextRecord())
            #expect(verdict.reason.rule.description == row.rule)
            #expect(result.failure == nil, "\(kind)")
            guard let expected else {
                #expect(verdict.decision == .default, "\(kind)")
                // What the system's CAs signed for the right name, as any client would.
                #expect(result.isAccepted == (kind == .systemAuthority), "\(kind)")
                #expect(result.platform?.valid == result.isAccepted, "\(kind)")
                continue
            }
            #expect(verdict.decision == (expected ? .accept : .reject), "\(kind): \(verdict.reason)")
            #expect((record.request != []) == expected, "\(kind): no byte leaves before the verdict")
            // An end in good order is an alert too: close_notify.
            #expect(record.alerts == [expected ? 0 : try #require(result.alert)], "\(kind)")
        }
    }

    /// A server, what the app pins of it, and what the system trusts.
    private struct Meeting {
        let identity: TLSIdentity
        let pinnedAuthority: Certificate
        let pinnedLeaf: Certificate
        let systemAuthority: Certificate

        init(_ kind: Server) throws {
            let elsewhere = [AlternativeName.dns("other.pinproof.test")]
            let own = try TestChain { template in
                if kind == .expired { template.notAfter = testTime - 1 }
                if kind == .genuineForOtherHost { template.alternativeNames = elsewhere }
            }
            let system = try TestChain { template in
                if kind == .systemAuthorityForOtherHost { template.alternativeNames = elsewhere }
            }
            identity =
                switch kind {
                case .genuine, .genuineForOtherHost, .expired: own.server
                case .otherAuthority: try TestChain().server
                case .selfSignedPin: try Self.selfSigned()
                case .systemAuthority, .systemAuthorityForOtherHost: system.server
                }
            pinnedLeaf = kind == .selfSignedPin ? identity.chain[0] : own.leaf
            pinnedAuthority = kind == .selfSignedPin ? identity.chain[0] : own.root
            systemAuthority = system.root
        }

        private static func selfSigned() throws -> TLSIdentity {
            try CertificateTemplate.server(
                names: [.dns(testHost)], notBefore: testTime - 86_400, notAfter: testTime + 86_400
            ).identity()
        }
    }
}

/// The tutorials' odd corners, on real certificates.
@Suite(.timeLimit(.minutes(5))) struct CheckTutorialCornerTests {
    @Test(
        "PS-11-2: what the script makes passes without the host, and the reason says what would have stopped it",
        arguments: [true, false])
    func scriptCertificate(isSelfSigned: Bool) throws {
        // RSA of 1024 bits, a common name and nothing else, ten years.
        var template = CertificateTemplate(
            subject: [("CN", testHost)], notBefore: testTime - 86_400, notAfter: testTime + 3650 * 86_400)
        template.hasSubjectKeyIdentifier = false
        template.hasAuthorityKeyIdentifier = false
        let issuer = isSelfSigned ? nil : try TestChain().authority
        let leaf = try template.identity(key: .generate(.rsa(1024)), issuer: issuer).chain[0]
        let server = ServerTrust(sent: [CertificateFacts(leaf)], host: HostName(testHost), time: testTime)
        let platform = PathBuilder(platform: try TrustStore(anchors: []))
        func verdict(_ name: String) throws -> PolicyVerdict {
            let policy = TutorialPolicy(try #require(Tutorial.named(name)), pins: [.init("server.cer", leaf)])
            return policy.evaluate(server, using: platform)
        }

        let accepted = try verdict("tutorial-000-script")
        #expect(accepted.decision == .accept)
        guard case .pinMatchedWithoutServerRules(let match, let errors) = accepted.reason.kind else {
            Issue.record("\(accepted.reason)")
            return
        }
        #expect(match.depth == 0)
        // Ten years are more than the 825 days of PS-0.3-7.
        #expect(Set(errors.map(\.kind)) == [.hostMismatch, .wrongPurpose, .weakKey, .lifetimeTooLong])
        // With the host's name the same pin is worth nothing (PS-11-5).
        #expect(try verdict("tutorial-001-oneway").decision == .reject)
    }

    @Test("PS-11-8: one pinned CA is enough on a path of two, and too little on a path of three")
    func patchedCounts() throws {
        let chain = try TestChain()
        let middle = try CertificateTemplate.authority(
            subject: [("CN", "Middle")], notBefore: testTime - 86_400, notAfter: testTime + 86_400
        ).identity(issuer: chain.authority)
        let leaf = try CertificateTemplate.server(
            names: [.dns(testHost)], notBefore: testTime - 86_400, notAfter: testTime + 86_400
        ).identity(issuer: middle)
        let platform = PathBuilder(platform: try TrustStore(anchors: []))
        let pins = [AFSecurityPolicy.Pin("ca.cer", chain.root)]
        func decision(_ name: String, _ sent: [Certificate], pins: [AFSecurityPolicy.Pin]) throws
            -> PolicyVerdict.Decision
        {
            TutorialPolicy(try #require(Tutorial.named(name)), pins: pins).evaluate(
                ServerTrust(sent: sent.map(CertificateFacts.init), host: HostName(testHost), time: testTime),
                using: platform
            ).decision
        }
        #expect(try decision("tutorial-003-af253", [chain.leaf], pins: pins) == .accept)
        #expect(try decision("tutorial-003-af253", leaf.chain, pins: pins) == .reject)
        let both = pins + [.init("middle.cer", middle.chain[0])]
        #expect(try decision("tutorial-003-af253", leaf.chain, pins: both) == .accept)
        #expect(try decision("tutorial-003-af253-key", leaf.chain, pins: pins) == .accept)
    }

    @Test("PS-11-3: an identity that does not open leaves the server to the platform", arguments: [true, false])
    func wrongPassword(isTrusted: Bool) async throws {
        let test = try TestLoop()
        let chain = try TestChain()
        let server = try await TestServer.start(on: test, chain.server)
        let policy = TutorialPolicy(try #require(Tutorial.named("tutorial-001-2x")), password: .wrong)
        let anchor = isTrusted ? chain.root : try TestChain().root
        let result = try await Check(policy, trusting: [anchor], at: server.address).run(on: test.loop)
        #expect(result.verdict?.decision == .default)
        #expect(result.isAccepted == isTrusted)
        #expect(result.alert == (isTrusted ? nil : 48))
    }

    @Test("PS-11-6: for http nobody is connected to, whatever the policy")
    func plain() async throws {
        let test = try TestLoop()
        for (policy, rule) in [
            (TutorialPolicy(try #require(Tutorial.named("tutorial-002"))) as any PinningPolicy, "PS-11-6"),
            (AFSecurityPolicy(), "PS-0.1"),
        ] {
            var check = try Check(policy, trusting: [], at: .anyLoopbackPort)
            check.url = try CheckURL("http://\(testHost)/", allowsPlain: true)
            let result = try await check.run(on: test.loop)
            #expect(result.verdict?.decision == .default)
            #expect(result.verdict?.reason.kind == .noCertificateToEvaluate)
            #expect(result.verdict?.reason.rule.description == rule)
            #expect(!result.isAccepted)
            #expect(result.failure == nil)
        }
    }
}
