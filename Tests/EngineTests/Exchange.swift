import TestSupport
import Testing
import Transcript

/// A conversation of a client and an origin over one relayed connection, as the bytes that each of them writes.
struct Exchange: Sendable, CustomTestStringConvertible {
    /// One write; the other end has to get exactly these bytes before the next one.
    enum Turn: Sendable {
        case client([UInt8])
        case origin([UInt8])

        static func client(_ text: String) -> Turn { .client(Array(text.utf8)) }
        static func origin(_ text: String) -> Turn { .origin(Array(text.utf8)) }
        static func client(_ frames: [HTTP2Frame], after bytes: [UInt8] = []) -> Turn {
            .client(bytes + frames.flatMap(\.bytes))
        }
        static func origin(_ frames: [HTTP2Frame]) -> Turn { .origin(frames.flatMap(\.bytes)) }
    }

    let testDescription: String
    var alpn = "http/1.1"
    let turns: [Turn]

    init(_ description: String, alpn: String = "http/1.1", _ turns: Turn...) {
        testDescription = description
        self.alpn = alpn
        self.turns = turns
    }

    /// Has both ends say what they say, and a second request and answer on the same connection after it.
    ///
    /// - Throws: What the peers throw when the bytes do not come.
    func play(on stage: Stage) async throws {
        let (client, origin) = try await stage.interceptedPair(alpn: alpn, offering: [alpn])
        for turn in turns + Self.another(alpn) {
            switch turn {
            case .client(let bytes):
                try await client.send(bytes)
                expectSame(try await origin.receive(bytes.count), bytes)
            case .origin(let bytes):
                try await origin.send(bytes)
                expectSame(try await client.receive(bytes.count), bytes)
            }
        }
        try await client.sendCloseNotify()
        try await client.sendFIN()
        #expect(try await origin.ended() == .fin)
        #expect(origin.seen.sawCloseNotify)
        try await origin.sendCloseNotify()
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        #expect(client.seen.received == [])
        let story = try await stage.log.story()
        #expect(story.failures == [])
        #expect(story.closed.clientBytes == UInt64(octets(fromClient: true)))
        #expect(story.closed.originBytes == UInt64(octets(fromClient: false)))
    }

    private func octets(fromClient: Bool) -> Int {
        (turns + Self.another(alpn)).reduce(0) { sum, turn in
            switch turn {
            case .client(let bytes): sum + (fromClient ? bytes.count : 0)
            case .origin(let bytes): sum + (fromClient ? 0 : bytes.count)
            }
        }
    }

    /// What shows that nothing of what came before is still in the way.
    private static func another(_ alpn: String) -> [Turn] {
        guard alpn == "h2" else {
            return [
                .client("GET /next HTTP/1.1\r\nHost: h.test\r\n\r\n"),
                .origin("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext"),
            ]
        }
        return [
            .client([HTTP2Client.headers(9, path: "/next")]),
            .origin([HTTP2Origin.headers(9, status: 0x88, ends: true)]),
        ]
    }
}

/// What the tests' origin sends on HTTP/2.
enum HTTP2Origin {
    /// The empty SETTINGS that an origin begins with.
    static let preface = HTTP2Frame(kind: .settings)

    /// An answer's head; `:status 200` is 0x88 (RFC 7541 appendix A).
    static func headers(_ stream: UInt8, status: UInt8, more: [(String, String)] = [], ends: Bool) -> HTTP2Frame {
        fields(stream, [status], more, ends: ends)
    }

    /// The field section that follows the body, with which a stream ends (RFC 9113 section 8.1).
    static func trailers(_ stream: UInt8, _ fields: [(String, String)]) -> HTTP2Frame {
        self.fields(stream, [], fields, ends: true)
    }

    private static func fields(
        _ stream: UInt8, _ first: [UInt8], _ more: [(String, String)], ends: Bool
    ) -> HTTP2Frame {
        HTTP2Frame(
            kind: .headers, flags: HTTP2Frame.endHeaders | (ends ? HTTP2Frame.endStream : 0), stream: stream,
            payload: first + more.flatMap { [0x00] + HTTP2Client.text($0.0) + HTTP2Client.text($0.1) })
    }
}
