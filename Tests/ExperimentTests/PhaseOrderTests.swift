import Engine
import Testing
import Transcript
import Wire

@testable import Experiment

@Suite struct PhaseOrderTests {
    private let host = HostName("api.example.com")!
    private let everything = Set(ExperimentPhase.allCases)

    private func phases(
        _ count: Int, _ open: Set<ExperimentPhase>, stacks: Int = 1, _ order: inout PhaseOrder
    ) -> [PhaseAssignment] {
        (0..<count).map { _ in order.next(at: host, HostProgress(open: open, stacks: stacks)) }
    }

    private func evidence(_ phases: ExperimentPhase...) -> [PhaseAssignment] {
        phases.map { PhaseAssignment($0, isEvidence: true) }
    }

    @Test func `baseline, untrusted, trusted, and again`() {
        var order = PhaseOrder()
        #expect(
            phases(5, everything, &order) == evidence(.baseline, .untrusted, .trusted, .baseline, .untrusted))
    }

    @Test func `what is settled is left out`() {
        var order = PhaseOrder()
        #expect(phases(1, everything, &order) == evidence(.baseline))
        #expect(
            phases(3, [.untrusted, .trusted], &order) == evidence(.untrusted, .trusted, .untrusted))
        #expect(phases(2, [.trusted], &order) == evidence(.trusted, .trusted))
    }

    @Test func `a host of which all is known is left alone`() {
        var order = PhaseOrder()
        #expect(phases(2, [], &order) == Array(repeating: PhaseAssignment(.baseline, isEvidence: false), count: 2))
        // A new client stack opens it again.
        #expect(phases(1, [.trusted], stacks: 2, &order) == evidence(.trusted))
    }

    @Test func `hosts have turns of their own`() {
        var order = PhaseOrder()
        _ = phases(2, everything, &order)
        let other = order.next(at: HostName("b.example")!, HostProgress(open: everything, stacks: 0))
        #expect(other == PhaseAssignment(.baseline, isEvidence: true))
        #expect(phases(1, everything, &order) == evidence(.trusted))
    }

    /// Eight connections of a phase for each stack, of four stacks at most.
    @Test(arguments: [(0, 8), (1, 8), (2, 16), (4, 32), (9, 32)])
    func `what never settles is given up`(_ stacks: Int, _ expected: Int) {
        var order = PhaseOrder()
        let given = phases(40, [.untrusted], stacks: stacks, &order)
        #expect(given.count { $0.isEvidence } == expected)
        #expect(given.last == PhaseAssignment(.baseline, isEvidence: false))
    }

    @Test func `the number of hosts is bounded`() {
        var order = PhaseOrder(hostLimit: 1)
        _ = phases(1, everything, &order)
        let other = order.next(at: HostName("b.example")!, HostProgress(open: everything, stacks: 0))
        #expect(other == PhaseAssignment(.baseline, isEvidence: false))
        #expect(phases(1, everything, &order) == evidence(.untrusted))
    }
}
