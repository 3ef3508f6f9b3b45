import Testing
import Transcript
import Wire

/// Every row of the table of findings, both ways.
@Suite struct FindingTests {
    private let api = "api.example.com:443"
    private let other = "www.example.com:443"

    /// A client that works, refuses the untrusted CA and does this with the trusted one.
    private func experiment(trusted: Conversation...) -> Experiment {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(46), .alerting(46))
        for conversation in trusted { experiment.add(.trusted, conversation) }
        return experiment
    }

    // MARK: - Rejects both

    @Test func pinnedIfTheSameStackTrustsTheCAElsewhere() {
        var experiment = experiment(trusted: .alerting(46), .alerting(46))
        #expect(experiment.conclusion() == .inconclusive(.trustNotShown))
        experiment.add(.untrusted, .alerting(46, other))
        experiment.add(.trusted, .accepting(other))
        #expect(
            experiment.conclusion()
                == .pinned(.otherHost(.named("www.example.com"), connection: 7)))
    }

    /// Another stack's trust is not this one's, and neither is that of connections without a hello.
    @Test func anotherStackShowsNoTrust() {
        var experiment = experiment(trusted: .alerting(46), .alerting(46))
        experiment.add(.untrusted, .alerting(46, other, stack: stackB))
        experiment.add(.trusted, .accepting(other, stack: stackB))
        #expect(experiment.conclusion() == .inconclusive(.trustNotShown))
    }

    /// A host where the client takes anything says nothing of the CA, and one where that was not tried may be such a host.
    @Test func aHostWhereAnythingIsTakenShowsNoTrust() {
        var untried = experiment(trusted: .alerting(46), .alerting(46))
        untried.add(.trusted, .accepting(other))
        #expect(untried.conclusion() == .inconclusive(.trustNotShown))
        var anything = untried
        anything.add(.untrusted, .accepting(other))
        #expect(anything.conclusion() == .inconclusive(.trustNotShown))
        #expect(
            anything.finding("api.example.com", controlHosts: ["www.example.com"])?.conclusion
                == .inconclusive(.trustNotShown))
        // Nor does one that takes it and also drops a connection, or refuses one.
        anything.add(.untrusted, .closing(other), .alerting(48, other))
        #expect(anything.conclusion() == .inconclusive(.trustNotShown))
    }

    @Test func pinnedIfAControlHostTrustsTheCA() {
        var experiment = experiment(trusted: .alerting(46), .alerting(46))
        experiment.add(.trusted, .accepting(other, stack: stackB))
        #expect(experiment.conclusion() == .inconclusive(.trustNotShown))
        #expect(
            experiment.conclusion(controlHosts: ["www.example.com"])
                == .pinned(.control(.named("www.example.com"), connection: 6, isSameStack: false)))
        // A host is no control for itself.
        experiment.add(.trusted, .accepting(api, stack: stackB))
        #expect(experiment.conclusion(controlHosts: ["api.example.com"]) == .inconclusive(.trustNotShown))
    }

    @Test func pinnedIfAControlCommandTrustsTheCA() {
        var experiment = experiment(trusted: .alerting(46), .alerting(46))
        experiment.add(.trusted, .alerting(48, other, stack: stackB), isControl: true)
        #expect(experiment.conclusion() == .inconclusive(.trustNotShown))
        experiment.add(.trusted, .accepting(other, stack: stackB), isControl: true)
        #expect(
            experiment.conclusion()
                == .pinned(.control(.named("www.example.com"), connection: 7, isSameStack: false)))
        // One of the same stack shows more.
        var same = experiment
        same.add(.trusted, .accepting(other), isControl: true)
        #expect(same.conclusion() == .pinned(.control(.named("www.example.com"), connection: 8)))
        // It counts for no finding of its own.
        #expect(experiment.findings().count == 1)
        // A control that takes anything, such as curl -k, controls nothing.
        experiment.add(.untrusted, .accepting(other, stack: stackB), isControl: true)
        #expect(experiment.conclusion() == .inconclusive(.trustNotShown))
    }

    /// curl alerts 48 for an unknown CA and closes politely after the handshake for a pin; OkHttp does the same with 46.
    @Test(arguments: [46, 48] as [UInt8]) func pinnedIfTheRefusalsDiffer(_ untrusted: UInt8) {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(untrusted), .alerting(untrusted))
        experiment.add(.trusted, .closing(), .closing())
        #expect(experiment.conclusion() == .pinned(.otherRefusal))
    }

    /// Go and Java have one alert for everything, Node the same silent end, now before and now after Finished.
    @Test func refusalsThatLookAlikeShowNoTrust() {
        var go = Experiment(working: api)
        go.add(.untrusted, .alerting(42))
        go.add(.trusted, Conversation.secured().alert(42, in: .relay))
        #expect(go.conclusion() == .inconclusive(.trustNotShown))
        var node = Experiment(working: api)
        node.add(.untrusted, Conversation.shown().left(.fin, in: .clientHandshake), .closing())
        node.add(.trusted, Conversation.secured().left(.reset, in: .relay), .closing())
        #expect(node.conclusion() == .inconclusive(.trustNotShown))
    }

    /// Numbers that by their name are about the CA or the leaf are no proof that both are fine.
    @Test(arguments: [43, 44, 45, 48, 51, 113] as [UInt8]) func someAlertsShowNoTrust(_ code: UInt8) {
        #expect(experiment(trusted: .alerting(code)).conclusion() == .inconclusive(.trustNotShown))
        #expect(experiment(trusted: .alerting(42)).conclusion() == .pinned(.otherRefusal))
    }

    // MARK: - Accepts

    @Test func notPinnedIfTheTrustedCAIsAccepted() {
        #expect(experiment(trusted: .accepting()).conclusion() == .notPinned)
    }

    @Test func brokenIfTheUntrustedCAIsAccepted() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .accepting())
        #expect(experiment.conclusion() == .brokenValidation(rejectsTrusted: false))
        experiment.add(.trusted, .alerting(46))
        #expect(experiment.conclusion() == .brokenValidation(rejectsTrusted: true))
        var accepting = Experiment(working: api)
        accepting.add(.untrusted, .accepting())
        accepting.add(.trusted, .accepting())
        #expect(accepting.conclusion() == .brokenValidation(rejectsTrusted: false))
    }

    /// An origin that cannot be had does not excuse a client that took the certificate and asked.
    @Test func brokenEvenIfTheOriginFails() {
        let page =
            Conversation.tunnel() + [
                .hello(.stack(stackA)), .failed(.of(.origin, .originUntrusted, .originHandshake)),
            ] + Conversation.flight(0x0304) + [
                .secured(.client, .agreed(0x0304, "http/1.1", false)), .firstData(.client),
                .answered(status: 502, reason: "originUntrusted"), .ended(.client, .closeNotify, .closing),
                .closed(.by(.origin, .originHandshake, client: .closeNotify, bytes: (62, 0))),
            ]
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, page)
        #expect(experiment.conclusion() == .brokenValidation(rejectsTrusted: false))
    }

    // MARK: - The origin, the baseline, nothing at all

    @Test func theOriginRefusesTheProxy() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .unreachable())
        #expect(experiment.conclusion("api.example.com", nil) == .inconclusive(.originRefusesProxy))
    }

    /// Silent ends while the origin fails are never blamed on the client, but an alert is the client's own.
    @Test func anOriginThatFailsExcusesSilence() {
        func page(_ kinds: [Event.Kind]) -> Conversation {
            Conversation.tunnel() + [
                .hello(.stack(stackA)), .failed(.of(.origin, .originHandshake, .originHandshake)),
            ] + Conversation.flight(0x0304) + kinds
        }
        let silent = page([.secured(.client, .agreed(0x0304, "http/1.1", false))]).left(.closeNotify, in: .relay)
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, silent, silent, silent)
        #expect(experiment.conclusion() == .inconclusive(.originRefusesProxy))
        var alerting = Experiment(working: api)
        alerting.add(.untrusted, page([]).alert(48))
        alerting.add(.trusted, .accepting())
        #expect(alerting.conclusion() == .notPinned)
    }

    @Test func theOriginMayRefuseInTheTrustedPhaseOnly() {
        let idle =
            Conversation.secured() + [
                .ended(.origin, .reset, .relay), .ended(.client, .fin, .closing),
                .closed(.by(.origin, .relay, client: .fin, origin: .reset)),
            ]
        #expect(experiment(trusted: idle).conclusion() == .inconclusive(.originRefusesProxy))
    }

    @Test func aClientThatFailsWithoutUsProvesNothing() {
        var experiment = Experiment()
        experiment.add(.baseline, .unreachable())
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, .closing(), .closing())
        #expect(experiment.conclusion() == .inconclusive(.failsWithoutProxy))
        experiment.add(.baseline, .working(api))
        #expect(experiment.conclusion() == .pinned(.otherRefusal))
        let told = experiment.findings(baselineFailed: true).map(\.conclusion)
        #expect(told == [.inconclusive(.failsWithoutProxy)])
    }

    /// A client with an outdated pin refuses the real origin as well.
    ///
    /// Its hello has 500 octets in a record of 505; with its Finished it sends 6 + 58 + 24 more.
    @Test(arguments: [512, 505 + 88, 505 + 128] as [UInt64]) func aClientThatRefusesTheRealOriginFails(_ bytes: UInt64)
    {
        var experiment = Experiment()
        experiment.add(.baseline, Conversation.tunnel(api, .tunnel).exchanged(client: bytes, origin: 4000))
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, .closing(), .closing())
        #expect(experiment.conclusion() == .inconclusive(.failsWithoutProxy))
    }

    /// A small request is one: GET with a Host is 46 octets, in a record of 68.
    @Test func aSmallRequestInTheBaselineIsSeen() {
        var experiment = Experiment()
        experiment.add(
            .baseline, Conversation.tunnel(api, .tunnel).exchanged(client: 505 + 6 + 58 + 68 + 24, origin: 4000))
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, .closing(), .closing())
        #expect(experiment.conclusion() == .pinned(.otherRefusal))
    }

    /// Bytes of the client's that nobody answered, and a server that speaks first, are no exchange.
    @Test func anUnansweredTunnelDoesNotWork() {
        let unanswered = (Conversation.tunnel(api, .tunnel) + [.firstData(.client)])
            .left(.fin, in: .relay, bytes: (2000, 0))
        let serverFirst = (Conversation.tunnel(api, .tunnel) + [.firstData(.origin), .firstData(.client)])
            .left(.fin, in: .relay, bytes: (2000, 100))
        var experiment = Experiment()
        experiment.add(.baseline, unanswered, serverFirst)
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, .closing(), .closing())
        #expect(experiment.conclusion() == .inconclusive(.failsWithoutProxy))
    }

    @Test func withoutABaselineNothingIsPinned() {
        var experiment = Experiment()
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, .closing(), .closing())
        #expect(experiment.conclusion() == .inconclusive(.baselineMissing))
        // What was accepted was accepted.
        experiment.add(.trusted, .accepting(api, stack: stackB))
        experiment.add(.untrusted, .accepting(api, stack: stackB))
        #expect(experiment.conclusion("api.example.com", stackB) == .brokenValidation(rejectsTrusted: false))
    }

    @Test func whatNeverConnectedIsNotExercised() {
        let experiment = Experiment(working: api)
        #expect(experiment.conclusion("api.example.com", nil) == .notExercised(.neverConnected))
    }

    @Test func whatRulesDecideIsNotExercised() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .working("tunnelled.example.com:443"))
        experiment.add(
            .untrusted, Conversation.asking("refused.example.com:443", .refuse) + [.closed(.by(.proxy, .greeting))])
        experiment.add(.untrusted, Conversation.tunnel(api).left(.fin, in: .hello))
        #expect(experiment.conclusion("tunnelled.example.com", nil) == .notExercised(.tunnelled))
        #expect(experiment.conclusion("refused.example.com", nil) == .notExercised(.refused))
        #expect(experiment.conclusion("api.example.com", nil) == .notExercised(.certificateNeverShown))
    }
}
