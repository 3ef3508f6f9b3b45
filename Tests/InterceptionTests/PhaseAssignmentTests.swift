import Interception
import Testing
import Transcript
import Wire

/// Connections that have a phase of an experiment of their own.
@Suite struct PhaseAssignmentTests {
    private func asked(_ rules: [Rule] = []) -> Playbook {
        var book = Playbook(rules, rotatesPhases: true)
        book.expect(.bytes(Sample.connect), [.assignPhase(Sample.endpoint)])
        return book
    }

    @Test func `in the baseline what would be intercepted is relayed`() {
        var book = asked()
        book.expect(
            .assigned(.baseline, authority: nil), [.read(.client, false), .arm(.connect), .connect(Sample.endpoint)])
        let actions = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        #expect(actions.contains(.relay(secured: false, received: [])))
        #expect(
            book.recorded.suffix(3).prefix(2) == [
                .phase(.baseline, authority: nil), .decided(.tunnel, rule: nil),
            ])
    }

    @Test(arguments: [ExperimentPhase.untrusted, .trusted])
    func `in the others it is intercepted, and the CA is recorded`(_ phase: ExperimentPhase) {
        var book = asked()
        _ = book.feed(.assigned(phase, authority: "aa"))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        #expect(
            book.feed(.bytes(Sample.hello())).contains(
                .secureOrigin(Sample.secured, alpn: [Sample.h2, Sample.http1])))
        #expect(book.recorded.contains(.phase(phase, authority: "aa")))
        #expect(book.recorded.contains(.decided(.intercept, rule: nil)))
    }

    @Test func `bytes after the CONNECT wait for the phase`() {
        var book = Playbook(rotatesPhases: true)
        _ = book.feed(.bytes(Sample.connect + Sample.hello()))
        _ = book.feed(.assigned(.trusted, authority: "aa"))
        let actions = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        #expect(actions.contains { if case .recordHello = $0 { true } else { false } })
    }

    @Test(arguments: [Decision.tunnel, .refuse])
    func `what a rule relays or refuses is so in every phase`(_ decision: Decision) {
        var book = Playbook([Rule(HostPattern("*")!, decision)], rotatesPhases: true)
        let actions = book.feed(.bytes(Sample.connect))
        #expect(!actions.contains(.assignPhase(Sample.endpoint)))
        #expect(
            book.recorded.contains(.phase(.untrusted, authority: nil))
                && book.recorded.contains(.decided(decision, rule: "--\(decision.rawValue) *")))
    }

    @Test func `what is answered in the origin's place is relayed in the baseline too`() {
        var book = asked([Rule(HostPattern("*")!, .answer)])
        book.expect(
            .assigned(.baseline, authority: nil), [.read(.client, false), .arm(.connect), .connect(Sample.endpoint)])
        #expect(book.recorded.contains(.decided(.tunnel, rule: nil)))
    }
}
