import Testing
import Transcript
import Wire

@testable import Transcript

/// What is written of sessions is read back by walking the blocks (case C56).
struct PcapngExportTests {
    private static let request = Array("CONNECT api.example.com:443 HTTP/1.1\r\n\r\n".utf8)
    private static let answer = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
    private static let fromClient = "[127, 0, 0, 1]:50312>[127, 0, 0, 1]:8080"
    private static let toClient = "[127, 0, 0, 1]:8080>[127, 0, 0, 1]:50312"
    private static let toOrigin = "[127, 0, 0, 1]:40112>[192, 0, 2, 10]:443"
    private static let fromOrigin = "[192, 0, 2, 10]:443>[127, 0, 0, 1]:40112"

    @Test func bothStreamsOfBothSessionsAreWhole() throws {
        let (capture, export) = try capture { story in
            story.intercept(1)
            story.tell(
                1, .wire(.origin, .sent, [0x16, 1]), .wire(.origin, .received, [0x16, 2]),
                .wire(.client, .received, [0x16, 3]), .wire(.client, .sent, [0x16, 4]),
                .secured(.client, .modern(alpn: nil)), .secured(.origin, .modern(alpn: nil)),
                .traffic(.client, .received, offset: 2, [0x17, 5]), .traffic(.origin, .sent, offset: 2, [0x17, 6]),
                .traffic(.origin, .received, offset: 2, [0x17, 7]), .traffic(.client, .sent, offset: 2, [0x17, 8]),
                .ended(.client, .fin, .relay), .ended(.origin, .fin, .closing), .closed(.inOrder(client: 1, origin: 1)))
        }
        #expect(try capture.stream(Self.fromClient) == Self.request + [0x16, 3, 0x17, 5])
        #expect(try capture.stream(Self.toClient) == Self.answer + [0x16, 4, 0x17, 8])
        #expect(try capture.stream(Self.toOrigin) == [0x16, 1, 0x17, 6])
        #expect(try capture.stream(Self.fromOrigin) == [0x16, 2, 0x17, 7])
        #expect(capture.packets.allSatisfy { $0.isSound })
        #expect(
            capture.packets.filter(\.isFIN).map(\.way).sorted()
                == [
                    Self.fromClient, Self.fromOrigin, Self.toClient, Self.toOrigin,
                ].sorted())
        #expect(export.remarks == ["no secrets are embedded, since none were recorded; '--capture wire' records all"])
    }

    @Test func conversationsOpenInThreeSteps() throws {
        let (capture, _) = try capture { $0.intercept(1) }
        let origin = capture.packets.filter { [$0.way, $0.wayBack].contains(Self.toOrigin) }
        #expect(origin.map(\.flags) == [0x02, 0x12, 0x10])
        #expect(origin.map(\.way) == [Self.toOrigin, Self.fromOrigin, Self.toOrigin])
        #expect(origin[1].acknowledgement == origin[0].sequence &+ 1)
        #expect(origin[2].sequence == origin[0].sequence &+ 1)
        #expect(origin[2].acknowledgement == origin[1].sequence &+ 1)
        #expect(origin[0].comment == "connection 1, origin side: api.example.com:443")
        let client = try #require(capture.packets.first)
        #expect(client.way == Self.fromClient && client.flags == 0x02)
        #expect(client.comment == "connection 1, client side: api.example.com:443")
    }

    /// Stamps are those of the events, and none is before the one that went before it, even if the clock is set back.
    @Test func timesAreThoseOfTheEvents() throws {
        var story = Story()
        story.intercept(1)
        story.tell(1, .wire(.origin, .sent, [1]), .wire(.origin, .received, [2]), .wire(.origin, .sent, [3]))
        var events = story.events
        events[5].wall -= 10_000_000
        var export = PcapngExport()
        var bytes: [UInt8] = []
        export.begin(into: &bytes)
        for event in events { export.add(event, into: &bytes) }
        export.finish(into: &bytes)
        let packets = try CaptureReader(bytes).packets.filter { !$0.payload.isEmpty && $0.destinationPort != 8080 }
        let start: UInt64 = 1_772_373_727_000_000
        #expect(packets.map(\.microseconds) == [start + 4, start + 4, start + 6])
    }

    @Test func secretsStandBeforeThePacketsThatNeedThem() throws {
        let secret = SessionSecret(label: "CLIENT_RANDOM", clientRandom: [0xAB], secret: [1, 2])
        let (capture, export) = try capture { story in
            story.intercept(1)
            story.tell(
                1, .wire(.client, .received, [1]), .secret(.client, secret),
                .secret(.client, SessionSecret(label: "A B\n", clientRandom: [1], secret: [1])),
                .wire(.client, .sent, [2]))
            // The secret of our own direction comes last, and is looked for with the first of the peer's messages.
            story.tell(
                1, .wire(.origin, .received, [3]),
                .secret(.origin, SessionSecret(label: "CLIENT_B", clientRandom: [0xAC], secret: [3])),
                .secured(.origin, .modern(alpn: nil)))
        }
        #expect(capture.secrets.map(\.lines) == ["CLIENT_RANDOM ab 0102\n", "CLIENT_B ac 03\n"])
        let client = try #require(capture.packets.first { $0.payload == [1] })
        #expect(capture.secrets[0].place < client.place)
        let origin = try #require(capture.packets.first { $0.payload == [3] })
        #expect(capture.secrets[1].place < origin.place)
        #expect(
            export.remarks == [
                "nothing after the handshake was recorded of 1 session; '--capture wire' records it",
                "1 connection without an end: open when the transcript ends",
            ])
    }

    @Test func largeRunsBecomeBoundedSegments() throws {
        let octets = (0..<100_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let (capture, _) = try capture { story in
            story.intercept(1)
            story.tell(1, .wire(.origin, .received, octets))
        }
        #expect(try capture.stream(Self.fromOrigin) == octets)
        #expect(capture.packets.map(\.payload.count).max() == 16_384)
        #expect(capture.packets.allSatisfy { $0.isSound })
    }

    /// RFC 9293 section 3.4: numbers are modulo 2^32.
    @Test func numbersGoOnOverFourGiB() throws {
        let far: UInt64 = 1 << 32
        let (capture, export) = try capture { story in
            story.intercept(1)
            story.tell(
                1, .wire(.origin, .received, [1, 2]), .traffic(.origin, .received, offset: far - 1, [3, 4, 5]),
                .traffic(.origin, .received, offset: far + 2, [6]), .ended(.origin, .fin, .relay),
                .closed(.inOrder(client: 0, origin: 0)))
        }
        let sent = capture.packets.filter { $0.way == Self.fromOrigin }
        let first = try #require(sent.first).sequence &+ 1
        let numbers = sent.filter { !$0.payload.isEmpty }.map { $0.sequence &- first }
        #expect(numbers == [0, UInt32.max, 2])
        let finish = try #require(sent.first { $0.isFIN })
        #expect(finish.sequence &- first == 3)
        #expect(capture.packets.last { $0.way == Self.toOrigin }?.acknowledgement == finish.sequence &+ 1)
        #expect(export.remarks.contains("4294967293 octets are missing in 1 place"))
    }

    @Test func octetsThatAreThereAlreadyAreNotWrittenTwice() throws {
        let (capture, export) = try capture { story in
            story.intercept(1)
            story.tell(
                1, .wire(.origin, .received, [1, 2, 3]), .traffic(.origin, .received, offset: 1, [2, 3, 4]),
                .traffic(.origin, .received, offset: 0, [1]), .closed(.inOrder(client: 0, origin: 0)))
        }
        #expect(try capture.stream(Self.fromOrigin) == [1, 2, 3, 4])
        #expect(!export.remarks.contains { $0.contains("missing") })
    }

    @Test func whatWasNotCapturedIsNotInvented() throws {
        let (capture, export) = try capture { story in
            story.intercept(1)
            story.tell(
                1, .wire(.origin, .received, [1]), .secured(.origin, .modern(alpn: nil)),
                .closed(.inOrder(client: 500, origin: 1 << 40)))
        }
        #expect(try capture.stream(Self.fromOrigin) == [1])
        let finish = try #require(capture.packets.first { $0.way == Self.fromOrigin && $0.isFIN })
        let data = try #require(capture.packets.first { $0.payload == [1] })
        #expect(finish.sequence == data.sequence &+ 1)
        #expect(export.remarks.contains { $0.hasPrefix("nothing after the handshake") })
    }

    private func capture(_ tell: (inout Story) -> Void) throws -> (CaptureReader, PcapngExport) {
        var story = Story()
        tell(&story)
        let (bytes, export) = story.export(PcapngExport())
        return (try CaptureReader(bytes), export)
    }

    private func lost(_ kinds: [Event.Kind], traffic: Bool) throws -> [String] {
        let (_, export) = try capture { story in
            story.intercept(1)
            story.tell(1, .secured(.client, .modern(alpn: nil)))
            for kind in kinds { story.tell(nil, kind) }
            story.tell(1, .closed(.inOrder(client: 0, origin: 0)))
            guard traffic else { return }
            story.intercept(2)
            story.tell(
                2, .wire(.client, .received, [1]), .secured(.client, .modern(alpn: nil)),
                .traffic(.client, .received, offset: 1, [2]), .closed(.inOrder(client: 0, origin: 0)))
        }
        return export.remarks
    }

    /// What is missing after a gap may have been captured, and what was captured may have been nothing.
    @Test func whatWasLostIsNotBlamedOnTheOptions() throws {
        let advice = "nothing after the handshake was recorded of 1 session; '--capture wire' records it"
        let loss = "nothing after the handshake is here of 1 session during which events were lost"
        #expect(try lost([], traffic: false).contains(advice))
        #expect(try !lost([], traffic: true).contains { $0.contains("after the handshake") })
        for traffic in [false, true] {
            let remarks = try lost([.gap(lost: 3)], traffic: traffic)
            #expect(remarks.contains(loss) && !remarks.contains { $0.contains("--capture") })
        }
    }
}
