import TestSupport
import Testing
import Wire

/// C73: what is odd about the framing of HTTP/1 messages, wherever they stand in a connection.
@Suite struct FramingWatchTests {
    /// A conversation: what is sent, by whom, and what is odd about it.
    struct Turn: Sendable {
        let sender: FramingWatch.Sender
        let text: String
        let found: [FramingOddity]

        static func client(_ text: String, _ found: FramingOddity...) -> Turn {
            Turn(sender: .client, text: text, found: found)
        }

        static func origin(_ text: String, _ found: FramingOddity...) -> Turn {
            Turn(sender: .origin, text: text, found: found)
        }
    }

    private static let get = Turn.client("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    private static let ok = Turn.origin("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    private static let both = "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"

    /// Every one of them goes on, so that its last turn shows that the messages before it were followed to their ends.
    static let followed: [(String, [Turn])] = [
        ("plain", [get, ok, get, ok]),
        ("pipelined", [get, get, ok, ok, .client("POST / HTTP/1.1\r\n\(both)", .lengthBesideCoding)]),
        (
            "both in a request, then in a response",
            [
                .client("POST / HTTP/1.1\r\n\(both)", .lengthBesideCoding),
                .origin("HTTP/1.1 200 OK\r\n\(both)", .lengthBesideCoding), get, ok,
                .client("POST / HTTP/1.1\r\n\(both)", .lengthBesideCoding),
            ]
        ),
        (
            "the field's names in any case, chunks with extensions and trailers",
            [
                .client("POST / HTTP/1.1\r\ntransfer-ENCODING: Chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nT: 1\r\n\r\n"), ok,
                get, .origin("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", .framedWithoutContent), get, ok,
            ]
        ),
        (
            "two lengths that are the same, and two codings",
            [
                .client("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", .unclearLength), ok,
                .client(
                    "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                    .unusualCoding), ok,
                .client("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .unusualCoding),
            ]
        ),
        (
            "answers without content: HEAD, 304, 100 and 103",
            [
                .client("HEAD / HTTP/1.1\r\n\r\n"), .origin("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"), get,
                .origin("HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n"), get,
                .origin("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"), ok, get,
                .origin("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", .framedWithoutContent),
            ]
        ),
    ]

    @Test("C73: messages are followed to their ends, and what is odd is told once", arguments: followed)
    func follows(_ name: String, _ turns: [Turn]) {
        for size in [1, 7, 100_000] {
            var watch = FramingWatch()
            for turn in turns {
                let bytes = Array(turn.text.utf8)
                var found: [FramingOddity] = []
                for start in stride(from: 0, to: bytes.count, by: size) {
                    bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
                        found += watch.observe(turn.sender, $0)
                    }
                }
                #expect(found == turn.found, "\(name), in pieces of \(size): \(turn.text)")
            }
            #expect(watch.isWatching, "\(name), in pieces of \(size)")
        }
    }

    @Test(
        "C73: where a message's end is open nothing more is guessed",
        arguments: [
            [Turn.client("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")], [.client("\u{16}\u{3}\u{1}")],
            [.client("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .unclearLength)],
            [.client("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", .unclearLength)],
            [.client("POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", .unusualCoding)],
            [.client("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n")],
            [get, .origin("HTTP/1.1 200 OK\r\n\r\nuntil the end")], [ok],
            [get, .origin("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")],
            [.client("CONNECT a:1 HTTP/1.1\r\n\r\n"), .origin("HTTP/1.1 200 OK\r\n\r\n")],
        ])
    func stops(_ turns: [Turn]) {
        var watch = FramingWatch()
        for turn in turns {
            let found = Array(turn.text.utf8).withUnsafeBytes { watch.observe(turn.sender, $0) }
            #expect(found == turn.found)
        }
        #expect(!watch.isWatching)
        // Not even what looks like a message.
        let odd = Array("POST / HTTP/1.1\r\n\(Self.both)".utf8)
        #expect(odd.withUnsafeBytes { watch.observe(.client, $0) } == [])
    }

    @Test("Requests without a response, and endless heads, are kept in bounded number and length")
    func isBounded() {
        var watch = FramingWatch()
        let request = Array(Self.get.text.utf8)
        for _ in 0..<4096 { _ = request.withUnsafeBytes { watch.observe(.client, $0) } }
        #expect(watch.isWatching)
        _ = request.withUnsafeBytes { watch.observe(.client, $0) }
        #expect(!watch.isWatching)

        watch = FramingWatch()
        let endless = Array("GET /".utf8) + [UInt8](repeating: 0x61, count: 262_144)
        _ = endless.withUnsafeBytes { watch.observe(.client, $0) }
        #expect(!watch.isWatching)
    }

    @Test("However the bytes are cut, the same is found; nothing traps")
    func noise() {
        var random = SeededGenerator(seed: 73)
        let texts = Self.followed.flatMap(\.1).filter { $0.sender == .client }.map(\.text)
        for round in 0..<3_000 {
            let stream = random.mutated(
                Array(texts[round % texts.count].utf8) + Array(texts[(round * 7) % texts.count].utf8))
            var (whole, cut) = (FramingWatch(), FramingWatch())
            let expected = stream.withUnsafeBytes { whole.observe(.client, $0) }
            var found: [FramingOddity] = []
            for piece in random.pieces(stream) { piece.withUnsafeBytes { found += cut.observe(.client, $0) } }
            #expect(found == expected)
        }
    }
}
