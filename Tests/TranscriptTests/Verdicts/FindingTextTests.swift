import Testing
import Transcript
import Wire

/// What a tester reads: the sentence, the hint, and the causes that are left.
@Suite struct FindingTextTests {
    private let api = "api.example.com:443"
    private let other = "www.example.com:443"

    private func finding(trusted: Conversation...) throws -> Finding {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(48), .alerting(48))
        for conversation in trusted { experiment.add(.trusted, conversation) }
        return try #require(experiment.finding("api.example.com"))
    }

    @Test func pinned() throws {
        #expect(
            try finding(trusted: .closing(), .closing(), .idling()).sentence
                == "api.example.com (client \(stackA)) is pinned: the client works without interception, turned away from "
                + "a CA that it was not given in 2 of 2 connections (alert unknown_ca (48) in 2) and turned away from the "
                + "CA that it was given in 2 of 3 connections (ended after the handshake without any data in 2), though it "
                + "trusts this CA: it refuses the two in different ways.")
    }

    @Test func notPinned() throws {
        #expect(
            try finding(trusted: .accepting()).sentence
                == "api.example.com (client \(stackA)) is not pinned: the client turned away from a CA that it was not "
                + "given in 2 of 2 connections (alert unknown_ca (48) in 2), and sent 46 bytes of data under the CA that "
                + "it was given in 1 of 1 connection, so it validates in the ordinary way and no more.")
    }

    @Test func broken() throws {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .accepting(), .accepting())
        experiment.add(.trusted, .alerting(46))
        #expect(
            try #require(experiment.finding("api.example.com")).sentence
                == "api.example.com (client \(stackA)) has broken validation: the client sent 92 bytes of data under a CA "
                + "that it was not given in 2 of 2 connections, while it turned away from the CA that it was given in 1 of "
                + "1 connection (alert certificate_unknown (46) in 1).")
    }

    @Test func trustNotShownComesWithAHint() throws {
        let finding = try finding(trusted: .alerting(48))
        #expect(
            finding.sentence
                == "api.example.com (client \(stackA)) is inconclusive: the client turned away from a CA that it was not "
                + "given in 2 of 2 connections (alert unknown_ca (48) in 2) and turned away from the CA that it was given "
                + "in 1 of 1 connection (alert unknown_ca (48) in 1), and nothing shows that it trusts the latter.")
        #expect(finding.conclusion.name == "inconclusive")
        #expect(InconclusiveReason.trustNotShown.hint?.contains("--control") == true)
    }

    @Test func notExercised() throws {
        let experiment = Experiment(working: api)
        #expect(
            experiment.findings().map(\.sentence) == [
                "api.example.com was not exercised: the client never connected to it while it was to be intercepted."
            ])
    }

    /// Every reason says what it is and what to do, on one line.
    @Test(
        arguments: [
            (InconclusiveReason.trustNotShown, "trustNotShown", nil), (.originRefusesProxy, "originRefusesProxy", nil),
            (.failsWithoutProxy, "failsWithoutProxy", nil), (.baselineMissing, "baselineMissing", nil),
            (.mixedConduct(.trusted), "mixedConduct", .trusted),
            (.tooFewRepeats(.untrusted), "tooFewRepeats", .untrusted),
            (.leftAfterSending(.trusted), "leftAfterSending", .trusted), (.onlyIdle(.trusted), "onlyIdle", .trusted),
            (.untested(.untrusted), "untested", .untrusted),
        ] as [(InconclusiveReason, String, ExperimentPhase?)])
    func everyReasonHasWords(_ reason: InconclusiveReason, _ name: String, _ phase: ExperimentPhase?) throws {
        #expect(reason.name == name)
        #expect(reason.phase == phase)
        var finding = try finding(trusted: .closing())
        finding.conclusion = .inconclusive(reason)
        #expect(finding.sentence.hasPrefix("api.example.com (client \(stackA)) is inconclusive: "))
        #expect(finding.sentence.hasSuffix("."))
        #expect(!finding.sentence.contains("\n"))
        #expect(reason.hint?.isEmpty == false)
    }

    // MARK: - Causes

    @Test func whereTheSameStackTrustsTheCANoOtherCauseIsLeft() throws {
        var experiment = Experiment(working: api, "my_host.example.com:443")
        for host in [api, "my_host.example.com:443"] {
            experiment.add(.untrusted, .alerting(46, host))
            experiment.add(.trusted, .alerting(46, host))
        }
        experiment.add(.untrusted, .alerting(46, other))
        experiment.add(.trusted, .accepting(other))
        // It refused both CAs alike: here it may trust others than where it took one.
        #expect(experiment.finding("api.example.com")?.candidateCauses == [.separateTrust])
        // Some clients have a rule for names with an underscore.
        #expect(experiment.finding("my_host.example.com")?.candidateCauses == [.separateTrust, .namingRule])
    }

    @Test func aControlRulesOutTheCA() throws {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(46))
        experiment.add(.trusted, .alerting(46))
        experiment.add(.trusted, .accepting(other, stack: stackB), isControl: true)
        // What another client stack trusts is no proof for this one.
        #expect(
            experiment.finding("api.example.com")?.candidateCauses == [
                .untrustedCA, .leafLifetime, .missingTransparency, .namingRule,
            ])
        experiment.add(.trusted, .accepting(other), isControl: true)
        #expect(
            experiment.finding("api.example.com")?.candidateCauses == [
                .separateTrust, .leafLifetime, .missingTransparency, .namingRule,
            ])
    }

    @Test func anotherRefusalRulesOutWhatItComesAfter() throws {
        #expect(
            try finding(trusted: .closing(), .closing()).candidateCauses == [
                .namingRule, .missingTransparency, .otherEnding,
            ])
        #expect(
            try finding(trusted: .alerting(42)).candidateCauses
                == [.authorityValidity, .leafLifetime, .missingTransparency, .namingRule])
    }

    @Test func whereTrustIsNotShownEverythingIsLeft() throws {
        #expect(
            try finding(trusted: .alerting(48)).candidateCauses
                == [.untrustedCA, .authorityValidity, .leafLifetime, .missingTransparency, .namingRule])
        #expect(
            try finding(trusted: .alerting(45)).candidateCauses
                == [.authorityValidity, .leafLifetime, .untrustedCA, .missingTransparency, .namingRule])
    }

    @Test func circumstancesAreNamedWhereTheyWereSeen() throws {
        let resumed = Conversation.secured(resumed: true).left(.closeNotify, in: .relay)
        #expect(try finding(trusted: resumed).candidateCauses == [.resumption])
        #expect(try finding(trusted: Conversation.shown().alert(120)).candidateCauses == [.protocolOrVersion])
        // h2 was offered, and nothing was agreed on: gRPC clients go then.
        let without = Conversation.secured(alpn: nil).left(.closeNotify, in: .relay)
        #expect(
            try finding(trusted: without, without).candidateCauses
                == [.namingRule, .missingTransparency, .otherEnding, .protocolOrVersion])
    }

    @Test func anOriginThatFailsIsTheCause() throws {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .unreachable())
        #expect(experiment.finding("api.example.com", nil)?.candidateCauses == [.originFailure])
    }

    @Test func whatIsAcceptedNeedsNoCause() throws {
        #expect(try finding(trusted: .accepting()).candidateCauses == [])
    }
}
