import Interception
import Testing
import Transcript
import Wire

@testable import Experiment

@Suite struct ExperimentPlanTests {
    @Test func `phase by phase, the command before the controls`() {
        var plan = ExperimentPlan(command: ["app", "--fetch"])
        plan.controls = ["curl https://example.org/"]
        let expected: [ExperimentPlan.Step] = [ExperimentPhase.baseline, .untrusted, .trusted].flatMap { phase in
            [
                .init(phase: phase, run: 1, isControl: false, words: ["app", "--fetch"]),
                .init(phase: phase, run: 2, isControl: false, words: ["app", "--fetch"]),
                .init(phase: phase, run: 1, isControl: true, words: ["/bin/sh", "-c", "curl https://example.org/"]),
            ]
        }
        #expect(plan.steps == expected)
    }

    @Test(arguments: [
        ("api.example.com:443", Decision.tunnel), ("ads.example.com:443", .refuse), ("other.example.org:443", .tunnel),
    ])
    func `in the baseline nothing is intercepted, and what is refused stays refused`(
        _ target: String, _ decision: Decision
    ) throws {
        let rules = [
            Rule(try #require(HostPattern("api.example.com")), .intercept),
            Rule(try #require(HostPattern("ads.example.com")), .refuse),
        ]
        let endpoint = try #require(Endpoint(target))
        #expect(RuleBook.baseline(rules).decide(endpoint).decision == decision)
    }
}
