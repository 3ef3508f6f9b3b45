import Testing
import Transcript
import Wire

@testable import Transcript

/// Which conversations there are, between whom, and how they end.
struct PcapngConversationTests {
    @Test(
        arguments: [(End.reset, [0x14]), (.error(104), [0x14]), (.fin, [0x11, 0x10, 0x11, 0x10])] as [(End, [UInt8])])
    func endsAsThePeerDid(_ end: End, _ flags: [UInt8]) throws {
        var story = Story()
        story.intercept(1)
        story.tell(1, .ended(.origin, end, .relay), .closed(.inOrder(client: 0, origin: 0)))
        let origin = try capture(story).packets.filter { $0.destinationPort == 443 || $0.sourcePort == 443 }
        #expect(origin.dropFirst(3).map(\.flags) == flags)
        // What the peer did has the time at which it did it; our own end has that of `closed`.
        #expect(origin[3].sourcePort == 443)
        #expect(origin[3].microseconds == 1_772_373_727_000_004)
        #expect(origin.last?.microseconds == (flags.count == 1 ? 1_772_373_727_000_004 : 1_772_373_727_000_005))
    }

    @Test func aPeerThatIsGoneAnswersNothing() throws {
        var story = Story()
        story.intercept(1)
        story.tell(1, .ended(.client, .timeout, .hello), .closed(.inOrder(client: 0, origin: 0)))
        let client = try capture(story).packets.filter { $0.sourcePort == 50312 || $0.destinationPort == 50312 }
        #expect(client.last?.sourcePort == 8080 && client.last?.flags == 0x11)
    }

    /// A peer's end may be recorded before the last octets that it sent; those of a relay that go on show that none come.
    @Test func aHalfCloseStandsWhereItWas() throws {
        var story = Story()
        story.intercept(1)
        story.tell(
            1, .traffic(.client, .received, offset: 0, [1]), .ended(.client, .fin, .relay),
            .traffic(.client, .sent, offset: 0, [2]), .closed(.inOrder(client: 0, origin: 0)))
        let client = try capture(story).packets.filter { $0.sourcePort == 50312 || $0.destinationPort == 50312 }
        let finish = try #require(client.first { $0.isFIN })
        let later = try #require(client.first { $0.payload == [2] })
        #expect(finish.sourcePort == 50312 && finish.place < later.place)
        #expect(client.last { $0.isFIN }?.sourcePort == 8080)
    }

    @Test func theLastPacketTellsTheVerdict() throws {
        var story = Story()
        story.intercept(1)
        story.tell(
            1, .verdict(RecordedVerdict(name: "rejected", text: "rejected:\u{1B}[31m unknown_ca")),
            .closed(.inOrder(client: 0, origin: 0)))
        #expect(
            try capture(story).packets.compactMap(\.comment).last == "connection 1: rejected:\u{FFFD}[31m unknown_ca")
    }

    @Test func anOriginThatIsConnectedToTwiceHasTwoConversations() throws {
        var story = Story()
        story.intercept(1, local: "127.0.0.1:40001")
        story.tell(
            1, .wire(.origin, .sent, [1]), .withheldHTTP2(after: .reset, offered: ["http/1.1"]),
            .connected(origin: "192.0.2.10:443", nanoseconds: 1, local: "127.0.0.1:40002"),
            .wire(.origin, .sent, [2]), .closed(.inOrder(client: 0, origin: 0)))
        let capture = try capture(story)
        #expect(try capture.stream("[127, 0, 0, 1]:40001>[192, 0, 2, 10]:443") == [1])
        #expect(try capture.stream("[127, 0, 0, 1]:40002>[192, 0, 2, 10]:443") == [2])
        #expect(capture.packets.filter { $0.isRST }.map(\.destinationPort) == [40001])
    }

    @Test func addressesMayBeIPv6() throws {
        var story = Story()
        story.intercept(
            1, client: "[2001:db8::5]:50312", listener: "[2001:db8::1%eth0]:8080", origin: "[::1]:443",
            local: "[::1]:40001")
        let packets = try capture(story).packets
        let one: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        #expect(packets.first?.destination == one)
        #expect(packets.allSatisfy { $0.isSound && $0.source.count == 16 })
    }

    /// RFC 5737 and RFC 3849 keep addresses for documentation; two connections never have the same ports at once.
    @Test func whatIsNotRecordedIsStoodInForAndSaid() throws {
        var story = Story()
        story.intercept(1, local: nil)
        story.intercept(2, local: nil)
        story.intercept(3, client: "unknown", listener: "[::1]:8080", origin: "[::1]:443", local: nil)
        let (bytes, export) = story.export(PcapngExport())
        let opening = try CaptureReader(bytes).packets.filter { $0.flags == 0x02 && $0.destinationPort == 443 }
        #expect(opening.map { Array($0.source.prefix(3)) } == [[192, 0, 2], [192, 0, 2], [0x20, 0x01, 0x0D]])
        #expect(Set(opening.map(\.sourcePort)).count == 3)
        #expect(export.remarks.contains { $0.hasPrefix("4 addresses not recorded") })
    }

    @Test func whatIsNotInterceptedIsNotThere() throws {
        var story = Story()
        story.open(1, "api.example.com:443")
        story.tell(
            1, .decided(.tunnel, rule: nil), .connected(origin: "192.0.2.1:443", nanoseconds: 1, local: "127.0.0.1:9"),
            .closed(.inOrder(client: 5, origin: 5)))
        let (bytes, export) = story.export(PcapngExport())
        #expect(export.isEmpty)
        #expect(try CaptureReader(bytes).types == [0x0A0D_0D0A, 1])
    }

    @Test func whatBelongsToNothingIsCounted() throws {
        var story = Story()
        story.tell(nil, .gap(lost: 7))
        story.tell(9, .wire(.client, .sent, [1]), .traffic(.client, .sent, offset: .max, [1]))
        let (_, export) = story.export(PcapngExport())
        #expect(
            export.remarks == [
                "7 events are missing in the transcript: what they held is missing here",
                "2 runs of octets left out: the beginning of the connection is not here",
            ])
    }

    /// Nothing that a file says makes a conversion trap.
    @Test func senselessNumbersAreTaken() throws {
        var story = Story()
        story.intercept(.max)
        story.tell(
            .max, .traffic(.client, .sent, offset: .max, [1, 2]), .traffic(.client, .sent, offset: 0, [3]),
            .traffic(.client, .received, offset: .max - 1, [1]), .ended(.client, .fin, .relay),
            .traffic(.client, .sent, offset: 5, []), .traffic(.client, .received, offset: 3, [4]),
            .closed(.inOrder(client: .max, origin: .max)))
        story.tell(nil, .gap(lost: .max), .gap(lost: .max))
        let packets = try capture(story).packets
        #expect(packets.allSatisfy { $0.isSound })
    }

    private func capture(_ story: Story) throws -> CaptureReader {
        try CaptureReader(story.export(PcapngExport()).bytes)
    }
}
