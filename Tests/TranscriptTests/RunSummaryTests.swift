import TestSupport
import Testing
import Transcript
import Wire

struct RunSummaryTests {
    @Test func countsEveryConnectionUnderItsHost() {
        var story = Story()
        story.open(1, "api.example.com:443")
        story.tell(
            1, .decided(.intercept, rule: nil), .secured(.origin, .modern(alpn: "h2")),
            .secured(.client, .modern(alpn: "h2")), .closed(.inOrder(client: 10, origin: 200)))
        story.open(2, "API.example.com.:8443")
        story.tell(
            2, .decided(.intercept, rule: nil), .secured(.origin, .modern(alpn: "h2")),
            .alert(.client, .received, level: 2, code: 48), .failed(refused("first")),
            .closed(.inOrder(client: 0, origin: 0)))
        story.open(3, "cdn.example.com:443")
        story.tell(3, .decided(.tunnel, rule: "--tunnel cdn.example.com"), .closed(.inOrder(client: 5, origin: 6)))
        story.open(4, "api.example.com:443")
        story.tell(4, .decided(.refuse, rule: "*"), .failed(refused("second")))

        let summary = summary(of: story)
        var api = HostSummary(host: "api.example.com")
        api.connections = 3
        api.intercepted = 2
        api.refused = 1
        api.originHandshakes = 2
        api.clientHandshakes = 1
        api.clientAlerts = [48: 1]
        api.failures = [.clientHandshake: HostSummary.FailureCount(count: 2, lastDetail: "second")]
        api.clientBytes = 10
        api.originBytes = 200
        var cdn = HostSummary(host: "cdn.example.com")
        cdn.connections = 1
        cdn.tunnelled = 1
        cdn.clientBytes = 5
        cdn.originBytes = 6
        #expect(summary.hosts == [api, cdn])
        #expect(summary.connections == 4)
        #expect(summary.openConnections == 1)
        #expect(summary.lost == 0)
    }

    /// Silence that did not last is none, and what a client says of our own end says nothing about its trust.
    @Test func countsWhatTunnelsHeldInTheEnd() {
        var story = Story()
        let end = Event.Kind.closed(.inOrder(client: 0, origin: 0))
        story.open(1, "a.example:443")
        story.tell(1, .notTLS(.silence), .hello(.sample), end)
        story.open(2, "a.example:443")
        story.tell(2, .notTLS(.silence), .notTLS(.originFirst), end)
        story.open(3, "a.example:443")
        story.tell(3, .notTLS(.silence), .wire(.client, .received, [22, 3, 1]), end)
        story.open(4, "a.example:443")
        story.tell(4, .notTLS(.silence), end)
        story.open(5, "a.example:443")
        let idle = Failure(party: .proxy, code: .timeout, phase: .relay, detail: "")
        story.tell(
            5, .withheldHTTP2(after: .fin, offered: ["h2"]), .failed(idle),
            .alert(.client, .received, level: 2, code: 50),
            end)
        let host = summary(of: story).hosts.first
        #expect(host?.contents == [.originFirst: 1, .silence: 1])
        #expect(host?.clientAlerts == [:])
        #expect(host?.withheldHTTP2 == 1)
    }

    /// Only what clients say against the proxy's certificate is of interest here.
    @Test func countsAlertsThatClientsSent() {
        var story = Story()
        story.open(1, "a.example:443")
        story.tell(
            1, .alert(.client, .received, level: 2, code: 46), .alert(.client, .received, level: 2, code: 46),
            .alert(.client, .received, level: 1, code: 90), .alert(.client, .received, level: 1, code: 0),
            .alert(.client, .sent, level: 2, code: 40), .alert(.origin, .received, level: 2, code: 42))
        #expect(summary(of: story).hosts.map(\.clientAlerts) == [[46: 2, 90: 1]])
    }

    @Test("C53: leaves with an origin's faults are counted, and the faults collected")
    func countsMirroredFaults() {
        var story = Story()
        func forged(_ faults: [OriginFault]) -> Event.Kind {
            .forged(host: "a.example", digest: "aa", key: "EC P-256", fromCache: false, mirrors: faults)
        }
        story.open(1, "a.example:443")
        story.tell(1, forged([.expired, .wrongName]), forged([]), forged([.wrongName, .untrusted]))
        #expect(summary(of: story).hosts.map(\.mirrored) == [2])
        #expect(summary(of: story).hosts.map(\.mirroredFaults) == [[.expired, .wrongName, .untrusted]])
    }

    @Test func countsPagesOfTheProxy() {
        var story = Story()
        story.open(1, "a.example:443")
        story.tell(1, .answered(status: 502, reason: ""), .answered(status: 502, reason: ""))
        #expect(summary(of: story).hosts.map(\.answered) == [2])
    }

    @Test func connectionsWithoutAHostHaveOneRow() {
        var story = Story()
        let opened = Event.Kind.opened(client: "", listener: "")
        let malformed = Failure(party: .client, code: .greetingMalformed, phase: .greeting, detail: "noise")
        story.tell(1, opened, .failed(malformed), .closed(.inOrder(client: 4, origin: 0)))
        story.tell(
            2, opened, .requested(method: "GET", target: "/", endpoint: nil), .closed(.inOrder(client: 3, origin: 0)))
        story.tell(3, opened)
        story.open(4, "a.example:443")

        let summary = summary(of: story)
        var nowhere = HostSummary(host: "(no host)")
        nowhere.connections = 2
        nowhere.failures = [.greetingMalformed: HostSummary.FailureCount(count: 1, lastDetail: "noise")]
        nowhere.clientBytes = 7
        var named = HostSummary(host: "a.example")
        named.connections = 1
        #expect(summary.hosts == [named, nowhere])
        #expect(summary.connections == 4)
        #expect(summary.openConnections == 2)
    }

    @Test func hostsBeyondTheLimitShareARow() {
        var story = Story()
        for (connection, host) in zip(UInt64(1)..., ["a", "b", "c", "d", "a"]) {
            story.open(connection, "\(host).example:443")
            story.tell(connection, .closed(.inOrder(client: 1, origin: 1)))
        }
        var summary = RunSummary(hostLimit: 2)
        for event in story.events { summary.add(event) }
        #expect(summary.hosts.map(\.host) == ["a.example", "b.example", "(others)"])
        #expect(summary.hosts.map(\.connections) == [2, 1, 2])
        #expect(summary.hosts.map(\.clientBytes) == [2, 1, 2])
    }

    @Test func aConnectionCountsOnceWhateverItAsksFor() {
        var story = Story()
        story.open(1, "a.example:443")
        story.tell(1, .requested(method: "CONNECT", target: "b.example:443", endpoint: Endpoint("b.example:443")))
        #expect(summary(of: story).hosts.map(\.host) == ["a.example"])
        #expect(summary(of: story).hosts.map(\.connections) == [1])
    }

    @Test func addressesAreWrittenAsInURLs() {
        var story = Story()
        story.open(1, "[2001:DB8::1]:443")
        #expect(summary(of: story).hosts.map(\.host) == ["[2001:db8::1]"])
    }

    @Test func lostEventsAreCountedByGapsAndByTheEnd() {
        var story = Story()
        story.tell(nil, .gap(lost: 2), .gap(lost: 3))
        #expect(summary(of: story).lost == 5)
        story.tell(nil, .runEnded(RunEnded(connections: 0, lost: 9)))
        #expect(summary(of: story).lost == 9)
    }

    @Test func eventsOfUnknownConnectionsAndHugeCountsAreHarmless() {
        var story = Story()
        story.tell(9, .decided(.tunnel, rule: nil), .closed(.inOrder(client: .max, origin: .max)))
        story.open(1, "a.example:443")
        story.tell(1, .closed(.inOrder(client: .max, origin: .max)))
        story.open(2, "a.example:443")
        story.tell(2, .closed(.inOrder(client: .max, origin: .max)))
        story.tell(nil, .gap(lost: .max), .gap(lost: .max))
        #expect(summary(of: story).hosts.map(\.connections) == [2])
    }

    @Test func detailsOfFailuresAreClipped() {
        var story = Story()
        story.open(1, "a.example:443")
        story.tell(1, .failed(refused(String(repeating: "x", count: 100_000))))
        let details = summary(of: story).hosts.flatMap(\.failures.values).map(\.lastDetail)
        #expect(details == [String(repeating: "x", count: 256) + "…"])
    }

    private func refused(_ detail: String) -> Failure {
        Failure(party: .client, code: .clientHandshake, phase: .clientHandshake, detail: detail)
    }

    private func summary(of story: Story) -> RunSummary {
        var summary = RunSummary()
        for event in story.events { summary.add(event) }
        return summary
    }
}
