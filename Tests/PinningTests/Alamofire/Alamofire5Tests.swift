import Pinning
import Testing
import Wire

/// The decisions of Alamofire 5, by hand from PS-2.2.
@Suite struct Alamofire5Tests {
    typealias Evaluator = Alamofire5Session.Evaluator

    struct Row: Sendable, CustomStringConvertible {
        var rule: String
        var evaluator: Evaluator
        /// In the order of `TutorialScenario`.
        var decisions: [PolicyVerdict.Decision]
        var why: String

        init(_ rule: String, _ evaluator: Evaluator, _ decisions: [PolicyVerdict.Decision], _ why: String) {
            self.rule = rule
            self.evaluator = evaluator
            self.decisions = decisions
            self.why = why
        }

        var description: String { "\(rule): \(why)" }
    }

    private static let yes = PolicyVerdict.Decision.accept
    private static let no = PolicyVerdict.Decision.reject
    private static let nobody = [no, no, no, no, no, no, no]

    private static func pins(_ names: String...) -> [CertificatePin] {
        names.map { CertificatePin(name: "\($0).cer", certificate: certificate($0)) }
    }

    // The columns: genuine, other authority, genuine for another host, expired, self-signed, system's CA, system's CA
    // for another host. The private CA is not sent, and nobody trusts it but an app that anchors it.
    static let rows: [Row] = [
        Row("PS-2.2-1", .default(), [no, no, no, no, no, yes, no], "what the system trusts, and the host"),
        Row(
            "PS-2.2-1", .default(validateHost: false), [no, no, no, no, no, yes, yes],
            "what the system trusts, for any host"),
        Row("PS-2.2-2", .revocation(), [no, no, no, no, no, yes, no], "the same, and revocation"),
        Row(
            "PS-2.2-2", .revocation(performDefaultValidation: false, validateHost: false),
            [no, no, no, no, no, yes, yes], "revocation alone still wants a path to an anchor"),
        Row(
            "PS-2.2-3", .pinnedCertificates(pins("public", "server")), [no, no, no, no, no, yes, no],
            "a valid chain with a pin"),
        Row("PS-2.2-3", .pinnedCertificates(pins("authority")), nobody, "a private chain is never valid by default"),
        Row(
            "PS-2.2-3", .pinnedCertificates(pins("authority"), acceptSelfSignedCertificates: true),
            [yes, no, no, no, no, no, no], "the pins are the only anchors: a leaf below a pinned private CA"),
        Row(
            "PS-2.2-3",
            .pinnedCertificates(
                pins("authority", "self-signed"), acceptSelfSignedCertificates: true, validateHost: false),
            [yes, no, yes, no, yes, no, no], "the same for any host"),
        Row(
            "PS-2.2-3", .pinnedCertificates(pins("server", "expired"), performDefaultValidation: false), nobody,
            "the host's validation is a full one: without the other a private chain fails all the same"),
        Row(
            "PS-2.2-3",
            .pinnedCertificates(
                pins("server", "neighbour", "expired"), performDefaultValidation: false, validateHost: false),
            [yes, no, yes, yes, no, no, no], "without both only the path as built counts, expired or not"),
        Row(
            "PS-2.2-3",
            .pinnedCertificates(pins("authority"), performDefaultValidation: false, validateHost: false), nobody,
            "a CA that is not on the path as built"),
        Row(
            "PS-2.2-3", .pinnedCertificates([], performDefaultValidation: false, validateHost: false), nobody, "no pins"
        ),
        Row(
            "PS-2.2-4", .publicKeys(pins("public", "elsewhere")), [no, no, no, no, no, yes, no],
            "a valid chain with a pinned key"),
        Row(
            "PS-2.2-4", .publicKeys(pins("system CA"), validateHost: false), [no, no, no, no, no, yes, yes],
            "any key of the path, for any host"),
        Row("PS-2.2-4", .publicKeys(pins("self-signed", "server")), nobody, "no anchors are set: self-signed fails"),
        Row(
            "PS-2.2-4",
            .publicKeys(pins("self-signed", "expired"), performDefaultValidation: false, validateHost: false),
            [no, no, no, yes, yes, no, no], "unless nothing is validated"),
        Row(
            "PS-2.2-4", .publicKeys(pins("self-signed"), performDefaultValidation: false), nobody,
            "the host's validation is enough to fail"),
        Row("PS-2.2-4", .publicKeys([], performDefaultValidation: false, validateHost: false), nobody, "no pins"),
        Row(
            "PS-2.2-5", .composite([.default(), .pinnedCertificates(pins("public"))]),
            [no, no, no, no, no, yes, no], "both must pass"),
        Row(
            "PS-2.2-5", .composite([.default(), .pinnedCertificates(pins("server"))]), nobody,
            "one fails at each server"),
        Row(
            "PS-2.2-5",
            .composite([
                .pinnedCertificates(pins("authority"), acceptSelfSignedCertificates: true), .publicKeys(pins("server")),
            ]), [yes, no, no, no, no, no, no], "the anchors that one member sets stay for the next"),
        Row(
            "PS-2.2-5",
            .composite([
                .publicKeys(pins("server")), .pinnedCertificates(pins("authority"), acceptSelfSignedCertificates: true),
            ]), nobody, "and are not there yet for the one before"),
        Row(
            "PS-2.2-5",
            .composite([
                .composite([.pinnedCertificates(pins("authority"), acceptSelfSignedCertificates: true)]), .default(),
            ]), [yes, no, no, no, no, no, no], "a composite in a composite is on the same object"),
        Row("PS-2.2-6", .disabled, [yes, yes, yes, yes, yes, yes, yes], "nothing is evaluated"),
    ]

    @Test(arguments: rows) func decidesAsTheTableSays(_ row: Row) {
        #expect(row.decisions.count == TutorialScenario.allCases.count)
        for version in [LibraryVersion(5, 0, 0), LibraryVersion(5, 12, 0)] {
            let session = Alamofire5Session(version: version, evaluators: [TutorialScenario.host: row.evaluator])
            for (scenario, expected) in zip(TutorialScenario.allCases, row.decisions) {
                let verdict = session.evaluate(scenario.server, using: TutorialScenario.platform)
                #expect(verdict.decision == expected, "\(scenario): \(verdict.reason)")
                #expect(verdict.reason.rule.description == row.rule)
            }
        }
    }

    @Test(
        "PS-2.2: hosts are looked up letter by letter, and what is not found is refused unless that is allowed",
        arguments: ["API.example.com", "api.example.com.", "www.example.com"])
    func hosts(spelling: String) {
        var server = TutorialScenario.systemAuthority.server
        server.host = HostName(spelling)
        server.spelling = spelling
        let reason = PolicyReason(.alamofire(.hostNotMapped(spelling)), rule: RuleID("PS-2.2"))
        for (mustBeEvaluated, expected) in [(true, PolicyVerdict.Decision.reject), (false, .default)] {
            let session = Alamofire5Session(
                evaluators: ["api.example.com": .default()], allHostsMustBeEvaluated: mustBeEvaluated)
            let verdict = session.evaluate(server, using: TutorialScenario.platform)
            #expect(verdict == PolicyVerdict(expected, reason))
        }
    }

    @Test("PS-2.2: without a manager everything is left to the platform; one without entries refuses all")
    func noManager() {
        let server = TutorialScenario.systemAuthority.server
        let none = Alamofire5Session(evaluators: nil).evaluate(server, using: TutorialScenario.platform)
        #expect(none == PolicyVerdict(.default, PolicyReason(.alamofire(.noManager), rule: RuleID("PS-2.2"))))
        let empty = Alamofire5Session(evaluators: [:]).evaluate(server, using: TutorialScenario.platform)
        #expect(empty.decision == .reject)
    }

    @Test(
        "PS-2.2-2: no answer about revocation passes, unless one is required",
        arguments: [
            (RevocationAnswer.good, false, PolicyVerdict.Decision.accept), (.good, true, .accept),
            (.unanswered, false, .accept), (.unanswered, true, .reject), (.revoked, false, .reject),
            (.revoked, true, .reject),
        ])
    func revocation(answer: RevocationAnswer, isRequired: Bool, expected: PolicyVerdict.Decision) {
        let session = Alamofire5Session(evaluators: [
            TutorialScenario.host: .revocation(requirePositiveResponse: isRequired)
        ])
        var server = TutorialScenario.systemAuthority.server
        server.revocation = answer
        #expect(session.evaluate(server, using: TutorialScenario.platform).decision == expected)
    }

    @Test("PS-2.2-1, PS-2.2-3: each validation replaces the policy, in the library's order")
    func questions() {
        let leaf = certificate("leaf")
        let host = HostName(TutorialScenario.host)
        func policies(_ evaluator: Evaluator) -> [TrustPolicy] {
            let platform = FakeEvaluator(platform: valid(leaf), pinned: valid(leaf))
            let session = Alamofire5Session(evaluators: [TutorialScenario.host: evaluator])
            _ = session.evaluate(ServerTrust(sent: [leaf], host: host, time: 1), using: platform)
            return platform.questions.map(\.policy)
        }
        #expect(policies(.default()) == [.ssl(host: host), .ssl(host: nil)])
        #expect(policies(.default(validateHost: false)) == [.ssl(host: nil)])
        #expect(policies(.pinnedCertificates(Self.pins("leaf"))) == [.ssl(host: nil), .ssl(host: host)])
        #expect(policies(.revocation()) == [.ssl(host: nil), .ssl(host: host), .basicX509])
        #expect(policies(.disabled) == [])
    }

    @Test("PS-2.2-5: the member that decided stands beside the composite's rule")
    func step() {
        let evaluator = Evaluator.composite([.disabled, .publicKeys(Self.pins("public"))])
        let session = Alamofire5Session(evaluators: [TutorialScenario.host: evaluator])
        let verdict = session.evaluate(TutorialScenario.systemAuthority.server, using: TutorialScenario.platform)
        #expect(
            verdict.reason.description
                == "pin public.cer matches certificate 0 of the path, CN=public (PS-2.2-5 by PS-2.2-4)")
    }

    @Test("PS-2.2-3, PS-2.2-4: what has no usable pin is a problem of the configuration")
    func withoutPins() {
        let broken = [CertificatePin(name: "noise.cer", certificate: nil)]
        for (evaluator, rule) in [
            (Evaluator.pinnedCertificates([]), "PS-2.2-3"), (.pinnedCertificates(broken), "PS-2.2-3"),
            (.publicKeys(broken), "PS-2.2-4"), (.composite([.default(), .publicKeys([])]), "PS-2.2-4"),
        ] {
            let session = Alamofire5Session(evaluators: ["a.example.com": evaluator])
            #expect(session.configurationProblem == PolicyReason(.noUsablePin, rule: RuleID(rule)))
        }
        #expect(Alamofire5Session(evaluators: ["a.example.com": .default()]).configurationProblem == nil)
    }

    @Test("PS-2.2: other generations are not emulated", arguments: [LibraryVersion(4, 9, 1), LibraryVersion(6, 0)])
    func otherGenerations(version: LibraryVersion) {
        let session = Alamofire5Session(version: version, evaluators: nil)
        #expect(session.configurationProblem?.kind == .versionNotEmulated("Alamofire \(version)"))
        let verdict = session.evaluate(TutorialScenario.genuine.server, using: TutorialScenario.platform)
        #expect(verdict.decision == .configError)
    }
}
