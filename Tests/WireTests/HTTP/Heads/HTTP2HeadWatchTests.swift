import TestSupport
import Testing
import Wire

/// Heads and contents of HTTP/2, with blocks written by hand (RFC 7541 section 6, appendix A).
@Suite struct HTTP2HeadWatchTests {
    typealias Observation = HTTPHeadWatch.Observation

    private static let all = HTTP2Frame.endHeaders | HTTP2Frame.endStream
    private static let padded: UInt8 = 0x8
    private static let priority: UInt8 = 0x20
    /// `:status: 200`, `:status: 204`, and `:status: 103` as a literal.
    private static let ok: [UInt8] = [0x88]
    private static let early: [UInt8] = [0x08, 0x03, 0x31, 0x30, 0x33]
    /// A trailer `t: 1`.
    private static let trailer: [UInt8] = [0x00, 0x01, 0x74, 0x01, 0x31]

    /// The head of `HTTP2Client.headers`: method, scheme, path and authority take 1 + 1 + 3 + 8 octets.
    private static func got(_ stream: UInt64, method: String = "GET", length: UInt64 = 13) -> Observation {
        .http2(
            .client, stream, method: method, scheme: "https", authority: "h.test", target: "/", length: length)
    }

    private static func frame(
        _ kind: HTTP2Frame.Kind, _ flags: UInt8 = 0, _ stream: UInt8 = 0, _ payload: [UInt8] = []
    ) -> HTTP2Frame {
        HTTP2Frame(kind: kind, flags: flags, stream: stream, payload: payload)
    }

    /// A conversation: frames of the client, what is told of them, then the origin's.
    struct Story: Sendable, CustomTestStringConvertible {
        let name: String
        var client: [HTTP2Frame] = []
        var clientFound: [Observation] = []
        var origin: [HTTP2Frame] = []
        var originFound: [Observation] = []
        var testDescription: String { name }
    }

    static let stories = [
        Story(
            name: "content is counted without padding, trailers only end it",
            client: [
                HTTP2Client.headers(1, method: [0x83], ends: false), HTTP2Client.data(1, [1, 2, 3]),
                frame(.data, padded, 1, [2, 4, 5, 0, 0]), frame(.data, padded | HTTP2Frame.endStream, 1, [0]),
            ],
            clientFound: [got(1, method: "POST"), .contentEnded(.client, exchange: 1, bytes: 5)],
            origin: [
                frame(.headers, HTTP2Frame.endHeaders, 1, ok), frame(.data, 0, 1, [1, 2, 3, 4]),
                frame(.headers, all, 1, trailer),
            ],
            originFound: [
                .http2(.origin, 1, status: 200, length: 1), .contentEnded(.origin, exchange: 1, bytes: 4),
            ]),
        Story(
            name: "interim responses are told of, and do not make trailers of the final one",
            client: [HTTP2Client.headers(1)], clientFound: [got(1), .contentEnded(.client, exchange: 1, bytes: 0)],
            origin: [
                frame(.headers, HTTP2Frame.endHeaders, 1, early), frame(.headers, HTTP2Frame.endHeaders, 1, early),
                frame(.headers, HTTP2Frame.endHeaders, 1, ok), frame(.data, HTTP2Frame.endStream, 1, []),
            ],
            originFound: [
                .http2(.origin, 1, status: 103, length: 5), .http2(.origin, 1, status: 103, length: 5),
                .http2(.origin, 1, status: 200, length: 1), .contentEnded(.origin, exchange: 1, bytes: 0),
            ]),
        Story(
            name: "a block in many frames, with padding and priority",
            client: [
                frame(.headers, padded | priority | HTTP2Frame.endStream, 1, [2, 0, 0, 0, 0, 9, 0x82, 0x87, 0, 0]),
                frame(.continuation, 0, 1, []), frame(.continuation, 0, 1, [0x04]),
                frame(.continuation, HTTP2Frame.endHeaders, 1, [0x01, 0x2f, 0x01, 0x06] + bytes(of: "h.test")),
            ],
            clientFound: [got(1), .contentEnded(.client, exchange: 1, bytes: 0)]),
        Story(
            name: "frames that are of no interest pass",
            client: [
                frame(.ping, 0, 0, [UInt8](repeating: 0, count: 8)), frame(.priority, 0, 3, [0, 0, 0, 0, 1]),
                frame(.windowUpdate, 0, 0, [0, 0, 0, 1]), frame(.goAway, 0, 0, [UInt8](repeating: 0, count: 8)),
                HTTP2Client.headers(1),
            ],
            clientFound: [got(1), .contentEnded(.client, exchange: 1, bytes: 0)]),
        Story(
            name: "a request that the origin promises comes from the origin",
            client: [HTTP2Client.headers(1)], clientFound: [got(1), .contentEnded(.client, exchange: 1, bytes: 0)],
            origin: [
                frame(.pushPromise, HTTP2Frame.endHeaders | padded, 1, [1, 0, 0, 0, 2, 0x82, 0x87, 0x85, 0]),
                frame(.headers, HTTP2Frame.endHeaders, 2, ok), frame(.data, HTTP2Frame.endStream, 2, [1]),
            ],
            originFound: [
                .http2(.origin, 2, method: "GET", scheme: "https", target: "/index.html", length: 3),
                .http2(.origin, 2, status: 200, length: 1), .contentEnded(.origin, exchange: 2, bytes: 1),
            ]),
        Story(
            name: "after a reset nothing ends",
            client: [HTTP2Client.headers(1), frame(.reset, 0, 1, [0, 0, 0, 8])],
            clientFound: [got(1), .contentEnded(.client, exchange: 1, bytes: 0)],
            origin: [
                frame(.headers, HTTP2Frame.endHeaders, 1, ok), frame(.data, HTTP2Frame.endStream, 1, [1]),
            ],
            originFound: [.http2(.origin, 1, status: 200, length: 1)]),
        Story(
            name: "a block that is no head is skipped, and its table kept",
            // `x: y` goes into the table (0x40), without a method; then it is the table's first entry (0xbe).
            client: [
                frame(.headers, all, 1, [0x40, 0x01, 0x78, 0x01, 0x79]),
                frame(.headers, all, 3, [0x82, 0x87, 0x84, 0xbe]),
            ],
            clientFound: [
                .http2(.client, 3, method: "GET", scheme: "https", target: "/", [("x", "y")], length: 4),
                .contentEnded(.client, exchange: 3, bytes: 0),
            ]),
        Story(
            name: "CONNECT has no path, and Host may stand for the authority",
            client: [
                frame(
                    .headers, HTTP2Frame.endHeaders, 1,
                    [0x02, 0x07] + bytes(of: "CONNECT") + [0x01, 0x03, 0x68, 0x3a, 0x31]),
                frame(.headers, all, 3, [0x82, 0x87, 0x84, 0x0f, 0x17, 0x01, 0x68]),
            ],
            clientFound: [
                .http2(.client, 1, method: "CONNECT", authority: "h:1", target: "h:1", length: 14),
                .http2(
                    .client, 3, method: "GET", scheme: "https", authority: "h", target: "/", [("host", "h")], length: 7),
                .contentEnded(.client, exchange: 3, bytes: 0),
            ]),
    ]

    @Test("Messages are told of once each, however their bytes are cut", arguments: stories, [1, 7, 100_000])
    func follows(_ story: Story, pieces size: Int) {
        let watch = HTTPHeadWatch(applicationProtocol: "h2")
        let client = HTTP2Client.preface + story.client.flatMap(\.bytes)
        #expect(watch.observe(.client, client, pieces: size) == story.clientFound)
        #expect(watch.observe(.origin, story.origin.flatMap(\.bytes), pieces: size) == story.originFound)
        #expect(watch.finish(.client) + watch.finish(.origin) == [])
        #expect(watch.isWatching)
        // Both sides are followed on.
        #expect(watch.observe(.client, HTTP2Client.headers(99).bytes).count == 2)
        #expect(watch.observe(.origin, Self.frame(.headers, Self.all, 99, Self.ok).bytes).count == 2)
    }

    /// What ends the watching of the client's side.
    static let broken: [(String, HTTPHeadStop, [HTTP2Frame])] = [
        (
            "another frame in a block", .malformed,
            [frame(.headers, 0, 1, [0x82]), frame(.ping, 0, 0, [0, 0, 0, 0, 0, 0, 0, 0])]
        ),
        ("another head in a block", .malformed, [frame(.headers, 0, 1, [0x82]), HTTP2Client.headers(3)]),
        (
            "the block of another stream", .malformed,
            [frame(.headers, 0, 1, [0x82]), frame(.continuation, 4, 3, [0x87])]
        ),
        ("a block without a start", .malformed, [frame(.continuation, 4, 1, [0x82])]),
        ("a head on no stream", .malformed, [frame(.headers, all, 0, [0x82])]),
        ("padding over the frame", .malformed, [frame(.headers, all | padded, 1, [2, 0x82])]),
        ("padding over the data", .malformed, [HTTP2Client.headers(1, ends: false), frame(.data, padded, 1, [1])]),
        ("padding without its length", .malformed, [HTTP2Client.headers(1, ends: false), frame(.data, padded, 1, [])]),
        ("a priority that is cut", .malformed, [frame(.headers, all | priority, 1, [0, 0, 0, 0])]),
        ("an index that is not there", .malformed, [frame(.headers, all, 1, [0xbe])]),
        ("index 0", .malformed, [frame(.headers, all, 1, [0x80])]),
        ("a text over the block's end", .malformed, [frame(.headers, all, 1, [0x00, 0x7f, 0x80])]),
        ("a setting that is cut", .malformed, [frame(.settings, 0, 0, [0, 1, 0, 0, 0])]),
        ("settings without an end", .tooManyWaiting, (0..<65).map { _ in frame(.settings) }),
        (
            "a compressed block over 256 KiB", .headTooLarge,
            [frame(.headers, 0, 1, [])]
                + (0..<17).map { _ in frame(.continuation, 0, 1, [UInt8](repeating: 0x82, count: 16_000)) }
        ),
        (
            "a frame over 256 KiB", .headTooLarge,
            [frame(.headers, all, 1, [UInt8](repeating: 0x82, count: 262_145))]
        ),
        // A field of 1,000 octets goes into the table, and is then asked for 260 times.
        (
            "a block that expands over 256 KiB", .headTooLarge,
            [
                frame(
                    .headers, all, 1,
                    [0x40] + HTTP2Client.text("x") + HTTP2Client.text(String(repeating: "y", count: 1000))
                        + [UInt8](repeating: 0xbe, count: 260))
            ]
        ),
    ]

    @Test("A side that breaks a rule or a limit is followed no more, the other one is", arguments: broken)
    func stops(_ name: String, _ reason: HTTPHeadStop, _ frames: [HTTP2Frame]) {
        let watch = HTTPHeadWatch(applicationProtocol: "h2")
        let found = watch.observe(.client, HTTP2Client.preface + frames.flatMap(\.bytes))
        #expect(found.last == .stopped(.client, reason))
        #expect(watch.observe(.client, HTTP2Client.headers(99).bytes) == [])
        #expect(
            watch.observe(.origin, Self.frame(.headers, Self.all, 99, Self.ok).bytes)
                == [.http2(.origin, 99, status: 200, length: 1)])
        #expect(watch.isWatching)
        #expect(
            watch.observe(.origin, Self.frame(.continuation, 4, 1, Self.ok).bytes) == [.stopped(.origin, .malformed)])
        #expect(!watch.isWatching)
    }

    @Test("Bytes without the preface are no HTTP/2")
    func preface() {
        let watch = HTTPHeadWatch(applicationProtocol: "h2")
        #expect(watch.observe(.client, text: "GET / HTTP/1.1\r\n\r\n") == [.stopped(.client, .malformed)])
        #expect(watch.observe(.client, HTTP2Client.preface + HTTP2Client.headers(1).bytes) == [])
    }

    @Test("A frame that is too long is not waited for", arguments: [(262_144, true), (262_145, false)])
    func longFrame(length: Int, isTaken: Bool) {
        let watch = HTTPHeadWatch(applicationProtocol: "h2")
        _ = watch.observe(.origin, Self.frame(.headers, Self.all, 0, []).bytes)
        let header = [UInt8(length >> 16), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), 1, 5, 0, 0, 0, 1]
        _ = watch.observe(.client, HTTP2Client.preface + header)
        #expect(watch.isWatching == isTaken)
    }

    @Test("Limits are exact: 8,192 fields of nothing pass, one more does not")
    func exactLimit() {
        // A field counts 32 octets over its text; a literal without name and value takes three.
        for (count, fits) in [(8192, true), (8193, false)] {
            let watch = HTTPHeadWatch(applicationProtocol: "h2")
            let block = (0..<count).flatMap { _ in [UInt8](arrayLiteral: 0x00, 0x00, 0x00) }
            _ = watch.observe(.client, HTTP2Client.preface + Self.frame(.headers, Self.all, 1, block).bytes)
            #expect(watch.observe(.client, HTTP2Client.headers(3).bytes).count == (fits ? 2 : 0), "\(count)")
        }
    }

    @Test("Of streams that never end a bounded number is followed; the heads of the others are told of")
    func streams() {
        let watch = HTTPHeadWatch(applicationProtocol: "h2")
        var stream = HTTP2Client.preface
        for number in 0..<4097 {
            var head = HTTP2Client.headers(1, ends: false).bytes
            (head[7], head[8]) = (UInt8((2 * number + 1) >> 8), UInt8((2 * number + 1) & 0xff))
            stream += head
        }
        #expect(watch.observe(.client, stream).count == 4097)
        for (number, isFollowed) in [(8191, true), (8193, false)] {
            var end = HTTP2Client.data(1, [1], ends: true).bytes
            (end[7], end[8]) = (UInt8(number >> 8), UInt8(number & 0xff))
            let expected = [Observation.contentEnded(.client, exchange: UInt64(number), bytes: 1)]
            #expect(watch.observe(.client, end) == (isFollowed ? expected : []))
        }
    }

    @Test("A table that both sides agreed on and that is not kept is no fault of theirs")
    func largeTable() {
        // SETTINGS_HEADER_TABLE_SIZE of 1 MiB, acknowledged; then the encoder says that it uses all of it: 0x3f begins
        // a size of 31 or more (RFC 7541 section 6.3), and 1,048,576 - 31 is 0x0fffe1: 61, 7f, 3f in groups of seven bits.
        for (value, update, reason) in [
            (0x10, [0x3f, 0xe1, 0xff, 0x3f], .tableTooLarge), (0x00, [0x3f, 0xe1, 0xff, 0x3f], .malformed),
        ] as [(UInt8, [UInt8], HTTPHeadStop)] {
            let watch = HTTPHeadWatch(applicationProtocol: "h2")
            #expect(watch.observe(.origin, Self.frame(.settings, 0, 0, [0, 1, 0, value, 0, 0]).bytes) == [])
            let found = watch.observe(
                .client,
                HTTP2Client.preface + Self.frame(.settings, 1).bytes
                    + Self.frame(.headers, Self.all, 1, update + [0x82, 0x87, 0x84]).bytes)
            #expect(found == [.stopped(.client, reason)])
        }
    }

    @Test("However the bytes are cut, the same is told; nothing traps")
    func noise() {
        var random = SeededGenerator(seed: 9113)
        for round in 0..<1_500 {
            let story = Self.stories[round % Self.stories.count]
            let client = HTTP2Client.preface + random.mutated(story.client.flatMap(\.bytes))
            let origin = random.mutated(story.origin.flatMap(\.bytes) + Self.frame(.settings).bytes)
            let whole = HTTPHeadWatch(applicationProtocol: "h2")
            let cut = HTTPHeadWatch(applicationProtocol: "h2")
            for (sender, bytes) in [(HTTPSender.client, client), (.origin, origin)] {
                let expected = whole.observe(sender, bytes)
                #expect(random.pieces(bytes).flatMap { cut.observe(sender, $0) } == expected)
            }
            #expect(whole.isWatching == cut.isWatching)
        }
    }
}
