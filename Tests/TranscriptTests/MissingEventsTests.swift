import Testing
import Transcript

/// Where events are missing.
@Suite struct MissingEventsTests {
    private static let run = RunStarted(tool: "", openssl: "", listeners: [], authorities: [])

    private func places(_ kinds: Event.Kind...) -> [Bool] {
        var missing = MissingEvents()
        return kinds.map { missing.add(Event(connection: nil, monotonic: 0, wall: 0, kind: $0)) }
    }

    private func file(_ number: Int) -> Event.Kind { .runContinued(RunContinued(run: Self.run, file: number)) }

    @Test func `at a gap, and before a file that does not follow`() {
        #expect(
            places(.runStarted(Self.run), .gap(lost: 1), file(2), file(3), file(7), .gap(lost: 0), file(8))
                == [false, true, false, false, true, true, false])
        // What comes before the first file that is read is not between any.
        #expect(places(file(33), file(34), file(36)) == [false, false, true])
    }

    @Test func `whatever numbers files have, nothing overflows`() {
        #expect(places(file(.max), file(.min), file(.max)) == [false, false, true])
    }
}
