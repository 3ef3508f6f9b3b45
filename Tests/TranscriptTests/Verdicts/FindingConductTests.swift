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
        #expect(experiment.conclusion() == .inconclusive(.mixedConduct(.untrusted)))
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
