import Testing
import Transcript
import Wire

/// What counts as rejecting and as accepting in a phase, and what decides nothing.
@Suite struct FindingConductTests {
    private let api = "api.example.com:443"

    /// A client that refuses the untrusted CA with an alert, and does this with the trusted one.
    private func conclusion(trusted: Conversation...) -> Conclusion? {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(48))
        for conversation in trusted { experiment.add(.trusted, conversation) }
        return experiment.conclusion()
    }

    @Test func oneSilentEndIsOnlySuspected() {
        #expect(conclusion(trusted: .closing()) == .inconclusive(.tooFewRepeats(.trusted)))
        #expect(conclusion(trusted: .closing(), .closing()) == .pinned(.otherRefusal))
        let silent = Conversation.shown().left(.fin, in: .clientHandshake)
        #expect(conclusion(trusted: silent) == .inconclusive(.tooFewRepeats(.trusted)))
        #expect(conclusion(trusted: silent, silent) == .pinned(.otherRefusal))
        var untrusted = Experiment(working: api)
        untrusted.add(.untrusted, .closing())
        untrusted.add(.trusted, .accepting())
        #expect(untrusted.conclusion() == .inconclusive(.tooFewRepeats(.untrusted)))
    }

    @Test("C27: spare connections that are dropped count for nothing where one is used")
    func spareConnections() throws {
        let dropped = Conversation.shown().left(.fin, in: .clientHandshake)
        #expect(conclusion(trusted: dropped, dropped, .accepting()) == .notPinned)
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, dropped, dropped, .accepting())
        #expect(experiment.conclusion() == .brokenValidation(rejectsTrusted: false))
        let evidence = try #require(experiment.finding("api.example.com")).untrusted
        #expect(
            evidence.samples == [
                PhaseEvidence.Sample(connection: 2, verdict: .rejectedSilently(.fin)),
                PhaseEvidence.Sample(connection: 3, verdict: .rejectedSilently(.fin)),
                PhaseEvidence.Sample(connection: 4, verdict: .accepted(bytes: 46)),
            ])
    }

    @Test("C27: a host with nothing but one dropped connection stays open")
    func onlySilentHost() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, Conversation.shown().left(.fin, in: .clientHandshake))
        experiment.add(.trusted, Conversation.shown().left(.fin, in: .clientHandshake))
        #expect(experiment.conclusion() == .inconclusive(.tooFewRepeats(.untrusted)))
    }

    /// A browser's spare connection may have another hello, and so another JA4, than the one that it uses.
    @Test func silentEndsOfAnotherStackProveNothingWhereOneIsUsed() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(48), .alerting(48, stack: stackB))
        experiment.add(.trusted, .closing(), .closing(), .accepting(stack: stackB))
        #expect(experiment.conclusion() == .inconclusive(.mixedConduct(.trusted)))
        #expect(experiment.conclusion("api.example.com", stackB) == .notPinned)
    }

    @Test func mixedConductOfOneStack() {
        #expect(conclusion(trusted: .alerting(42), .accepting()) == .inconclusive(.mixedConduct(.trusted)))
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(42), .accepting())
        // It gave data to somebody whom nothing vouched for, whatever else it did.
        #expect(experiment.conclusion() == .brokenValidation(rejectsTrusted: false))
    }

    /// One that looks at its pins after it has sent something is answered, or not, by chance.
    @Test func leavingAfterSendingAsOftenAsNotIsMixed() {
        #expect(conclusion(trusted: .accepting(), .sendingAndLeaving()) == .inconclusive(.mixedConduct(.trusted)))
        #expect(conclusion(trusted: .accepting(), .accepting(), .sendingAndLeaving()) == .notPinned)
    }

    // MARK: - Silence that proves nothing

    /// The events of a connection with the times at which they happened, in milliseconds.
    private func tell(
        _ experiment: inout RunVerdicts, _ connection: UInt64, _ conversation: Conversation, _ phase: ExperimentPhase,
        leavingAfter milliseconds: UInt64 = 0, beforeLeaving: (inout RunVerdicts) -> Void = { _ in }
    ) {
        for kind in conversation.kinds {
            var time: UInt64 = 0
            switch kind {
            case .ended(.client, _, _): beforeLeaving(&experiment); time = milliseconds * 1_000_000
            case .closed: time = milliseconds * 1_000_000
            default: break
            }
            experiment.add(Event(connection: connection, monotonic: time, wall: 0, kind: kind), phase: phase)
        }
    }

    /// Runs with two silent ends in the trusted phase.
    private func silent(
        after milliseconds: UInt64 = 0, beforeLeaving: (inout RunVerdicts) -> Void = { _ in }
    ) -> Conclusion? {
        var run = RunVerdicts()
        tell(&run, 1, .working(api), .baseline)
        tell(&run, 2, .alerting(48), .untrusted)
        for connection: UInt64 in 3...4 {
            tell(&run, connection, .closing(), .trusted, leavingAfter: milliseconds, beforeLeaving: beforeLeaving)
        }
        return run.findings().first { $0.unit.host == .named("api.example.com") }?.conclusion
    }

    /// A client that looks at its pins does so when the handshake is over, and not a while later.
    @Test(arguments: [(0, true), (3000, true), (3001, false), (60_000, false)])
    func silenceCountsIfItComesAtOnce(_ milliseconds: UInt64, _ counts: Bool) {
        #expect(silent(after: milliseconds) == (counts ? .pinned(.otherRefusal) : .inconclusive(.onlyIdle(.trusted))))
    }

    /// A spare connection is closed when something else has failed.
    @Test func silenceCountsIfNothingElseHappenedMeanwhile() {
        let disturbed = silent { run in
            let opened = Event.Kind.opened(client: "127.0.0.1:1", listener: "127.0.0.1:2")
            run.add(Event(connection: 99, monotonic: 0, wall: 0, kind: opened), phase: .trusted)
        }
        #expect(disturbed == .inconclusive(.onlyIdle(.trusted)))
        let quiet = silent { run in
            let spoke = Event.Kind.firstData(.origin)
            run.add(Event(connection: 99, monotonic: 0, wall: 0, kind: spoke), phase: .trusted)
        }
        #expect(quiet == .pinned(.otherRefusal))
    }

    /// A client that opens connections and leaves them unused does that in the baseline too: a handshake and no more.
    @Test func silenceProvesNothingWhereConnectionsAreLeftUnused() {
        var experiment = Experiment(working: api)
        experiment.add(.baseline, Conversation.tunnel(api, .tunnel).exchanged(client: 600, origin: 3000))
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, .closing(), .closing())
        #expect(experiment.conclusion() == .inconclusive(.unusedConnections(.trusted)))
        // An alert is none the less one.
        var alerting = Experiment(working: api)
        alerting.add(.baseline, Conversation.tunnel(api, .tunnel).exchanged(client: 600, origin: 3000))
        alerting.add(.untrusted, .alerting(48))
        alerting.add(.trusted, .alerting(42))
        #expect(alerting.conclusion() == .pinned(.otherRefusal))
    }

    /// Where the client had to show a certificate of its own, its handshake is longer.
    @Test func aHandshakeWithACertificateOfTheClientIsNoExchange() {
        let long =
            Conversation.shown() + [
                .wire(.client, .received, [UInt8](repeating: 0x16, count: 2000)), .message(.client, .received, [20]),
                .secured(.client, .agreed(0x0304, "http/1.1", false)),
            ]
        var experiment = Experiment()
        experiment.add(.baseline, Conversation.tunnel(api, .tunnel).exchanged(client: 2040, origin: 3000))
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, long.left(.closeNotify, in: .relay), long.left(.closeNotify, in: .relay))
        #expect(experiment.conclusion() == .inconclusive(.failsWithoutProxy))
        experiment.add(.baseline, Conversation.tunnel(api, .tunnel).exchanged(client: 2400, origin: 5000))
        #expect(experiment.conclusion() == .inconclusive(.unusedConnections(.trusted)))
    }

    /// What the proxy ended, or what goes on, may yet have come to something.
    @Test func aBaselineThatWasCutShortIsNone() {
        let half: [Event.Kind] = [.firstData(.client), .firstData(.origin)]
        let open = Conversation.tunnel(api, .tunnel) + half
        let cut = open + [.closed(.by(.proxy, .relay, bytes: (500, 3000)))]
        for conversation in [open, cut] {
            var experiment = Experiment()
            experiment.add(.baseline, conversation)
            experiment.add(.untrusted, .alerting(48))
            experiment.add(.trusted, .closing(), .closing())
            #expect(experiment.conclusion() == .inconclusive(.baselineMissing))
        }
    }

    /// An unpinned web view beside a pinned API client.
    @Test func mixedConductOfTwoStacksIsToldPerStack() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(48), .alerting(48, stack: stackB))
        experiment.add(.trusted, .alerting(42), .accepting(stack: stackB))
        let findings = experiment.findings()
        #expect(findings.map(\.unit.stack) == [stackA, stackB])
        #expect(findings.map(\.conclusion) == [.pinned(.otherRefusal), .notPinned])
        #expect(findings.map(\.stacksDiffer) == [true, true])
        // Two that agree do not differ.
        var alike = Experiment(working: api)
        alike.add(.untrusted, .alerting(48), .alerting(48, stack: stackB))
        alike.add(.trusted, .accepting(), .accepting(stack: stackB))
        #expect(alike.findings().map(\.stacksDiffer) == [false, false])
    }

    /// A client that only ever delivers looks like one that refuses after it gave everything away.
    @Test func whoSendsAndLeavesNeitherAcceptsNorRejects() {
        #expect(
            conclusion(trusted: .sendingAndLeaving(), .sendingAndLeaving())
                == .inconclusive(.leftAfterSending(.trusted)))
        #expect(
            conclusion(trusted: .closing(), .closing(), .sendingAndLeaving())
                == .inconclusive(.leftAfterSending(.trusted)))
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .sendingAndLeaving(), .sendingAndLeaving())
        experiment.add(.trusted, .accepting())
        #expect(experiment.conclusion() == .inconclusive(.leftAfterSending(.untrusted)))
    }

    @Test func dataBeforeAnAlertIsARejectionThatLeaked() throws {
        let leaking = (Conversation.secured() + [.firstData(.client)]).alertAfterData(42, bytes: 300)
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, leaking, leaking)
        let finding = try #require(experiment.finding("api.example.com"))
        #expect(finding.conclusion == .pinned(.otherRefusal))
        #expect(finding.trusted.accepted == 0)
        #expect(finding.trusted.leaks.bytes == 600)
        #expect(finding.leakedBytes == 600)
        #expect(finding.sentence.contains("before it turned away it gave away 600 bytes of data"))
    }

    /// OkHttp with a client certificate: it is given in the handshake, and the pin is looked at after that.
    @Test func aClientCertificateThatWasGivenIsTold() throws {
        let given = Event.Kind.identity(IdentityExchange(side: .client, authorities: [], chain: ["cc"]))
        let giving = (Conversation.secured() + [given]).left(.closeNotify, in: .relay)
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(46))
        experiment.add(.trusted, giving, giving)
        let finding = try #require(experiment.finding("api.example.com"))
        #expect(finding.conclusion == .pinned(.otherRefusal))
        #expect(finding.trusted.leaks.identities == 2)
        #expect(finding.leakedBytes == 0)
        #expect(finding.sentence.contains("its certificate in 2 connections"))
    }

    @Test func idleConnectionsDecideNothing() {
        #expect(conclusion(trusted: .idling(), .idling()) == .inconclusive(.onlyIdle(.trusted)))
        #expect(conclusion(trusted: .idling(), .accepting()) == .notPinned)
    }

    @Test func aPhaseThatIsMissingDecidesNothing() {
        #expect(conclusion() == .inconclusive(.untested(.trusted)))
        var experiment = Experiment(working: api)
        experiment.add(.trusted, .accepting())
        #expect(experiment.conclusion() == .inconclusive(.untested(.untrusted)))
    }

    @Test("C55: a client that is too old was not tested, and the reason is told")
    func obsoleteClient() throws {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .obsolete)
        experiment.add(.trusted, .obsolete)
        #expect(experiment.findings().map(\.conclusion) == [.notExercised(.certificateNeverShown)])
        #expect(experiment.findings().map { $0.untrusted.notTested } == [[.obsoleteVersion(0x0301): 1]])
    }
}

extension Conversation {
    /// The client sends an alert about certificates after it sent so many bytes.
    func alertAfterData(_ code: UInt8, bytes: UInt64) -> Conversation {
        self + [
            .alert(.client, .received, level: 2, code: code), .ended(.client, .alert(code), .relay),
            .closed(.by(.client, .relay, client: .alert(code), bytes: (bytes, 0))),
        ]
    }
}
