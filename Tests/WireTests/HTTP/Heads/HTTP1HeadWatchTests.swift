import TestSupport
import Testing
import Wire

/// Heads and contents of HTTP/1, with lengths counted by hand.
@Suite struct HTTP1HeadWatchTests {
    typealias Observation = HTTPHeadWatch.Observation

    /// What a side sends, and what an observer says of it.
    struct Turn: Sendable {
        let sender: HTTPSender
        let text: String
        let found: [Observation]

        static func client(_ text: String, _ found: Observation...) -> Turn {
            Turn(sender: .client, text: text, found: found)
        }

        static func origin(_ text: String, _ found: Observation...) -> Turn {
            Turn(sender: .origin, text: text, found: found)
        }
    }

    private static let get = "GET /a HTTP/1.1\r\nHost: h.test\r\n\r\n"
    private static func got(_ exchange: UInt64) -> [Observation] {
        [
            .request(exchange, "GET", "/a", authority: "h.test", [("Host", "h.test")], length: 33),
            .contentEnded(.client, exchange: exchange, bytes: 0),
        ]
    }

    static let followed: [(String, [Turn])] = [
        (
            "a request and its response, twice",
            (1...2).flatMap { exchange in
                [
                    Turn(sender: .client, text: get, found: got(exchange)),
                    .origin(
                        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
                        .response(exchange, 200, [("Content-Length", "2")], length: 38),
                        .contentEnded(.origin, exchange: exchange, bytes: 2)),
                ]
            }
        ),
        (
            "pipelined, in HTTP/1.0 and without a host",
            [
                .client(
                    "GET /a HTTP/1.0\r\n\r\nHEAD /b HTTP/1.1\r\n\r\n",
                    .request(1, "GET", "/a", version: "http/1.0", length: 19),
                    .contentEnded(.client, exchange: 1, bytes: 0), .request(2, "HEAD", "/b", length: 20),
                    .contentEnded(.client, exchange: 2, bytes: 0)),
                .origin(
                    "HTTP/1.0 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
                    .response(1, 204, version: "http/1.0", length: 27),
                    .contentEnded(.origin, exchange: 1, bytes: 0),
                    .response(2, 200, [("Content-Length", "9")], length: 38),
                    .contentEnded(.origin, exchange: 2, bytes: 0)),
            ]
        ),
        (
            "chunks count without their framing, trailers not at all",
            [
                .client(
                    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nT: 1\r\n\r\n",
                    .request(1, "POST", "/", [("Transfer-Encoding", "chunked")], length: 47),
                    .contentEnded(.client, exchange: 1, bytes: 6))
            ]
        ),
        (
            "interim responses belong to the exchange of the final one",
            [
                Turn(sender: .client, text: get, found: got(1)),
                .origin(
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n",
                    .response(1, 100, length: 25), .response(1, 103, [("Link", "x")], length: 37)),
                .origin(
                    "HTTP/1.1 304 Not Modified\r\n\r\n", .response(1, 304, length: 29),
                    .contentEnded(.origin, exchange: 1, bytes: 0)),
            ]
        ),
    ]

    @Test("Messages are told of once each, however their bytes are cut", arguments: followed)
    func follows(_ name: String, _ turns: [Turn]) {
        for size in [1, 5, 100_000] {
            let watch = HTTPHeadWatch(applicationProtocol: "http/1.1")
            for turn in turns {
                let found = watch.observe(turn.sender, Array(turn.text.utf8), pieces: size)
                #expect(found == turn.found, "\(name), in pieces of \(size)")
            }
            #expect(watch.isWatching, "\(name), in pieces of \(size)")
        }
    }

    @Test(
        "A response without a length ends with the connection",
        arguments: [("", 19), ("Transfer-Encoding: gzip\r\n", 44)] as [(String, UInt64)])
    func untilTheEnd(field: String, length: UInt64) {
        let watch = HTTPHeadWatch(applicationProtocol: nil)
        _ = watch.observe(.client, text: Self.get)
        let head = watch.observe(.origin, text: "HTTP/1.1 200 OK\r\n\(field)\r\nuntil ")
        let fields = field.isEmpty ? [] : [("Transfer-Encoding", "gzip")]
        #expect(head == [.response(1, 200, fields, length: length)])
        #expect(watch.observe(.origin, text: "HTTP/1.1 200 OK\r\n\r\n") == [])
        #expect(watch.finish(.client) == [])
        // Six octets, and nineteen that look like a head.
        #expect(watch.finish(.origin) == [.contentEnded(.origin, exchange: 1, bytes: 25)])
        #expect(watch.finish(.origin) == [])
    }

    @Test("The end of a connection ends no content that was to be longer")
    func cutOff() {
        let watch = HTTPHeadWatch(applicationProtocol: nil)
        _ = watch.observe(.client, text: Self.get)
        _ = watch.observe(.origin, text: "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nshort")
        #expect(watch.finish(.origin) == [])
    }

    @Test("The head before another protocol is the last thing told")
    func switches() {
        let watch = HTTPHeadWatch(applicationProtocol: nil)
        _ = watch.observe(.client, text: Self.get)
        let found = watch.observe(
            .origin, text: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
        #expect(found == [.response(1, 101, [("Upgrade", "websocket")], length: 56)])
        #expect(!watch.isWatching)
        #expect(watch.observe(.client, text: Self.get) == [])
        #expect(watch.finish(.origin) == [])
    }

    @Test(
        "What is not HTTP/1 is not followed, and that is said once",
        arguments: [
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}", "SSH-2.0-x\r\n", "\r\rGET", " GET", "GET /\r\n",
            "GET  HTTP/1.1\r\n", "GET / HTTP/1.10\r\n", String(repeating: "G", count: 65),
        ])
    func stops(_ text: String) {
        for size in [1, 100_000] {
            let watch = HTTPHeadWatch(applicationProtocol: nil)
            #expect(watch.observe(.client, Array(text.utf8), pieces: size) == [.stopped(.client, .malformed)])
            #expect(watch.observe(.client, text: Self.get) == [])
            // Whose request was not seen.
            let found = watch.observe(.origin, text: "HTTP/1.1 200 OK\r\n\r\n")
            #expect(found == [.response(1, 200, length: 19), .stopped(.origin, .requestUnknown)])
            #expect(!watch.isWatching)
            #expect(watch.observe(.origin, text: "HTTP/1.1 200 OK\r\n\r\n") == [])
        }
    }

    @Test(
        "Where a message ends in an unclear way its side is followed no more",
        arguments: [
            ("Content-Length: 1\r\nContent-Length: 2\r\n\r\n", .lengthUnclear),
            ("Content-Length: 1\u{1}\r\n\r\n", .lengthUnclear), ("Transfer-Encoding: gzip\r\n\r\n", .lengthUnclear),
            ("Transfer-Encoding: chunked\r\n\r\nx", .malformed),
        ] as [(String, HTTPHeadStop)])
    func unclear(_ rest: String, _ reason: HTTPHeadStop) throws {
        let watch = HTTPHeadWatch(applicationProtocol: nil)
        let found = watch.observe(.client, text: "POST / HTTP/1.1\r\n\(rest)")
        #expect(found.count == 2)
        #expect(found.last == .stopped(.client, reason))
        // The request itself was seen.
        #expect(
            watch.observe(.origin, text: "HTTP/1.1 204 No Content\r\n\r\n") == [
                .response(1, 204, length: 27), .contentEnded(.origin, exchange: 1, bytes: 0),
            ])
    }

    @Test("Requests are followed where responses are not")
    func originAlone() {
        let watch = HTTPHeadWatch(applicationProtocol: nil)
        #expect(watch.observe(.client, text: Self.get) == Self.got(1))
        #expect(watch.observe(.origin, text: "HTTP/1.1 2x0 OK\r\n") == [.stopped(.origin, .malformed)])
        for exchange in 2...5000 {
            #expect(watch.observe(.client, text: Self.get) == Self.got(UInt64(exchange)))
        }
        #expect(watch.isWatching)
    }

    @Test("4,096 requests may wait; those before one too many are followed to their responses")
    func pipelining() {
        for (count, reason) in [(1504, nil), (4096, nil), (4097, .tooManyWaiting)] as [(Int, HTTPHeadStop?)] {
            let watch = HTTPHeadWatch(applicationProtocol: nil)
            let requests = watch.observe(.client, text: String(repeating: Self.get, count: count))
            let got = (1...UInt64(min(count, 4096))).flatMap(Self.got)
            let extra = Self.got(4097).first.map { [$0, .stopped(.client, .tooManyWaiting)] } ?? []
            #expect(requests == got + (reason == nil ? [] : extra))
            let response = "HTTP/1.1 204 No Content\r\n\r\n"
            let found = watch.observe(.origin, text: String(repeating: response, count: count))
            #expect(found.count == 2 * count)
            #expect(
                found[2 * min(count, 4096) - 1] == .contentEnded(.origin, exchange: UInt64(min(count, 4096)), bytes: 0))
            #expect(watch.isWatching == (reason == nil))
        }
    }

    @Test("Protocols that are no HTTP are not watched from the start", arguments: ["mqtt", "h3", "", "H2", "http/1.2"])
    func otherProtocols(_ name: String) {
        #expect(!HTTPHeadWatch(applicationProtocol: name).isWatching)
    }

    @Test("A head has a most of octets, and of fields", arguments: [1009, .max])
    func limits(pieces size: Int) {
        let start = "GET / HTTP/1.1\r\n"
        func found(_ text: String) -> [Observation] {
            HTTPHeadWatch(applicationProtocol: nil).observe(.client, Array((start + text).utf8), pieces: size)
        }
        #expect(found(String(repeating: "a:\r\n", count: 8192) + "\r\n").count == 2)
        #expect(found(String(repeating: "a:\r\n", count: 8193) + "\r\n") == [.stopped(.client, .headTooLarge)])
        // "a: ", the value, and two line ends make up 262,144 octets.
        let room = 262_144 - start.utf8.count - 7
        #expect(found("a: " + String(repeating: "b", count: room) + "\r\n\r\n").count == 2)
        #expect(
            found("a: " + String(repeating: "b", count: room + 1) + "\r\n\r\n") == [.stopped(.client, .headTooLarge)])
        #expect(found("a: " + String(repeating: "b", count: 300_000)) == [.stopped(.client, .headTooLarge)])
    }

    @Test("However the bytes are cut, the same is told; nothing traps")
    func noise() {
        var random = SeededGenerator(seed: 2616)
        let texts = Self.followed.map { $0.1.filter { $0.sender == .client }.map(\.text).joined() }
        let answers = Self.followed.map { $0.1.filter { $0.sender == .origin }.map(\.text).joined() }
        for round in 0..<1_000 {
            let request = random.mutated(Array(texts[round % texts.count].utf8))
            let response = random.mutated(Array(answers[round % answers.count].utf8))
            let whole = HTTPHeadWatch(applicationProtocol: nil)
            let cut = HTTPHeadWatch(applicationProtocol: nil)
            for (sender, bytes) in [(HTTPSender.client, request), (.origin, response)] {
                let expected = whole.observe(sender, bytes)
                #expect(random.pieces(bytes).flatMap { cut.observe(sender, $0) } == expected)
            }
            #expect(whole.isWatching == cut.isWatching)
            #expect(whole.finish(.origin) == cut.finish(.origin))
        }
    }
}
