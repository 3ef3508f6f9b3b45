import Foundation
import TestSupport
import Testing
import Transcript
import TranscriptFiles
import Wire

/// Every kind of event is read from the line that was written for it by hand, and written again as that line.
@Suite struct SampleTests {
    @Test(arguments: EventSample.everyKind + EventSample.variants)
    func aLineIsItsEvent(_ sample: EventSample) throws {
        let begins = if case .runStarted = sample.event.kind { true } else { false }
        let reading = try Reading(Array(((begins ? "" : beginning) + sample.line).utf8))
        let event = try #require(reading.events.last)
        #expect(reading.events.count == (begins ? 1 : 2))
        #expect(event == sample.event)
        // Equal texts may be spelt differently; lines may not.
        #expect(encode(event) == Array(sample.line.utf8))
    }

    /// An event that is new in the document cannot be forgotten here.
    @Test func everyEventOfTheDocumentIsKnown() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let document = try String(contentsOf: root.appending(path: "docs/events.md"), encoding: .utf8)
        let examples = document.split(separator: "\n").filter { $0.hasPrefix(#"{"t":"#) }
        let names = Set(examples.compactMap { $0.firstMatch(of: /"event":"(\w+)"/)?.1 })
        #expect(names.count == examples.count && names.contains("runStarted") && names.contains("closed"))
        let others = examples.filter { !$0.contains(#""event":"runStarted""#) }
        let reading = try Reading(Array((beginning + others.joined(separator: "\n")).utf8))
        #expect(reading.unknownEvents == 0)
        #expect(reading.events.count == examples.count)
        #expect(Set(EventSample.everyKind.compactMap { $0.line.firstMatch(of: /"event":"(\w+)"/)?.1 }) == names)
    }

    @Test(arguments: UInt64(1)...20)
    func textsOfPeersComeBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var lines = Array(beginning.utf8)
        var events: [Event] = []
        for _ in 0..<50 {
            let (first, second) = (random.text(), random.text())
            let kinds: [Event.Kind] = [
                .opened(client: first, listener: second), .requested(method: first, target: second, endpoint: nil),
                .failed(Failure(party: .client, code: .helloMalformed, phase: .hello, detail: first, hint: second)),
                .chain(.client, [first, second]), .wire(.origin, .received, random.bytes(first.utf8.count)),
                .certificate(digest: second, der: random.bytes(second.utf8.count)),
            ]
            for kind in kinds {
                events.append(
                    Event(
                        connection: random.next(), monotonic: random.next(), wall: Int64(random.next() >> 12),
                        kind: kind))
            }
        }
        for event in events { EventEncoder().encode(event, into: &lines) }
        let read = try Reading(lines).events.dropFirst()
        #expect(read.flatMap(encode) == events.flatMap(encode))
    }

    /// The protocols that a client offers are octets, and come from the extension's body.
    @Test func protocolNamesThatAreNotTextComeBack() throws {
        let names: [[UInt8]] = [[0x00, 0x5C, 0x22, 0xFF], Array("h2".utf8)]
        let event = Event(connection: 1, monotonic: 2, wall: 3, kind: .hello(.offering(names)))
        guard case .hello(let record) = try Reading(Array(beginning.utf8) + encode(event)).events.last?.kind else {
            Issue.record("no hello")
            return
        }
        #expect(record.hello.alpn == names)
    }

    private func encode(_ event: Event) -> [UInt8] {
        var buffer: [UInt8] = []
        EventEncoder().encode(event, into: &buffer)
        return buffer
    }
}
