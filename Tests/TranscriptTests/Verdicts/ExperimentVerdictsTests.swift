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

    // MARK: - Phases of their own

    private func rotating(_ label: String? = nil) -> ExperimentVerdicts {
        var fold = ExperimentVerdicts()
        add(
            .runStarted(
                RunStarted(
                    tool: "test", openssl: "test", listeners: [], authorities: [], label: label, rotatesPhases: true)),
            nil, to: &fold)
        return fold
    }

    /// The phase comes between what was asked for and what was decided.
    private func tell(
        _ conversation: Conversation, _ phase: ExperimentPhase, _ connection: UInt64, to fold: inout ExperimentVerdicts
    ) {
        for kind in conversation.kinds {
            if case .decided = kind { add(.phase(phase, authority: nil), connection, to: &fold) }
            add(kind, connection, to: &fold)
        }
    }

    @Test func `where phases rotate every connection says its own, and the run has a label`() {
        var fold = rotating("build 7")
        #expect(fold.label == "build 7")
        tell(.working(api), .baseline, 1, to: &fold)
        tell(.alerting(48), .untrusted, 2, to: &fold)
        tell(.accepting(), .trusted, 3, to: &fold)
        #expect(fold.findings.map(\.conclusion) == [.notPinned])
        #expect(fold.findings.map(\.baseline.connections) == [1])
        #expect(fold.openConnections == 0)
    }

    @Test func `where they do not, such an event changes nothing for connections that are nobody's`() {
        var fold = ExperimentVerdicts()
        tell(.accepting(), .trusted, 1, to: &fold)
        #expect(fold.findings.isEmpty)
    }

    @Test func `a host that is answered and has no origin has no baseline, whatever the command says of it`() {
        var fold = ExperimentVerdicts()
        let answered = Conversation.asking(api, .answer)
        let shown = answered + [.hello(.stack(stackA))] + Conversation.flight(0x0304)
        start(.baseline, in: &fold)
        let failing =
            Conversation.asking(api, .tunnel) + [
                .failed(.of(.origin, .connectionFailed, .connecting)),
                .answered(status: 502, reason: "connectionFailed"),
                .ended(.client, .fin, .closing), .closed(.by(.origin, .connecting, client: .fin)),
            ]
        for kind in failing.kinds { add(kind, 1, to: &fold) }
        end(.exit(56), in: &fold)
        #expect(fold.baselineFailed)
        start(.untrusted, in: &fold)
        for kind in shown.alert(48).kinds { add(kind, 2, to: &fold) }
        // Only now is it known that the proxy answers for it.
        #expect(!fold.baselineFailed)
        start(.trusted, in: &fold)
        let refusing = fold
        let secured = shown + [.message(.client, .received, [20]), .secured(.client, .agreed(0x0304, "h2", false))]
        for kind in (secured + [.firstData(.client), .answered(status: 200, reason: "answer")]).left(
            .closeNotify, in: .relay, bytes: (90, 0)
        ).kinds { add(kind, 3, to: &fold) }
        #expect(fold.findings.map(\.conclusion) == [.notPinned])
        fold = refusing
        for kind in shown.alert(46).kinds { add(kind, 3, to: &fold) }
        #expect(fold.findings.map(\.conclusion) == [.inconclusive(.baselineMissing)])
    }

    @Test func `without such a rule a baseline that cannot be reached is one that fails`() {
        var experiment = Experiment()
        experiment.add(.baseline, .unreachable())
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, .accepting())
        #expect(experiment.conclusion() == .inconclusive(.failsWithoutProxy))
    }

    // MARK: - How commands ended

    private func silent(_ ending: CommandEnded.Ending, in phase: ExperimentPhase = .trusted) -> ExperimentVerdicts {
        var fold = ExperimentVerdicts()
        var connection: UInt64 = 0
        let phases: [(ExperimentPhase, [Conversation])] = [
            (.baseline, [.working(api)]), (.untrusted, [.alerting(48)]), (.trusted, [.closing(), .closing()]),
        ]
        for (each, conversations) in phases {
            start(each, in: &fold)
            for conversation in conversations {
                connection += 1
                for kind in conversation.kinds { add(kind, connection, to: &fold) }
            }
            end(each == phase ? ending : .exit(0), in: &fold)
        }
        return fold
    }

    /// 139 is what a shell says of a segmentation fault: 128 and 11.
    @Test(arguments: [
        (CommandEnded.Ending.signal(11), true), (.exit(139), true), (.exit(128), false), (.exit(1), false),
        (.exit(160), false), (.exit(255), false),
    ])
    func `silence of a command that crashed proves nothing`(_ ending: CommandEnded.Ending, _ isCrash: Bool) {
        let conclusion: Conclusion = isCrash ? .inconclusive(.commandCrashed(.trusted)) : .pinned(.otherRefusal)
        #expect(silent(ending).findings.map(\.conclusion) == [conclusion])
        #expect(silent(ending, in: .untrusted).findings.map(\.conclusion) == [.pinned(.otherRefusal)])
    }

    @Test func `silence leaves it open whether the client ended for a reason of its own`() {
        #expect(silent(.exit(0)).findings.first?.candidateCauses.contains(.otherEnding) == true)
    }

    @Test func `a command that fails though its data was taken may look at its pins too late`() {
        var fold = ExperimentVerdicts()
        let phases: [(ExperimentPhase, Conversation, Int32)] = [
            (.baseline, .working(api), 0), (.untrusted, .alerting(48), 1), (.trusted, .accepting(), 1),
        ]
        for (index, (phase, conversation, status)) in phases.enumerated() {
            start(phase, in: &fold)
            for kind in conversation.kinds { add(kind, UInt64(index + 1), to: &fold) }
            end(.exit(status), in: &fold)
        }
        #expect(fold.findings.map(\.conclusion) == [.notPinned])
        #expect(fold.findings.map(\.candidateCauses) == [[.lateCheck]])
        // Where another host is refused, that is why it fails.
        let other = "www.example.com:443"
        for kind in Conversation.alerting(42, other).kinds { add(kind, 4, to: &fold) }
        #expect(fold.findings.first?.candidateCauses == [])
    }
}
