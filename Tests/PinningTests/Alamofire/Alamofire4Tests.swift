import Pinning
import Testing
import Wire

/// The decisions of Alamofire 4, by hand from PS-2.1.
@Suite struct Alamofire4Tests {
    typealias Policy = Alamofire4Session.ServerTrustPolicy

    struct Row: Sendable, CustomStringConvertible {
        var rule: String
        var policy: Policy
        /// In the order of `TutorialScenario`.
        var decisions: [PolicyVerdict.Decision]
        var why: String

        init(_ rule: String, _ policy: Policy, _ decisions: [PolicyVerdict.Decision], _ why: String) {
            self.rule = rule
            self.policy = policy
            self.decisions = decisions
            self.why = why
        }

        var description: String { "\(rule): \(why)" }
    }

    private static let yes = PolicyVerdict.Decision.accept
    private static let no = PolicyVerdict.Decision.reject

    private static func pins(_ names: String...) -> [CertificatePin] {
        names.map { CertificatePin(name: "\($0).cer", certificate: certificate($0)) }
    }

    // The columns: genuine, other authority, genuine for another host, expired, self-signed, system's CA, system's CA
    // for another host. The private CA is not sent, and nobody trusts it but an app that anchors it.
    static let rows: [Row] = [
        Row(
            "PS-2.1-1", .performDefaultEvaluation(), [no, no, no, no, no, yes, no],
            "what the system trusts, and the host"
        ),
        Row(
            "PS-2.1-1", .performDefaultEvaluation(validateHost: false), [no, no, no, no, no, yes, yes],
            "what the system trusts, for any host"),
        Row("PS-2.1-2", .performRevokedEvaluation(), [no, no, no, no, no, yes, no], "the same, and revocation"),
        Row(
            "PS-2.1-2", .performRevokedEvaluation(validateHost: false), [no, no, no, no, no, yes, yes],
            "the same without the host"),
        Row(
            "PS-2.1-3", .pinCertificates(pins("authority")), [yes, no, no, no, no, no, no],
            "the pins are the only anchors: no bytes are compared, whatever stands below passes"),
        Row(
            "PS-2.1-3", .pinCertificates(pins("authority"), validateHost: false), [yes, no, yes, no, no, no, no],
            "the same for any host"),
        Row(
            "PS-2.1-3", .pinCertificates(pins("server", "expired")), [yes, no, no, no, no, no, no],
            "a pinned leaf is its own anchor, and must be valid"),
        Row(
            "PS-2.1-3", .pinCertificates(pins("server", "neighbour", "expired"), validateCertificateChain: false),
            [yes, no, yes, yes, no, no, no],
            "without the chain neither validity nor the host counts, though it was asked for"),
        Row(
            "PS-2.1-3", .pinCertificates(pins("authority"), validateCertificateChain: false),
            [no, no, no, no, no, no, no], "a CA that is not on the path"),
        Row(
            "PS-2.1-3", .pinCertificates(pins("system CA"), validateCertificateChain: false),
            [no, no, no, no, no, yes, yes], "a CA that is, though it is not the leaf"),
        Row("PS-2.1-3", .pinCertificates([]), [no, no, no, no, no, no, no], "no pins"),
        Row(
            "PS-2.1-3", .pinCertificates([], validateCertificateChain: false), [no, no, no, no, no, no, no],
            "no pins, without the chain"),
        Row(
            "PS-2.1-4", .pinPublicKeys(pins("public", "elsewhere")), [no, no, no, no, no, yes, no],
            "a valid chain with a pinned key"),
        Row(
            "PS-2.1-4", .pinPublicKeys(pins("system CA"), validateHost: false), [no, no, no, no, no, yes, yes],
            "any key of the path, for any host"),
        Row(
            "PS-2.1-4", .pinPublicKeys(pins("server", "self-signed", "expired")), [no, no, no, no, no, no, no],
            "pins are no anchors: a private chain is never valid, and the system's has no pin"),
        Row(
            "PS-2.1-4",
            .pinPublicKeys(pins("server", "self-signed", "expired", "neighbour"), validateCertificateChain: false),
            [yes, no, yes, yes, yes, no, no],
            "without the chain only the key counts; the host does not, though asked for"),
        Row("PS-2.1-4", .pinPublicKeys([]), [no, no, no, no, no, no, no], "no pins"),
        Row(
            "PS-2.1-4", .pinPublicKeys([], validateCertificateChain: false), [no, no, no, no, no, no, no],
            "no pins, without the chain"),
        Row("PS-2.1-5", .disableEvaluation, [yes, yes, yes, yes, yes, yes, yes], "nothing is evaluated"),
        Row("PS-2.1-6", .customEvaluation { _, _ in false }, [no, no, no, no, no, no, no], "a closure refuses"),
        Row("PS-2.1-6", .customEvaluation { _, _ in true }, [yes, yes, yes, yes, yes, yes, yes], "a closure accepts"),
        Row(
            "PS-2.1-6",
            .customEvaluation { server, platform in
                platform.evaluate(
                    policy: .ssl(host: server.host), anchors: nil, anchorsOnly: false, sent: server.sent,
                    time: server.time
                ).valid
            }, [no, no, no, no, no, yes, no], "a closure may ask the platform"),
    ]

    @Test(arguments: rows) func decidesAsTheTableSays(_ row: Row) {
        #expect(row.decisions.count == TutorialScenario.allCases.count)
        for version in [LibraryVersion(4, 3, 0), LibraryVersion(4, 9, 1)] {
            let session = Alamofire4Session(version: version, policies: [TutorialScenario.host: row.policy])
            for (scenario, expected) in zip(TutorialScenario.allCases, row.decisions) {
                let verdict = session.evaluate(scenario.server, using: TutorialScenario.platform)
                #expect(verdict.decision == expected, "\(scenario): \(verdict.reason)")
                #expect(verdict.reason.rule.description == row.rule)
            }
        }
    }

    @Test(
        "PS-2.1: hosts are looked up letter by letter, and what is not found is left to the platform",
        arguments: [
            ("api.example.com", PolicyVerdict.Decision.reject), ("API.example.com", .default),
            ("api.example.com.", .default), ("www.example.com", .default), ("example.com", .default),
        ])
    func hosts(spelling: String, expected: PolicyVerdict.Decision) {
        let session = Alamofire4Session(policies: ["api.example.com": .pinCertificates(Self.pins("stranger"))])
        var server = TutorialScenario.systemAuthority.server
        server.host = HostName(spelling)
        server.spelling = spelling
        let verdict = session.evaluate(server, using: TutorialScenario.platform)
        #expect(verdict.decision == expected)
        guard expected == .default else { return }
        #expect(
            verdict.reason == PolicyReason(.alamofire(.hostNotMapped(spelling)), rule: RuleID("PS-2.1")))
    }

    @Test("PS-2.1: an entry in upper case is met by a host in upper case only")
    func upperCaseEntry() {
        let session = Alamofire4Session(policies: ["API.example.com": .disableEvaluation])
        var server = TutorialScenario.genuine.server
        #expect(session.evaluate(server, using: TutorialScenario.platform).decision == .default)
        server.spelling = "API.example.com"
        #expect(session.evaluate(server, using: TutorialScenario.platform).decision == .accept)
    }

    @Test("PS-2.1: without a manager everything is left to the platform")
    func noManager() {
        let verdict = Alamofire4Session(policies: nil).evaluate(
            TutorialScenario.genuine.server, using: TutorialScenario.platform)
        #expect(verdict == PolicyVerdict(.default, PolicyReason(.alamofire(.noManager), rule: RuleID("PS-2.1"))))
    }

    @Test(
        "PS-2.1-2: no answer about revocation passes, unless one is required",
        arguments: [
            (RevocationAnswer.good, false, PolicyVerdict.Decision.accept), (.good, true, .accept),
            (.unanswered, false, .accept), (.unanswered, true, .reject), (.revoked, false, .reject),
            (.revoked, true, .reject),
        ])
    func revocation(answer: RevocationAnswer, isRequired: Bool, expected: PolicyVerdict.Decision) {
        let session = Alamofire4Session(policies: [
            TutorialScenario.host: .performRevokedEvaluation(requirePositiveResponse: isRequired)
        ])
        var server = TutorialScenario.systemAuthority.server
        server.revocation = answer
        let verdict = session.evaluate(server, using: TutorialScenario.platform)
        #expect(verdict.decision == expected)
        #expect(verdict.reason.rule.description == "PS-2.1-2")
    }

    @Test("PS-2.1-2: the evaluation came with 4.3.0")
    func revocationBefore() {
        let policies: [String: Policy] = [TutorialScenario.host: .performRevokedEvaluation()]
        let old = Alamofire4Session(version: LibraryVersion(4, 2, 0), policies: policies)
        #expect(old.configurationProblem?.rule.description == "PS-2.1-2")
        let verdict = old.evaluate(TutorialScenario.systemAuthority.server, using: TutorialScenario.platform)
        #expect(verdict.decision == .configError)
        #expect(Alamofire4Session(version: LibraryVersion(4, 3, 0), policies: policies).configurationProblem == nil)
    }

    @Test("PS-2.1-3, PS-2.1-4: what has no usable pin is a problem of the configuration")
    func withoutPins() {
        let broken = [CertificatePin(name: "noise.cer", certificate: nil)]
        let policies: [(Policy, String)] = [
            (.pinCertificates([]), "PS-2.1-3"), (.pinCertificates(broken), "PS-2.1-3"),
            (.pinPublicKeys([]), "PS-2.1-4"), (.pinPublicKeys(broken), "PS-2.1-4"),
        ]
        for (policy, rule) in policies {
            let session = Alamofire4Session(policies: ["a.example.com": .disableEvaluation, "b.example.com": policy])
            #expect(session.configurationProblem == PolicyReason(.noUsablePin, rule: RuleID(rule)))
        }
        let pinned = Alamofire4Session(policies: ["a.example.com": .pinCertificates(broken + Self.pins("server"))])
        #expect(pinned.configurationProblem == nil, "files that are no certificate are skipped")
    }

    @Test("PS-2.1: other generations are not emulated", arguments: [LibraryVersion(3, 5, 1), LibraryVersion(5, 0)])
    func otherGenerations(version: LibraryVersion) {
        let session = Alamofire4Session(version: version, policies: nil)
        #expect(session.configurationProblem?.kind == .versionNotEmulated("Alamofire \(version)"))
        let verdict = session.evaluate(TutorialScenario.genuine.server, using: TutorialScenario.platform)
        #expect(verdict.decision == .configError)
    }

    @Test("PS-2.1: what is found in a bundle", arguments: ["a.cer", "a.CER", "a.crt", "a.CRT", "a.der", "a.DER"])
    func bundle(name: String) { #expect(AlamofireBundle.loads(fileNamed: name)) }

    @Test("PS-2.1: and what is not", arguments: ["a.Cer", "a.pem", "a.cer.txt", "cer", "a.p12"])
    func notInBundle(name: String) { #expect(!AlamofireBundle.loads(fileNamed: name)) }
}
