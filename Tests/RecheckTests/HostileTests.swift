import Crypto
import Recheck
import TestSupport
import Testing
import Transcript
import Wire

/// Whatever a file says, a check comes to its end.
@Suite struct HostileTests {
    private static func recording(_ version: UInt16) throws -> Recording {
        let recording = try Recording()
        try recording.connect(Recording.Settings(version: version).withEverything) { client, _, wires in
            client.sendCloseNotify()
            wires.settle()
        }
        try recording.connectToOrigin(Recording.Settings(version: version).withEverything)
        recording.end()
        return recording
    }

    /// Octets are changed, cut off and repeated, events left out, repeated and moved.
    @Test(arguments: [UInt16(0x0303), 0x0304]) func anyChangeIsJudged(_ version: UInt16) throws {
        let recording = try Self.recording(version)
        var generator = SeededGenerator(seed: UInt64(version))
        var failures = 0
        for _ in 0..<150 {
            let checked = try recording.check(forging: { events in
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let index = Int.random(in: 1..<events.count - 1, using: &generator)
                    switch Int.random(in: 0..<5, using: &generator) {
                    case 0: events.remove(at: index)
                    case 1: events.insert(events[index], at: index)
                    case 2: events.swapAt(index, Int.random(in: 1..<events.count, using: &generator))
                    default: events[index].kind = Self.changed(events[index].kind, &generator)
                    }
                }
            })
            if checked.summary.failed > 0 { failures += 1 }
        }
        // Most changes make something false; none is an error of the check itself.
        #expect(failures > 75)
    }

    private static func changed(_ kind: Event.Kind, _ generator: inout SeededGenerator) -> Event.Kind {
        switch kind {
        case .message(let side, let direction, let bytes, _): return .message(side, direction, generator.mutated(bytes))
        case .wire(let side, let direction, let bytes): return .wire(side, direction, generator.mutated(bytes))
        case .traffic(let side, let direction, let offset, let bytes):
            return .traffic(side, direction, offset: offset, generator.mutated(bytes))
        case .secret(let side, let secret):
            return .secret(
                side,
                SessionSecret(
                    label: secret.label, clientRandom: secret.clientRandom, secret: generator.mutated(secret.secret)))
        case .certificate(let digest, let der): return .certificate(digest: digest, der: generator.mutated(der))
        default: return kind
        }
    }

    /// A handshake with any number of messages that each ask for a digest of all before.
    @Test func endlessMessagesTakeNoEndlessTime() throws {
        let recording = try Self.recording(0x0304)
        let checked = try recording.check(forging: { events in
            guard
                let index = events.lastIndex(where: { event in
                    if case .message(.client, .received, let bytes, _) = event.kind { bytes.first == 20 } else { false }
                })
            else { return }
            let finished = events[index]
            events.insert(contentsOf: [Event](repeating: finished, count: 4000), at: index)
        })
        #expect(
            checked.results(.clientFinished).contains(
                .notProven("there are more of them in one handshake than are checked")))
    }
}
