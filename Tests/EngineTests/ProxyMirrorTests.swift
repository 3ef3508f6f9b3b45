import Authority
import Crypto
import Engine
import Interception
import TestSupport
import Testing
import Transcript
import Wire

/// `--scenario mirror`: the client is shown the origin's faults, and decides; errors by the numbers of OpenSSL's
/// `X509_V_ERR_*`.
@Suite struct ProxyMirrorTests {
    /// What is wrong with an origin's certificate.
    struct Origin: CustomTestStringConvertible, Sendable {
        let faults: [OriginFault]
        /// What a verifier that knows the proxy's CA finds wrong with the leaf that it is shown: number and depth.
        let numbers: Set<[Int]>
        var seconds: (from: Int64, to: Int64) = (-3600, 3600)
        var name = testHost
        var signsItself = false

        var testDescription: String { "\(faults)" }
        var isUntrusted: Bool { faults.contains(.untrusted) }
    }

    static let origins = [
        Origin(faults: [.expired], numbers: [[10, 0]], seconds: (-7200, -3600)),
        Origin(faults: [.notYetValid], numbers: [[9, 0]], seconds: (3600, 7200)),
        Origin(faults: [.wrongName], numbers: [[62, 0]], name: "other.pinproof.test"),
        Origin(faults: [.selfSigned], numbers: [[18, 0]], signsItself: true),
        Origin(faults: [.untrusted], numbers: [[20, 0]]),
        Origin(
            faults: [.expired, .wrongName, .untrusted], numbers: [[10, 0], [62, 0], [20, 0]], seconds: (-7200, -3600),
            name: "other.pinproof.test"),
        Origin(
            faults: [.notYetValid, .wrongName, .selfSigned], numbers: [[9, 0], [62, 0], [18, 0]], seconds: (60, 7200),
            name: "other.pinproof.test", signsItself: true),
    ]

    private func identity(_ origin: Origin, _ stage: Stage) throws -> TLSIdentity {
        let template = CertificateTemplate.server(
            names: [.dns(origin.name)], notBefore: stage.now + origin.seconds.from,
            notAfter: stage.now + origin.seconds.to)
        return origin.signsItself ? try template.identity() : try stage.publicAuthority.issue(template)
    }

    private func stage(_ scenario: Scenario? = .mirror, trustsOrigin: Bool = true) async throws -> Stage {
        try await Stage {
            $0.trustsOrigin = trustsOrigin
            $0.scenarios = HostTable(try scenario.map { [(try .required("*"), $0)] } ?? [])
        }
    }

    /// A client that finds out everything that is wrong, and goes on.
    private func tolerant(_ found: Watched<Set<[Int]>>) -> TLSSession.Verification {
        .trustAndNameUnless { faults, _ in
            let numbers = Set(faults.map { [Int($0.verifyError), $0.depth] })
            found.update { $0 = numbers }
            return nil
        }
    }

    @Test("C53: the client is shown what is wrong, and reaches the origin if it takes that", arguments: origins)
    func mirrored(_ it: Origin) async throws {
        let stage = try await stage(trustsOrigin: !it.isUntrusted)
        let client = try await stage.connectedClient()
        let found = Watched<Set<[Int]>>([])
        try await client.beginTLS(
            to: .required(testHost), stage.clientContext(), verify: tolerant(found), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        let identity = try identity(it, stage)
        try await origin.beginTLS(.server(), identity: identity, alpn: "http/1.1")
        try await client.secured()
        try await origin.secured()
        #expect(found.current == it.numbers)
        let leaf = try #require(client.seen.chain.first)
        #expect(leaf.spkiSHA256 != identity.chain[0].spkiSHA256)

        try await client.send("request")
        #expect(try await origin.receive(7) == Array("request".utf8))
        try await origin.send("answer")
        #expect(try await client.receive(6) == Array("answer".utf8))
        try await client.close()
        try await origin.close()

        let story = try await stage.log.story()
        #expect(story.failures == [])
        let words = it.faults.map { " \($0)" }.joined()
        #expect(story.lines.contains("forged \(testHost) EC P-256\(words)"))
        let proofs = story.kinds.compactMap {
            if case .secured(.origin, let parameters) = $0 { parameters.proof } else { nil }
        }
        #expect(proofs == [.mirrored])
    }

    /// RSA keys are made elsewhere than on the loop.
    @Test("C53: a leaf with an RSA key has the faults too")
    func rsa() async throws {
        let stage = try await stage()
        let client = try await stage.connectedClient()
        let found = Watched<Set<[Int]>>([])
        let trust = try TrustStore(anchors: [stage.proxyAuthority.certificate])
        try await client.beginTLS(
            to: .required(testHost), .oldClient(trust: trust, suites: "aRSA"), verify: tolerant(found))
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity(notBefore: -7200, notAfter: -3600))
        try await client.secured()
        #expect(client.seen.chain.first?.keyDescription == "RSA 2048")
        #expect(found.current == [[10, 0]])
    }

    @Test("C53: a client that checks refuses the mirrored leaf, and the origin hears nothing", arguments: origins)
    func refused(_ it: Origin) async throws {
        let stage = try await stage(trustsOrigin: !it.isUntrusted)
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext())
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: identity(it, stage))
        let view = try await client.handshakeOver()
        guard case .certificateRejected(let number, 0)? = view.failure?.kind else {
            Issue.record("\(view)")
            return
        }
        #expect(it.numbers.contains([Int(number), 0]))
        try await origin.ended()
        #expect(origin.seen.count == 0)
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.closed.by == .client)
        #expect(story.closed.phase == .clientHandshake)
    }

    @Test("C53: without the scenario, or with the default by name, the page says what is wrong", arguments: origins)
    func byDefault(_ it: Origin) async throws {
        for scenario in [nil, Scenario.trusted] {
            let stage = try await stage(scenario, trustsOrigin: !it.isUntrusted)
            let client = try await stage.connectedClient()
            try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
            let origin = try await stage.origin.accept()
            try await origin.beginTLS(.server(), identity: identity(it, stage))
            try await client.secured()
            #expect(try await client.fetchPage("http/1.1").contains("the origin's certificate is refused"))
            try await client.close()
            try await origin.close()
            let story = try await stage.log.story()
            #expect(story.lines.contains("forged \(testHost) EC P-256"))
            #expect(story.failures.count == 1)
        }
    }

    @Test("C53: a sound origin is shown as a sound one")
    func sound() async throws {
        let stage = try await stage()
        let (client, origin) = try await stage.interceptedPair()
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.lines.contains("forged \(testHost) EC P-256"))
        #expect(
            story.kinds.contains {
                if case .secured(.origin, let parameters) = $0 { parameters.proof == .trust } else { false }
            })
    }

    @Test("C53: a fault that is not mirrored is told on the page, with a sound leaf")
    func unmirrored() async throws {
        let stage = try await stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        var template = CertificateTemplate.server(
            names: [.dns("other.pinproof.test")], notBefore: stage.now - 7200, notAfter: stage.now - 3600)
        template.purposes = [.clientAuth]
        try await origin.beginTLS(.server(), identity: stage.publicAuthority.issue(template))
        try await client.secured()
        let page = try await client.fetchPage("http/1.1")
        #expect(page.contains("the origin's certificate is refused: unsuitable certificate purpose"))
        #expect(page.contains("this is no fault that --scenario mirror can show the client"))
        // unsupported_certificate.
        try await origin.wait("the alert") { !$0.alerts.isEmpty }
        #expect(origin.seen.alerts == [43])
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.lines.contains("forged \(testHost) EC P-256"))
        #expect(story.failures == [.originUntrusted])
    }

    @Test("C53: a pin is judged as without the scenario", arguments: [true, false])
    func pinned(_ matches: Bool) async throws {
        let authority = try await Stage().publicAuthority
        let identity = try authority.issue(.server(names: [.dns("other.pinproof.test")], notBefore: 0, notAfter: 1))
        let pin = OriginPin.publicKey(matches ? identity.chain[0].spkiSHA256 : [UInt8](repeating: 7, count: 32))
        let stage = try await Stage {
            $0.scenarios = HostTable([(try .required("*"), .mirror)])
            $0.originPins = HostTable([(try .required(testHost), pin)])
        }
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: identity, alpn: "http/1.1")
        // The leaf is a sound one in both cases.
        try await client.secured()
        if !matches {
            let page = try await client.fetchPage("http/1.1")
            #expect(page.contains("is not one that --origin-pin names for it"))
            #expect(!page.contains("--scenario"))
        }
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.lines.contains("forged \(testHost) EC P-256"))
        #expect(story.failures == (matches ? [] : [.originUntrusted]))
    }

    @Test("C53: an origin that breaks off after its faulty certificate is told with a sound leaf")
    func brokenOff() async throws {
        let stage = try await stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        // TLS 1.2: the server's Finished comes last, and this one refuses the proxy, which has no certificate, before.
        try await origin.beginTLS(
            .server(maximumVersion: 0x0303), identity: stage.originIdentity(notBefore: -7200, notAfter: -3600),
            authentication: ClientAuthentication(isRequired: true) { _ in .accept }, alpn: "http/1.1")
        try await client.secured()
        _ = try await client.fetchPage("http/1.1", fault: "origin")
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.lines.contains("forged \(testHost) EC P-256"))
    }

    @Test("C53: the most specific pattern decides, of equal ones the last")
    func patterns() async throws {
        let stage = try await Stage {
            $0.hosts = [testHost, "www.pinproof.test"]
            $0.scenarios = HostTable([
                (try .required(testHost), .trusted), (try .required(testHost), .mirror), (try .required("*"), .trusted),
            ])
        }
        for (number, host) in [(1, testHost), (2, "www.pinproof.test")] as [(UInt64, String)] {
            let client = try await stage.connectedClient(host)
            let found = Watched<Set<[Int]>>([])
            try await client.beginTLS(
                to: .required(host), stage.clientContext(), verify: tolerant(found), alpn: ["http/1.1"])
            let origin = try await stage.origin.accept()
            try await origin.beginTLS(.server(), identity: stage.originIdentity(host, notBefore: -7200, notAfter: -60))
            try await client.secured()
            #expect(found.current == (host == testHost ? [[10, 0]] : []))
            try await client.close()
            try await origin.close()
            #expect(try await stage.log.story(of: number).failures == (host == testHost ? [] : [.originExpired]))
        }
    }

    /// TLS 1.2 lets a server begin again, with another certificate: it may not be worse than what the client was shown.
    @Test("C53: what an origin shows in a second handshake is what the client was shown, or it is refused")
    func renegotiation() async throws {
        let stage = try await stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(
            to: .required(testHost), stage.clientContext(), verify: tolerant(Watched([])))
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(
            .server(maximumVersion: 0x0303), identity: stage.originIdentity(notBefore: -7200, notAfter: -3600))
        try await client.secured()
        try await origin.secured()
        let other = try stage.originIdentity(notBefore: -7200, notAfter: -1800)
        try await origin.withSession {
            do { try $0.replaceIdentity(with: other) } catch { Issue.record("\(error)") }
            $0.requestRenegotiation()
        }
        // certificate_expired.
        try await origin.wait("the alert") { !$0.alerts.isEmpty }
        #expect(origin.seen.alerts == [45])
        try await client.close()
        try await origin.close()
        #expect(try await stage.log.story().failures == [.originExpired])
    }
}
