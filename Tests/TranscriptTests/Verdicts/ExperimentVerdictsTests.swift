import Testing
import Transcript
import Wire

/// Which connection belongs to which phase is in the events, and nothing else is needed.
@Suite struct ExperimentVerdictsTests {
    private let api = "api.example.com:443"

    private func add(_ kind: Event.Kind, _ connection: UInt64?, to fold: inout ExperimentVerdicts) {
        fold.add(Event(connection: connection, monotonic: 0, wall: 0, kind: kind))
    }

    private func start(
        _ phase: ExperimentPhase, isControl: Bool = false, controlHosts: [String] = [],
        in fold: inout ExperimentVerdicts
    ) {
        let command = CommandStarted(
            phase: phase, authority: nil, run: 1, isControl: isControl, listener: "127.0.0.1:1",
            controlHosts: controlHosts)
        add(.commandStarted(command), nil, to: &fold)
    }

    private func end(_ ending: CommandEnded.Ending, in fold: inout ExperimentVerdicts) {
        add(.commandEnded(CommandEnded(ending: ending, nanoseconds: 5)), nil, to: &fold)
    }

    /// One conversation in each phase, with the command's status in the baseline.
    private func experiment(
        _ ending: CommandEnded.Ending = .exit(0), untrusted: Conversation, trusted: Conversation
    ) -> ExperimentVerdicts {
        var fold = ExperimentVerdicts()
        let phases: [(ExperimentPhase, Conversation)] = [
            (.baseline, .working(api)), (.untrusted, untrusted), (.trusted, trusted),
        ]
        for (index, (phase, conversation)) in phases.enumerated() {
            start(phase, in: &fold)
            for kind in conversation.kinds { add(kind, UInt64(index + 1), to: &fold) }
            end(phase == .baseline ? ending : .exit(60), in: &fold)
        }
        return fold
    }

    @Test func `phases come from the events`() {
        let fold = experiment(untrusted: .alerting(48), trusted: .accepting())
        #expect(fold.findings.map(\.conclusion) == [.notPinned])
        #expect(!fold.baselineFailed)
        #expect(fold.openConnections == 0)
    }

    /// A command that is ended when its time is up may be one that never ends; what its tunnels carried decides.
    @Test(arguments: [
        (CommandEnded.Ending.exit(1), true), (.signal(11), true), (.timeLimit, false), (.exit(0), false),
    ])
    func `a baseline that fails by the command's own account decides everything`(
        _ ending: CommandEnded.Ending, _ fails: Bool
    ) {
        let fold = experiment(ending, untrusted: .alerting(48), trusted: .accepting())
        #expect(fold.baselineFailed == fails)
        #expect(fold.findings.map(\.conclusion) == [fails ? .inconclusive(.failsWithoutProxy) : .notPinned])
    }

    @Test func `a connection belongs to the phase that it began in`() {
        var fold = ExperimentVerdicts()
        start(.untrusted, in: &fold)
        let kinds = Conversation.alerting(48).kinds
        for kind in kinds.prefix(3) { add(kind, 1, to: &fold) }
        start(.trusted, in: &fold)
        #expect(fold.openConnections == 1)
        for kind in kinds.dropFirst(3) { add(kind, 1, to: &fold) }
        #expect(fold.findings.map(\.untrusted.connections) == [1])
        #expect(fold.findings.map(\.trusted.connections) == [0])
    }

    @Test func `a control shows trust, counts for no finding, and its failing is not the command's`() {
        var fold = ExperimentVerdicts()
        var connection: UInt64 = 0
        func run(_ phase: ExperimentPhase, _ conversation: Conversation, isControl: Bool, _ ending: CommandEnded.Ending)
        {
            start(phase, isControl: isControl, in: &fold)
            connection += 1
            for kind in conversation.kinds { add(kind, connection, to: &fold) }
            end(ending, in: &fold)
        }
        run(.baseline, .working(api), isControl: false, .exit(0))
        run(.baseline, .working("example.org:443"), isControl: true, .exit(9))
        run(.untrusted, .alerting(48, api), isControl: false, .exit(1))
        run(.untrusted, .alerting(48, "example.org:443"), isControl: true, .exit(1))
        run(.trusted, .alerting(48, api), isControl: false, .exit(1))
        #expect(fold.findings.map(\.conclusion) == [.inconclusive(.trustNotShown)])
        run(.trusted, .accepting("example.org:443"), isControl: true, .exit(0))
        let control = HostName.named("example.org")
        #expect(fold.findings.map(\.conclusion) == [.pinned(.control(control, connection: 6))])
        #expect(!fold.baselineFailed)
    }

    @Test func `hosts that stand for ordinary trust are in the events too`() {
        var fold = ExperimentVerdicts()
        start(.baseline, controlHosts: ["example.org"], in: &fold)
        #expect(fold.controlHosts == [.named("example.org")])
    }

    @Test func `an interruption is remembered, and what nobody started is nobody's`() {
        var fold = ExperimentVerdicts()
        for kind in Conversation.accepting().kinds { add(kind, 1, to: &fold) }
        #expect(fold.findings.isEmpty)
        start(.baseline, in: &fold)
        end(.interrupted, in: &fold)
        #expect(fold.isInterrupted)
        #expect(!fold.baselineFailed)
    }
}
