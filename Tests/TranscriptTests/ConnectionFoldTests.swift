import TestSupport
import Testing
import Transcript
import Wire

struct ConnectionFoldTests {
    @Test func anInterceptedConnectionInShort() {
        var story = Story()
        story.open(7, "api.example.com:443")
        story.tell(
            7, .decided(.intercept, rule: "default"), .connected(origin: "192.0.2.1:443", nanoseconds: 5),
            .secured(.origin, .modern(alpn: "h2")), .secured(.client, .modern(alpn: nil)),
            .firstData(.client), .ended(.client, .closeNotify, .relay), .closed(.inOrder(client: 10, origin: 20)))

        var expected = ConnectionLine(
            connection: 7, wall: 1_772_373_727_000_008, closed: .inOrder(client: 10, origin: 20))
        expected.client = "127.0.0.1:50312"
        expected.target = "api.example.com:443"
        expected.endpoint = Endpoint("api.example.com:443")
        expected.decision = .intercept
        expected.rule = "default"
        expected.originSession = ConnectionLine.Session(version: 0x0304, alpn: "h2")
        expected.clientSession = ConnectionLine.Session(version: 0x0304, alpn: nil)
        expected.verdict = .notTested(.noHello)
        #expect(lines(of: story) == [expected])
    }

    @Test func theFirstFailureStandsAndTheAnswerIsNoted() throws {
        let cause = Failure(
            party: .origin, code: .originExpired, phase: .originHandshake, detail: "expired", hint: "renew it")
        let consequence = Failure(party: .client, code: .clientHandshake, phase: .clientHandshake, detail: "alert")
        var story = Story()
        story.open(1, "a.example:443")
        story.tell(
            1, .failed(cause), .answered(status: 502, reason: "expired"), .failed(consequence),
            .closed(.inOrder(client: 0, origin: 0)))
        let line = try #require(lines(of: story).first)
        #expect(line.failure == cause)
        #expect(line.answered == 502)
    }

    @Test("C53: the faults that the client was shown are noted")
    func mirroredFaults() {
        var story = Story()
        story.open(1, "a.example:443")
        story.tell(
            1,
            .forged(
                host: "a.example", digest: "aa", key: "EC P-256", fromCache: false,
                mirrors: [.notYetValid, .selfSigned]),
            .closed(.inOrder(client: 0, origin: 0)))
        #expect(lines(of: story).map(\.mirroredFaults) == [[.notYetValid, .selfSigned]])
    }

    @Test func connectionsDoNotMix() {
        var story = Story()
        story.open(1, "a.example:443")
        story.open(2, "b.example:443")
        story.tell(1, .decided(.tunnel, rule: nil))
        story.tell(2, .decided(.refuse, rule: nil))
        story.tell(2, .closed(.inOrder(client: 2, origin: 2)))
        story.tell(nil, .gap(lost: 1))
        story.tell(1, .closed(.inOrder(client: 1, origin: 1)))
        let lines = lines(of: story)
        #expect(lines.map(\.connection) == [2, 1])
        #expect(lines.map(\.decision) == [.refuse, .tunnel])
        #expect(lines.map { $0.endpoint?.host.text } == ["b.example", "a.example"])
        #expect(lines.map(\.closed.clientBytes) == [2, 1])
    }

    @Test func anEndWithoutABeginningTellsWhatItCan() {
        var story = Story()
        story.tell(3, .decided(.tunnel, rule: nil), .closed(.inOrder(client: 1, origin: 2)))
        var expected = ConnectionLine(
            connection: 3, wall: 1_772_373_727_000_001, closed: .inOrder(client: 1, origin: 2))
        expected.verdict = .notTested(.eventsMissing)
        #expect(lines(of: story) == [expected])
    }

    /// A peer chooses how long its target is; the fold's memory must not follow.
    @Test func longTextsAreClipped() throws {
        let long = String(repeating: "é", count: 300)
        let clipped = String(repeating: "é", count: 256) + "…"
        let short = String(repeating: "x", count: 256)
        var story = Story()
        story.tell(
            1, .opened(client: short, listener: ""), .requested(method: long, target: long, endpoint: nil),
            .decided(.tunnel, rule: long), .secured(.client, .modern(alpn: long)),
            .failed(Failure(party: .client, code: .helloMalformed, phase: .hello, detail: long, hint: long)),
            .closed(.inOrder(client: 0, origin: 0)))
        let line = try #require(lines(of: story).first)
        #expect(line.client == short)
        #expect(line.target == clipped)
        #expect(line.rule == clipped)
        #expect(line.clientSession?.alpn == clipped)
        #expect(line.failure?.detail == clipped)
        #expect(line.failure?.hint == clipped)
    }

    /// One character may hold any number of scalars, so characters would be no limit.
    @Test func oneEndlessCharacterIsClippedToo() throws {
        var story = Story()
        story.open(1, "a" + String(repeating: "\u{301}", count: 10_000))
        story.tell(1, .closed(.inOrder(client: 0, origin: 0)))
        let target = try #require(lines(of: story).first?.target)
        #expect(target.unicodeScalars.count == 257)
    }

    @Test func beyondTheLimitTheOldestAreForgotten() {
        var story = Story()
        for connection: UInt64 in 1...5 { story.open(connection, "host\(connection).example:443") }
        for connection: UInt64 in 1...5 { story.tell(connection, .closed(.inOrder(client: 0, origin: 0))) }
        var fold = ConnectionFold(openLimit: 4)
        let lines = story.events.compactMap { fold.add($0) }
        // The fifth made the fold forget the older half of four.
        #expect(lines.map(\.connection) == [1, 2, 3, 4, 5])
        #expect(lines.map { $0.endpoint?.host.text } == [nil, nil, nil, "host4.example", "host5.example"])
    }

    private static let recorded = RecordedVerdict(name: "accepted", text: "accepted: 9 bytes of data")

    /// The origin's first byte may be what is missing: without it, what looks like a leak may be an answer.
    @Test func whereEventsAreMissingTheRecordedVerdictCounts() throws {
        func line(gap place: Int?, recorded: Bool = true) throws -> ConnectionLine {
            var story = Story()
            story.open(1, "a.example:443")
            story.tell(
                1, .decided(.intercept, rule: nil), .hello(.sample), .secured(.client, .modern(alpn: "http/1.1")),
                .firstData(.client), .ended(.client, .fin, .relay))
            if recorded { story.tell(1, .verdict(Self.recorded)) }
            story.tell(1, .closed(.inOrder(client: 9, origin: 0)))
            var events = story.events
            if let place {
                events.insert(Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 1)), at: place)
            }
            var fold = ConnectionFold()
            return try #require(events.compactMap { fold.add($0) }.first)
        }
        for place in [1, 6, 8] {
            let line = try line(gap: place)
            #expect(line.lacksEvents && line.judgement == Self.recorded)
        }
        #expect(
            try line(gap: 6, recorded: false).judgement
                == RecordedVerdict(name: "notTested", text: "not tested: events missing"))
        for place in [nil, 0, 9] {
            let line = try line(gap: place)
            #expect(!line.lacksEvents && line.judgement?.text == "leaked: 9 bytes of data, then FIN")
        }
    }

    @Test func theRecordedVerdictCountsWhereTheBeginningIsMissing() throws {
        var story = Story()
        story.tell(4, .firstData(.origin), .verdict(Self.recorded), .closed(.inOrder(client: 9, origin: 9)))
        let line = try #require(lines(of: story).first)
        #expect(line.lacksEvents && line.judgement == Self.recorded)
    }

    private func lines(of story: Story) -> [ConnectionLine] {
        var fold = ConnectionFold()
        return story.events.compactMap { fold.add($0) }
    }
}
