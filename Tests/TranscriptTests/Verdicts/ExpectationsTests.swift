import Testing
import Transcript
import Wire

/// `--expect FILE` and `--default`.
@Suite struct ExpectationsTests {
    private let api = "api.example.com:443"

    // MARK: - Reading

    @Test(arguments: [
        ("pinned", 1, "a host is missing: write \"pinned HOST\""),
        ("# fine\n\npinnned api.example.com", 3, "\"pinnned\" is none of pinned, unpinned, tunnelled, refused"),
        ("unpinned a.example b.example", 1, "there is more than one host: write \"unpinned HOST\""),
        (
            "pinned a.example\r\nrefused *.*.example\r\n", 2,
            "\"*.*.example\" is no host pattern: write example.com, *.example.com or *"
        ),
    ])
    func errorsNameTheLine(_ text: String, _ line: Int, _ description: String) {
        #expect(throws: Expectations.ParseError(line: line, description: description)) { try Expectations(text) }
    }

    @Test func commentsAndBlankLinesAreSkipped() throws {
        let expectations = try Expectations("# all of them\n\n  pinned\tapi.example.com  # but this one\n\n")
        let outcomes = expectations.compare([])
        #expect(outcomes.map(\.line) == [3])
        #expect(outcomes.map(\.pattern) == [HostPattern("api.example.com")])
    }

    // MARK: - Comparing

    /// An experiment in which one host came to each kind of conclusion.
    private func results(_ text: String, default fallback: Expectations.Default = .any) throws -> [String] {
        var experiment = Experiment(
            working: "pinned.example:443", "plain.example:443", "broken.example:443", "open.example:443")
        experiment.add(.untrusted, .alerting(48, "pinned.example:443"))
        experiment.add(.trusted, .closing("pinned.example:443"), .closing("pinned.example:443"))
        experiment.add(.untrusted, .alerting(48, "plain.example:443"))
        experiment.add(.trusted, .accepting("plain.example:443"))
        experiment.add(.untrusted, .accepting("broken.example:443"))
        experiment.add(.untrusted, .closing("open.example:443"))
        experiment.add(.untrusted, .working("tunnelled.example:443"))
        experiment.add(
            .untrusted, Conversation.asking("refused.example:443", .refuse) + [.closed(.by(.proxy, .greeting))])
        let outcomes = try Expectations(text, default: fallback).compare(experiment.findings())
        return outcomes.map { "\($0.finding?.unit.host.text ?? "-") \($0.expected) \($0.result)" }
    }

    @Test(arguments: [
        ("pinned pinned.example", "pinned.example pinned asExpected"),
        ("unpinned pinned.example", "pinned.example unpinned differs"),
        ("pinned plain.example", "plain.example pinned differs"),
        ("unpinned plain.example", "plain.example unpinned asExpected"),
        ("pinned broken.example", "broken.example pinned differs"),
        ("unpinned broken.example", "broken.example unpinned differs"),
        ("pinned open.example", "open.example pinned undecided"),
        ("unpinned open.example", "open.example unpinned undecided"),
        ("tunnelled tunnelled.example", "tunnelled.example tunnelled asExpected"),
        ("refused tunnelled.example", "tunnelled.example refused differs"),
        ("pinned tunnelled.example", "tunnelled.example pinned undecided"),
        ("refused refused.example", "refused.example refused asExpected"),
        ("tunnelled refused.example", "refused.example tunnelled differs"),
        ("unpinned refused.example", "refused.example unpinned undecided"),
        ("tunnelled pinned.example", "pinned.example tunnelled differs"),
        ("pinned elsewhere.example", "- pinned undecided"),
        ("refused elsewhere.example", "- refused undecided"),
    ])
    func everyExpectationAgainstEveryConclusion(_ line: String, _ result: String) throws {
        #expect(try results(line) == [result])
    }

    @Test func theMostSpecificLineDecidesAndThenTheLast() throws {
        #expect(
            try results("pinned pinned.example\nunpinned *.example\nunpinned plain.example\npinned plain.example")
                .filter { $0.hasPrefix("pl") || $0.hasPrefix("pi") }
                == ["pinned.example pinned asExpected", "plain.example pinned differs"])
    }

    /// A line that no host falls under is no pass, but everything falls under `*`.
    @Test func linesWithoutAHostAreMissed() throws {
        #expect(try results("pinned *.nowhere.example") == ["- pinned undecided"])
        let nothing = try Expectations("unpinned *").compare([])
        #expect(nothing == [])
        // The earlier of two equal lines never decides, so it is not missed.
        let twice = try Expectations("pinned a.example\nunpinned a.example").compare([])
        #expect(twice.map(\.line) == [2])
    }

    @Test func theDefaultIsForHostsThatNoLineNames() throws {
        #expect(
            try results("pinned pinned.example", default: .unpinned) == [
                "pinned.example pinned asExpected", "plain.example unpinned asExpected",
                "broken.example unpinned differs", "open.example unpinned undecided",
            ])
        #expect(try results("", default: .pinned).first == "pinned.example pinned asExpected")
        #expect(try results("").isEmpty)
    }

    @Test func aPortInALineNeedsThatPort() throws {
        #expect(try results("pinned pinned.example:443") == ["pinned.example pinned asExpected"])
        #expect(try results("pinned pinned.example:8443") == ["- pinned undecided"])
    }

    @Test func dataThatWasGivenAwayIsNotAsExpected() throws {
        let leaking = (Conversation.secured() + [.firstData(.client)]).alertAfterData(42, bytes: 300)
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, leaking)
        #expect(experiment.conclusion() == .pinned(.otherRefusal))
        let outcomes = try Expectations("pinned api.example.com").compare(experiment.findings())
        #expect(outcomes.map(\.result) == [.differs])
    }

    /// Where the conduct is mixed, what was accepted was accepted.
    @Test func oneAcceptedConnectionSettlesIt() throws {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(42), .accepting())
        let outcomes = try Expectations("pinned api.example.com").compare(experiment.findings())
        #expect(outcomes.map(\.result) == [.differs])
        #expect(try Expectations("unpinned *").compare(experiment.findings()).map(\.result) == [.differs])
    }

    /// Two services of one host may be expected to differ; the finding is one.
    @Test func everyPortHasItsLine() throws {
        var experiment = Experiment(working: api, "api.example.com:8443")
        experiment.add(.untrusted, .alerting(48), .alerting(48, "api.example.com:8443"))
        experiment.add(.trusted, .accepting(), .alerting(42, "api.example.com:8443"), .accepting(), .accepting())
        let expectations = try Expectations("unpinned api.example.com\npinned api.example.com:8443")
        let outcomes = expectations.compare(experiment.findings())
        #expect(outcomes.map(\.line) == [1, 2])
        #expect(outcomes.allSatisfy { $0.finding != nil })
    }

    /// A spare connection without a hello is no reason to doubt what the others showed; alone it is.
    @Test func spareConnectionsAreNotMissed() throws {
        let spare = Conversation.tunnel(api).left(.fin, in: .hello)
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, spare)
        let expectations = try Expectations("unpinned api.example.com")
        #expect(expectations.compare(experiment.findings()).map(\.result) == [.undecided])
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, .accepting())
        #expect(expectations.compare(experiment.findings()).map(\.result) == [.asExpected])
    }

    // MARK: - The result of a run

    @Test func theWorstOutcomeIsTheResult() throws {
        let expectations = try Expectations("pinned a.example\nunpinned b.example")
        func outcome(_ result: Expectations.Result) -> Expectations.Outcome {
            Expectations.Outcome(finding: nil, expected: .pinned, line: 1, pattern: nil, result: result)
        }
        #expect(expectations.result(of: [outcome(.asExpected)]) == .asExpected)
        #expect(expectations.result(of: [outcome(.asExpected), outcome(.undecided)]) == .undecided)
        #expect(expectations.result(of: [outcome(.undecided), outcome(.differs)]) == .differs)
        #expect(Expectations.Result.allCases.map(\.exitCode) == [0, 1, 3])
    }

    @Test func nothingIsOnlyAsExpectedIfNothingWasExpected() throws {
        #expect(Expectations().result(of: []) == .asExpected)
        #expect(Expectations(default: .pinned).result(of: []) == .undecided)
        #expect(try Expectations("pinned *").result(of: []) == .undecided)
    }
}
