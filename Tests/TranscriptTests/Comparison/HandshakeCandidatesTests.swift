import TestSupport
import Testing
import Transcript
import Wire

/// Which connections are compared.
@Suite struct HandshakeCandidatesTests {
    private func candidates(
        _ pattern: String? = nil, among other: HandshakeCandidates? = nil, _ connections: [(UInt64, String, Bool)]
    ) -> HandshakeCandidates {
        var story = Story()
        for (connection, target, hasHello) in connections {
            story.open(connection, target)
            if hasHello { story.tell(connection, .hello(.sample)) }
            story.tell(connection, .closed(.inOrder(client: 0, origin: 0)))
        }
        return read(
            story, HandshakeCandidates(pattern: pattern.flatMap { HostPattern($0) }, among: other, limit: 3))
    }

    private func read(_ story: Story, _ start: HandshakeCandidates) -> HandshakeCandidates {
        var candidates = start
        for event in story.events { candidates.add(event) }
        return candidates
    }

    private func numbers(_ first: HandshakeCandidates, _ second: HandshakeCandidates) -> [UInt64]? {
        first.pair(with: second).map { [$0.first.connection, $0.second.connection] }
    }

    @Test func `the first with a hello at the first host that both have`() {
        let first = candidates(
            nil, [(1, "a.example.com:443", false), (2, "b.example.com:443", true), (3, "c.example.com:443", true)])
        let second = candidates(
            nil, among: first,
            [(7, "c.example.com:443", true), (8, "a.example.com:443", true), (9, "c.example.com:443", true)])
        #expect(numbers(first, second) == [3, 7])
    }

    @Test func `without the same port the same host is enough`() {
        let first = candidates(nil, [(1, "a.example.com:8443", true)])
        #expect(numbers(first, candidates(nil, among: first, [(2, "a.example.com:9443", true)])) == [1, 2])
    }

    @Test func `none is chosen where no host is in both, or the pattern names none`() {
        let first = candidates(nil, [(1, "a.example.com:443", true)])
        let second = candidates(nil, [(1, "b.example.com:443", true)])
        #expect(numbers(first, second) == nil)
        #expect(!second.isEmpty)
        #expect(candidates(nil, among: first, [(1, "b.example.com:443", true)]).isEmpty)
        #expect(candidates("*.example.org", [(1, "a.example.com:443", true)]).isEmpty)
    }

    @Test func `no more hosts are kept than the limit allows`() {
        let many = candidates(nil, (1...4).map { ($0, "h\($0).example.com:443", true) })
        #expect(numbers(many, candidates(nil, [(9, "h3.example.com:443", true)])) == [3, 9])
        #expect(numbers(many, candidates(nil, [(9, "h4.example.com:443", true)])) == nil)
    }

    /// Two connections to a host are open at once: the one whose hello comes first is chosen, and all of it is kept.
    @Test func `what follows the hello is kept of the chosen one`() throws {
        var story = Story()
        story.open(1, "a.example.com:443")
        story.open(2, "a.example.com:443")
        story.tell(2, .hello(.sample))
        story.tell(1, .hello(.sample), .alert(.client, .received, level: 2, code: 48))
        story.tell(2, .alert(.client, .received, level: 2, code: 46), .closed(.inOrder(client: 3, origin: 0)))
        let found = read(story, HandshakeCandidates())
        let record = try #require(found.pair(with: found)).first
        #expect(record.connection == 2 && record.client.peerAlerts == [46] && record.closed?.clientBytes == 3)
        #expect(!record.lacksEvents)
    }

    @Test func `a connection by its number, until it is over`() throws {
        var story = Story()
        story.open(1, "a.example.com:443")
        story.open(2, "b.example.com:443")
        var found = read(story, HandshakeCandidates(connection: 2))
        #expect(!found.isComplete && !found.isEmpty)
        found.add(Event(connection: 2, monotonic: 9, wall: 9, kind: .closed(.inOrder(client: 0, origin: 0))))
        #expect(found.isComplete)
        #expect(found.pair(with: found)?.first.endpoint == Endpoint("b.example.com:443"))
        #expect(HandshakeCandidates(connection: 3).pair(with: found) == nil)
    }

    /// A gap while a connection is open may have taken events of it; one before it or after it has not.
    @Test(arguments: [(0, false), (2, true), (4, false)]) func `events that are missing are noted`(
        _ place: Int, _ lacksEvents: Bool
    ) throws {
        var story = Story()
        story.open(1, "a.example.com:443")
        story.tell(1, .hello(.sample), .closed(.inOrder(client: 0, origin: 0)))
        var events = story.events
        events.insert(Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 1)), at: place)
        for start in [HandshakeCandidates(), HandshakeCandidates(connection: 1)] {
            var found = start
            for event in events { found.add(event) }
            #expect(found.pair(with: found)?.first.lacksEvents == lacksEvents)
        }
    }
}
