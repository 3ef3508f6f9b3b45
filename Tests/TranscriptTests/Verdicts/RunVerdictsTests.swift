import TestSupport
import Testing
import Transcript
import Wire

/// The fold over a whole run: connections apart, live and at the end, bounded.
@Suite struct RunVerdictsTests {
    private func event(_ connection: UInt64, _ kind: Event.Kind) -> Event {
        Event(connection: connection, monotonic: 0, wall: 0, kind: kind)
    }

    @Test func connectionsDoNotMix() {
        let accepting = Conversation.accepting("a.example:443").kinds
        let alerting = Conversation.alerting(48, "b.example:443", stack: stackB).kinds
        var run = RunVerdicts()
        var closed: [ConnectionVerdict] = []
        for index in 0..<max(accepting.count, alerting.count) {
            if index < accepting.count {
                closed += [run.add(event(1, accepting[index]), phase: .trusted)].compactMap { $0 }
            }
            if index < alerting.count {
                closed += [run.add(event(2, alerting[index]), phase: .untrusted)].compactMap { $0 }
            }
        }
        #expect(closed.map(\.connection) == [2, 1])
        #expect(closed.map(\.verdict) == [.rejected(alert: 48, .beforeFinished), .accepted(bytes: 46)])
        #expect(closed.map(\.phase) == [.untrusted, .trusted])
        #expect(closed.map(\.stack) == [stackB, stackA])
        #expect(closed.map(\.endpoint) == [Endpoint("b.example:443"), Endpoint("a.example:443")])
    }

    @Test func openConnectionsCountAsFarAsTheyHaveCome() throws {
        var run = RunVerdicts()
        for kind in Conversation.working("a.example:443").kinds { run.add(event(1, kind), phase: .baseline) }
        for kind in Conversation.secured("a.example:443").kinds { run.add(event(2, kind), phase: .untrusted) }
        #expect(run.verdict(of: 2)?.verdict == .idle)
        #expect(run.findings().map(\.conclusion) == [.inconclusive(.onlyIdle(.untrusted))])
        run.add(event(2, .firstData(.client)), phase: .untrusted)
        #expect(run.verdict(of: 2)?.verdict == .accepted(bytes: 1))
        #expect(run.findings().map(\.conclusion) == [.brokenValidation(rejectsTrusted: false)])
        // To ask changes nothing.
        #expect(run.findings().map(\.untrusted.connections) == [1])
        #expect(run.verdict(of: 1) == nil)
    }

    /// Who rotates phases by the host knows the phase when the client has asked.
    @Test func thePhaseThatIsSaidLastCounts() {
        var run = RunVerdicts()
        let kinds = Conversation.accepting().kinds
        for (index, kind) in kinds.enumerated() { run.add(event(1, kind), phase: index < 3 ? .baseline : .trusted) }
        #expect(run.findings().map(\.trusted.accepted) == [1])
        #expect(run.findings().map(\.baseline.connections) == [0])
    }

    @Test func portsOfAHostAreOneHost() {
        var experiment = Experiment()
        experiment.add(.untrusted, .alerting(48, "a.example:8443"), .alerting(48, "A.example.:443"))
        #expect(experiment.findings().map(\.ports) == [[443, 8443]])
        #expect(experiment.findings().map(\.untrusted.connections) == [2])
    }

    @Test func connectionsWithoutAHelloHaveNoStack() {
        var experiment = Experiment()
        experiment.add(.untrusted, Conversation.tunnel().left(.fin, in: .hello))
        #expect(experiment.findings().map(\.unit.stack) == [nil])
        // Beside those that have one they say nothing.
        experiment.add(.untrusted, .alerting(48))
        #expect(experiment.findings().map(\.unit.stack) == [stackA])
    }

    @Test func whatNamesNoHostIsCountedApart() {
        var experiment = Experiment()
        experiment.add(.untrusted, Conversation.opened.left(.fin, in: .greeting))
        #expect(experiment.run.uncounted == 1)
        #expect(experiment.findings() == [])
    }

    @Test func hostsAndStacksAreBounded() {
        var run = RunVerdicts(hostLimit: 3)
        for number in 1...5 as ClosedRange<UInt64> {
            for kind in Conversation.alerting(48, "host\(number).example:443").kinds {
                run.add(event(number, kind), phase: .untrusted)
            }
        }
        #expect(run.findings().map(\.unit.host.text) == ["host1.example", "host2.example", "host3.example"])
        #expect(run.uncounted == 2)
        for kind in Conversation.alerting(48, "host1.example:443", stack: stackB).kinds {
            run.add(event(6, kind), phase: .untrusted)
        }
        #expect(run.findings().count == 3)
        #expect(run.uncounted == 3)
    }

    @Test func samplesAreBoundedAndCountsAreNot() throws {
        var experiment = Experiment()
        for _ in 0..<100 { experiment.add(.untrusted, .alerting(48)) }
        let evidence = try #require(experiment.finding("api.example.com")).untrusted
        #expect(evidence.samples.map(\.connection) == Array(1...32))
        #expect(evidence.alerts == [48: 100])
    }

    @Test func openConnectionsAreBounded() {
        var run = RunVerdicts(openLimit: 4)
        for number in 1...5 as ClosedRange<UInt64> {
            for kind in Conversation.secured().kinds { run.add(event(number, kind), phase: .trusted) }
        }
        #expect(run.verdict(of: 1) == nil)
        #expect(run.verdict(of: 5)?.verdict == .idle)
    }

    @Test func eventsOfTheRunChangeNothing() {
        var run = RunVerdicts()
        #expect(run.add(Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 3)), phase: .trusted) == nil)
        #expect(run.findings() == [])
    }

    /// Whatever is missing, nothing traps, and who never sent data is never said to accept.
    @Test(arguments: UInt64(1)...50) func anyLinesMayBeMissing(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let conversations = [
            Conversation.alerting(48), .closing(), Conversation.secured().alert(46, in: .relay), .idling(),
            Conversation.shown().left(.reset, in: .clientHandshake), .unreachable(),
        ]
        for conversation in conversations {
            var fold = VerdictFold()
            for kind in conversation.kinds where Bool.random(using: &random) { fold.add(kind) }
            #expect(!fold.verdict.isAccepted)
        }
    }

    /// With the origin's first byte lost, a client that was answered looks like one that gave data away and went.
    @Test func aGapLeavesTheConnectionsThatAreOpenUndecided() throws {
        let kinds = Conversation.accepting().kinds
        for place in 1..<kinds.count {
            var run = RunVerdicts()
            var verdict: ConnectionVerdict?
            for (index, kind) in kinds.enumerated() {
                if index == place {
                    run.add(Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 1)), phase: .untrusted)
                }
                verdict = run.add(event(1, kind), phase: .untrusted)
            }
            #expect(verdict?.verdict == .notTested(.eventsMissing))
            #expect(run.findings().map(\.untrusted.accepted) == [0])
        }
    }

    @Test func aGapReachesTheConnectionsOfAnExperiment() {
        var experiment = ExperimentVerdicts()
        func run(_ kind: Event.Kind) { experiment.add(Event(connection: nil, monotonic: 0, wall: 0, kind: kind)) }
        run(
            .commandStarted(
                CommandStarted(
                    phase: .untrusted, authority: nil, run: 1, isControl: false, listener: "", controlHosts: [])))
        experiment.add(event(1, .opened(client: "", listener: "")))
        run(.gap(lost: 1))
        #expect(experiment.run.verdict(of: 1)?.verdict == .notTested(.eventsMissing))
    }
}
