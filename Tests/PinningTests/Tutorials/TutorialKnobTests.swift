import Pinning
import Testing
import Wire

/// What single knobs ask, and what they say (PS-11).
@Suite struct TutorialKnobTests {
    private let leaf = certificate("leaf")
    private let root = certificate("root")

    private func server(_ host: String?, _ sent: CertificateFacts...) -> ServerTrust {
        ServerTrust(sent: sent, host: host.flatMap { HostName($0) }, time: 5)
    }

    @Test("PS-11-9: the platform is not asked, and only the first certificate counts")
    func leafBytes() {
        let evaluator = FakeEvaluator(platform: invalid(.noAnchor), pinned: invalid(.noAnchor))
        let policy = LeafBytesPolicy(pins: [
            .init(name: "noise.cer", certificate: nil), .init(name: "tomcat.cer", certificate: leaf),
        ])
        let accepted = policy.evaluate(server("api.example.com", leaf, root), using: evaluator)
        #expect(accepted.decision == .accept)
        #expect(accepted.match == PinMatch(pin: "tomcat.cer", certificate: leaf, depth: 0))
        let appended = policy.evaluate(server("api.example.com", certificate("rogue"), leaf), using: evaluator)
        #expect(appended.decision == .reject)
        #expect(appended.reason == PolicyReason(.leafNotPinned, rule: RuleID("PS-11-9")))
        let renewed = policy.evaluate(server("api.example.com", certificate("renewed", key: "leaf")), using: evaluator)
        #expect(renewed.decision == .reject, "the bytes are compared, not the key")
        #expect(policy.evaluate(server("api.example.com"), using: evaluator).decision == .reject)
        #expect(evaluator.questions == [])
    }

    @Test(
        "PS-11-10: names and addresses, exactly",
        arguments: [
            ("www.hangge.com", PolicyVerdict.Decision.accept), ("WWW.Hangge.com.", .accept),
            ("192.168.1.112", .accept), ("hangge.com", .reject), ("a.www.hangge.com", .reject),
            ("192.168.1.11", .reject), (nil, .reject),
        ] as [(String?, PolicyVerdict.Decision)])
    func hostList(host: String?, expected: PolicyVerdict.Decision) {
        let evaluator = FakeEvaluator(platform: invalid(.noAnchor), pinned: invalid(.noAnchor))
        let policy = HostListPolicy(hosts: Tutorial.listedHosts)
        let verdict = policy.evaluate(server(host, leaf), using: evaluator)
        #expect(verdict.decision == expected)
        #expect(verdict.reason.rule.description == "PS-11-10")
        #expect(evaluator.questions == [])
    }

    @Test("PS-11-7: the platform's policy stays, with the anchors alone or beside its own", arguments: [true, false])
    func customAnchors(keepsPlatformAnchors: Bool) {
        let evaluator = FakeEvaluator(platform: invalid(.noAnchor), pinned: valid(leaf, root))
        let policy = CustomAnchorsPolicy(
            anchors: [.init(name: "ca.cer", certificate: root)], keepsPlatformAnchors: keepsPlatformAnchors)
        let verdict = policy.evaluate(server("api.example.com", leaf), using: evaluator)
        #expect(verdict.decision == .accept)
        #expect(verdict.reason.kind == .anchored(besidePlatform: keepsPlatformAnchors))
        #expect(
            evaluator.questions == [
                .init(
                    policy: .ssl(host: HostName("api.example.com")), anchors: [root],
                    anchorsOnly: !keepsPlatformAnchors, sent: [leaf], time: 5)
            ])
    }

    @Test func `PS-11-7: an anchor that is no certificate raises an exception`() {
        let policy = CustomAnchorsPolicy(
            anchors: [.init(name: "ca.cer", certificate: root), .init(name: "noise.cer", certificate: nil)],
            keepsPlatformAnchors: false)
        #expect(policy.configurationProblem == nil)
        let verdict = policy.evaluate(
            server("api.example.com", leaf), using: FakeEvaluator(platform: valid(leaf), pinned: valid(leaf)))
        #expect(verdict.decision == .configError)
        #expect(verdict.reason == PolicyReason(.unusablePin(name: "noise.cer"), rule: RuleID("PS-11-7")))
    }

    @Test func `PS-11-2: an accepted certificate that would not do for a TLS server is named as such`() {
        let pinned = certificate("common name only")
        let platform = SmallPlatform(known: [.init(certificate: pinned)], system: [])
        let policy = ScriptCertificatePolicy(pins: [.init(name: "server.cer", certificate: pinned)])
        let verdict = policy.evaluate(server("api.example.com", pinned), using: platform)
        #expect(verdict.decision == .accept)
        let match = PinMatch(pin: "server.cer", certificate: pinned, depth: 0)
        let errors = [TrustError(.hostMismatch, depth: 0, detail: "hostMismatch")]
        #expect(
            verdict.reason == PolicyReason(.pinMatchedWithoutServerRules(match, errors), rule: RuleID("PS-1.3-1")))
        #expect(verdict.match == match)
        #expect(verdict.trust?.valid == true, "what is reported is what decided")
    }

    @Test func `PS-11-3: an identity for every challenge asks nobody, and says so`() {
        let evaluator = FakeEvaluator(platform: invalid(.noAnchor), pinned: invalid(.noAnchor))
        let use = IdentityUse(file: "client.p12", conduct: .always, otherChallenges: .identity)
        let verdict = IdentityForEveryChallenge(use).evaluate(server("api.example.com", leaf), using: evaluator)
        #expect(verdict.decision == .accept)
        #expect(verdict.reason.explanation.contains("the server is never evaluated"))
        #expect(evaluator.questions == [])
    }

    @Test(
        "Counts are met exactly, or not at all",
        arguments: [
            (PinCount.Demand.all, 2, true), (.all, 1, false), (.all, 3, false), (.allButOne, 1, true),
            (.allButOne, 2, false), (.allButOne, 0, false), (.any, 1, true), (.any, 0, false),
        ])
    func counts(demand: PinCount.Demand, count: Int, isMet: Bool) {
        #expect(PinCount(.keyPairs, count: count, pathLength: 2, demand: demand).isMet == isMet)
    }
}
