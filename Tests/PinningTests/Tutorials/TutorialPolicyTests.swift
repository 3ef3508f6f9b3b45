import Pinning
import Testing
import Wire

/// The tutorials' decisions, written by hand from PS-11.
@Suite struct TutorialPolicyTests {
    /// What the app pins.
    enum Pinned: Sendable {
        case nothing, leaf, authority
    }

    struct Row: Sendable, CustomStringConvertible {
        var name: String
        var rule: String
        var pinned: Pinned
        var hosts: [String]?
        /// In the order of `TutorialScenario`.
        var decisions: [PolicyVerdict.Decision]

        var description: String { "\(rule) \(name)" }
    }

    private static let yes = PolicyVerdict.Decision.accept
    private static let no = PolicyVerdict.Decision.reject
    private static let platform = PolicyVerdict.Decision.default

    // The columns: genuine, other authority, genuine for another host, expired, self-signed and pinned, system's CA,
    // system's CA for another host.
    static let rows: [Row] = [
        // (a) A path that the system finds valid, for any name; a private CA is none of the system's.
        Row(
            name: "tutorial-000a", rule: "PS-11-1", pinned: .nothing, decisions: [no, no, no, no, no, yes, yes]),
        // (b) The pins are the anchors, leaf or CA; expiry counts, the host does not.
        Row(
            name: "tutorial-000b", rule: "PS-11-1", pinned: .authority, decisions: [yes, no, yes, no, yes, no, no]),
        Row(name: "tutorial-000b", rule: "PS-11-1", pinned: .leaf, decisions: [yes, no, yes, no, yes, no, no]),
        // (c) The same check; the client side differs.
        Row(
            name: "tutorial-000c", rule: "PS-11-1", pinned: .authority, decisions: [yes, no, yes, no, yes, no, no]),
        Row(
            name: "tutorial-000-script", rule: "PS-11-2", pinned: .leaf, decisions: [yes, no, yes, no, yes, no, no]),
        // The server is never evaluated.
        Row(
            name: "tutorial-001-2x", rule: "PS-11-3", pinned: .leaf,
            decisions: [yes, yes, yes, yes, yes, yes, yes]),
        // The policy object is never asked.
        Row(
            name: "tutorial-001-2x-dead-policy", rule: "PS-11-3", pinned: .leaf,
            decisions: [platform, platform, platform, platform, platform, platform, platform]),
        Row(name: "tutorial-001-3x", rule: "PS-11-4", pinned: .leaf, decisions: [yes, no, yes, no, yes, no, no]),
        // The host must match besides.
        Row(name: "tutorial-001-oneway", rule: "PS-11-5", pinned: .leaf, decisions: [yes, no, no, no, yes, no, no]),
        Row(
            name: "tutorial-001-oneway", rule: "PS-11-5", pinned: .authority,
            decisions: [yes, no, no, no, yes, no, no]),
        // A private root, any name.
        Row(name: "tutorial-002", rule: "PS-11-6", pinned: .authority, decisions: [yes, no, yes, no, yes, no, no]),
        // The default policy in its place: the system's CAs, and the host must match.
        Row(
            name: "tutorial-002-overtaken", rule: "PS-11-6", pinned: .authority,
            decisions: [no, no, no, no, no, yes, no]),
        // The app's anchors only, with the host.
        Row(
            name: "tutorial-003-session", rule: "PS-11-7", pinned: .authority,
            decisions: [yes, no, no, no, yes, no, no]),
        // The system's beside them.
        Row(
            name: "tutorial-003-session-system", rule: "PS-11-7", pinned: .authority,
            decisions: [yes, no, no, no, yes, yes, no]),
        // One pin on a path of two; a path that is the pin alone has one too many.
        Row(
            name: "tutorial-003-af253", rule: "PS-11-8", pinned: .authority,
            decisions: [yes, no, yes, no, no, no, no]),
        // One pinned key on the path is enough, and the path need not be valid.
        Row(
            name: "tutorial-003-af253-key", rule: "PS-11-8", pinned: .authority,
            decisions: [yes, no, yes, yes, yes, no, no]),
        // The leaf's bytes and nothing else.
        Row(
            name: "tutorial-004-two-certs", rule: "PS-11-9", pinned: .leaf,
            decisions: [yes, no, yes, yes, yes, no, no]),
        // The host and nothing else.
        Row(
            name: "tutorial-004-one-cert", rule: "PS-11-10", pinned: .nothing, hosts: [TutorialScenario.host],
            decisions: [yes, yes, yes, yes, yes, yes, yes]),
        // The tutorial's own list does not have the host: normal sites fail too.
        Row(
            name: "tutorial-004-one-cert", rule: "PS-11-10", pinned: .nothing,
            decisions: [no, no, no, no, no, no, no]),
    ]

    @Test(arguments: rows) func decidesAsTheTableSays(_ row: Row) throws {
        let tutorial = try #require(Tutorial.named(row.name))
        #expect(row.decisions.count == TutorialScenario.allCases.count)
        for (scenario, expected) in zip(TutorialScenario.allCases, row.decisions) {
            let pin: CertificateFacts? =
                switch row.pinned {
                case .nothing: nil
                case .leaf: scenario.pinnedLeaf
                case .authority: scenario.pinnedAuthority
                }
            let policy = TutorialPolicy(
                tutorial, pins: pin.map { [.init(name: "pin.cer", certificate: $0)] } ?? [],
                hosts: row.hosts?.compactMap { HostName($0) } ?? Tutorial.listedHosts)
            #expect(policy.configurationProblem == nil)
            let verdict = policy.evaluate(scenario.server, using: TutorialScenario.platform)
            #expect(verdict.decision == expected, "\(scenario): \(verdict.reason)")
            #expect(verdict.reason.rule.description == row.rule)
        }
    }

    @Test func `every tutorial has its rows, and every row of the semantics a tutorial`() {
        #expect(Set(Self.rows.map(\.name)) == Set(Tutorial.all.map(\.name)))
        #expect(Set(Tutorial.all.map(\.rule.description)) == Set((1...10).map { "PS-11-\($0)" }))
        #expect(Set(Tutorial.all.map(\.name)).count == Tutorial.all.count)
    }

    @Test func `a lesson is one sentence`() {
        for tutorial in Tutorial.all {
            #expect(tutorial.lesson.hasSuffix("."))
            #expect(!tutorial.lesson.dropLast().contains(". "), "\(tutorial.name)")
            #expect(!tutorial.lesson.contains("\n"), "\(tutorial.name)")
        }
    }

    @Test(
        "The library's step stands beside the row that configures it",
        arguments: [
            ("tutorial-000a", "PS-1.1-7"), ("tutorial-000b", "PS-1.3-1"), ("tutorial-002-overtaken", "PS-1.1-7"),
            ("tutorial-003-af253", "PS-1.2-1"), ("tutorial-003-af253-key", "PS-1.2-2"), ("tutorial-003-session", nil),
            ("tutorial-004-two-certs", nil),
        ])
    func step(name: String, expected: String?) throws {
        let scenario = TutorialScenario.genuine
        let policy = TutorialPolicy(
            try #require(Tutorial.named(name)),
            pins: [.init(name: "pin.cer", certificate: scenario.pinnedAuthority)])
        let reason = policy.evaluate(scenario.server, using: TutorialScenario.platform).reason
        #expect(reason.step?.description == expected)
    }

    @Test func `PS-11-8: the reason counts`() throws {
        let scenario = TutorialScenario.genuine
        let policy = TutorialPolicy(
            try #require(Tutorial.named("tutorial-003-af253")),
            pins: [.init(name: "ca.cer", certificate: scenario.pinnedAuthority)])
        #expect(
            policy.evaluate(scenario.server, using: TutorialScenario.platform).reason.description
                == "1 of the path's 2 certificates is pinned; the library wants 1, one less than the path has "
                + "(PS-11-8 by PS-1.2-1)")
    }

    @Test func `a tutorial that needs pins cannot work without, and says so under its row`() {
        for tutorial in Tutorial.all {
            let problem = TutorialPolicy(tutorial).configurationProblem
            #expect((problem != nil) == (tutorial.pinUse == .needed), "\(tutorial.name)")
            guard let problem else { continue }
            #expect(problem.kind == .noUsablePin)
            #expect(problem.rule == tutorial.rule)
            let broken = TutorialPolicy(tutorial, pins: [.init(name: "noise.cer", certificate: nil)])
            #expect(broken.configurationProblem?.kind == .noUsablePin, "\(tutorial.name)")
        }
    }

    @Test func `PS-11-6: http has nothing to evaluate`() throws {
        #expect(Tutorial.all.filter(\.hasPlainBranch).map(\.name) == ["tutorial-002"])
        let server = ServerTrust(sent: [], host: HostName("a.test"), time: 0)
        let reason = TutorialPolicy(try #require(Tutorial.named("tutorial-002"))).verdictWithoutTLS(on: server).reason
        #expect(reason.kind == .noCertificateToEvaluate)
        #expect(reason.rule.description == "PS-11-6")
    }
}
