import Engine
import TestSupport
import Testing
import Transcript

/// Who ends an exchange, and how, is seen on the other side in the same way, after everything that was said before.
@Suite struct ProxyEndingTests {
    /// How an origin leaves.
    enum Leave: CaseIterable {
        case politely, withoutCloseNotify, reset

        func perform(_ peer: Peer) async throws {
            switch self {
            case .politely:
                try await peer.sendCloseNotify()
                try await peer.sendFIN()
            case .withoutCloseNotify: try await peer.sendFIN()
            case .reset:
                try await peer.delivered()
                try await peer.reset()
            }
        }
    }

    private static let request = Array("GET / HTTP/1.1\r\nHost: h.test\r\n\r\n".utf8)

    // MARK: C50

    @Test("C50: an idle connection that the origin closes is closed for the client", arguments: Leave.allCases)
    func originThatEndsAnIdleConnection(_ leave: Leave) async throws {
        let stage = try await Stage { $0.limits.idle = patience }
        let (client, origin) = try await stage.interceptedPair(alpn: "http/1.1", offering: ["http/1.1"])
        try await client.send(Self.request)
        _ = try await origin.receive(Self.request.count)
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine".utf8)
        try await origin.send(answer)
        #expect(try await client.receive(answer.count) == answer)

        try await leave.perform(origin)
        // Long before the idle limit, by which it would end anyway.
        #expect(try await client.ended(within: patience / 4) == (leave == .reset ? .reset : .fin))
        #expect(client.seen.sawCloseNotify == (leave == .politely))
        #expect(client.seen.received == [])
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        #expect(story.closed.by == .origin)
        #expect(story.failures == [])
        #expect(story.ends(.origin).first == (leave == .politely ? "closeNotify" : "\(End(leave))") + " in relay")
    }

    @Test("C50: a request that meets the end of the connection is not repeated by the proxy")
    func requestThatComesTooLate() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        try await origin.sendCloseNotify()
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        // The origin is gone altogether when it comes.
        try await origin.close()
        try await client.send(Self.request)
        try await stage.log.first("the request") { if case .firstData(.client) = $0 { true } else { nil } }
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.closed.by == .origin)
        #expect(stage.origin.callers == 1)
        #expect(client.seen.received == [])
    }

    // MARK: C51

    @Test("C51: the origin is not read on when the client breaks off", arguments: [Decision.intercept, .tunnel])
    func clientThatBreaksOff(_ decision: Decision) async throws {
        let stage = try await Stage { $0.decision = decision }
        let (client, origin) =
            decision == .tunnel
            ? try await stage.tunnelledPair(receiveBuffer: 65_536)
            : try await stage.interceptedPair(receiveBuffer: 65_536)
        try await client.countOnly()
        // It takes no more than it asks for, however late this test looks.
        try await client.setReading(false)
        try await origin.send([UInt8](repeating: 7, count: 64 << 20))
        try await repeatedly(until: "a mebibyte") {
            try await client.readOnce(1 << 16)
            return client.seen.count >= 1 << 20
        }
        try await client.reset()
        #expect(try await origin.ended() == .reset)
        #expect(!origin.seen.isSent)
        _ = try await stage.log.story()
        // From the moment at which it was seen to the last byte of the origin's: within a second.
        let times = stage.log.all.reduce(into: (reset: UInt64(0), closed: UInt64(0))) { times, event in
            switch event.kind {
            case .ended(.client, .reset, _): times.reset = event.monotonic
            case .closed: times.closed = event.monotonic
            default: break
            }
        }
        #expect(times.reset > 0 && times.closed >= times.reset)
        #expect(times.closed - times.reset < (isSanitized ? 10_000_000_000 : 1_000_000_000))
    }

    @Test("C51: a client that reads slowly gets everything, and its end")
    func clientThatReadsSlowly() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(receiveBuffer: 65_536)
        let answer = pattern(4 << 20)
        try await client.setReading(false)
        try await client.keep(every: 1) { $0.read(16_384) }
        try await origin.send(answer)
        try await origin.sendCloseNotify()
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        expectSame(client.seen.received, answer)
        #expect(client.seen.sawCloseNotify)
    }

    // MARK: C75

    /// An answer of a mebibyte, as framing goes: right, right and with its end, cut short.
    private static let answers: [(name: String, bytes: [UInt8])] = [
        (
            "Content-Length",
            Array("HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n".utf8) + pattern(1 << 20)
        ),
        (
            "chunked with its end",
            Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n".utf8) + pattern(1 << 20)
                + Array("\r\n0\r\n\r\n".utf8)
        ),
        (
            "cut short",
            Array("HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n".utf8) + pattern(1 << 20)
        ),
    ]

    @Test("C75: an origin that resets takes back nothing of its answer", arguments: [0, 1, 2])
    func originThatResetsAfterItsAnswer(_ number: Int) async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(receiveBuffer: 65_536)
        // The origin never reads the request; the client is slower than it.
        try await origin.setReading(false)
        try await client.send(Self.request)
        try await stage.log.first("the request") { if case .firstData(.client) = $0 { true } else { nil } }
        try await client.setReading(false)
        try await client.keep(every: 1) { $0.read(16_384) }
        let answer = Self.answers[number].bytes
        try await origin.send(answer)
        try await origin.delivered()
        try await origin.reset()
        // However whole it is in HTTP's eyes, the end is as unclean as it was.
        let end = try await client.ended()
        #expect(end == .reset)
        expectSame(client.seen.received, answer)
        #expect(client.seen.alerts == [])
        let story = try await stage.log.story()
        #expect(story.ends(.origin) == ["reset in relay"])
        #expect(story.closed.by == .origin)
        #expect(story.closed.originBytes == UInt64(answer.count))
        #expect(story.closed.clientBytes == UInt64(Self.request.count))
    }

    // MARK: C78

    @Test("C78: a client that has ended its direction is answered later", arguments: [Decision.intercept, .tunnel])
    func lateAnswer(_ decision: Decision) async throws {
        let stage = try await Stage { $0.decision = decision }
        let (client, origin) =
            decision == .tunnel ? try await stage.tunnelledPair() : try await stage.interceptedPair()
        try await client.send("question")
        if decision == .intercept { try await client.sendCloseNotify() }
        try await client.sendFIN()
        #expect(try await origin.ended() == .fin)
        #expect(origin.seen.received == Array("question".utf8))
        // The origin thinks for a second.
        try await origin.turns(1000)
        #expect(client.seen.end == nil)
        try await origin.send("answer")
        if decision == .intercept { try await origin.sendCloseNotify() }
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        #expect(client.seen.received == Array("answer".utf8))
        #expect(client.seen.sawCloseNotify == (decision == .intercept))
    }

    @Test("C78: a body that only FIN delimits ends by FIN only")
    func closeDelimitedBody() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(alpn: "http/1.1", offering: ["http/1.1"])
        try await client.send(Self.request)
        _ = try await origin.receive(Self.request.count)
        let answer = Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + pattern(300_000)
        try await origin.send(answer)
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        expectSame(client.seen.received, answer)
        // A client that cares takes this for truncation (RFC 9112 section 9.8).
        #expect(!client.seen.sawCloseNotify)
        try await client.close()
        try await origin.close()
        #expect(try await stage.log.story().ends(.origin).first == "fin in relay")
    }
}

extension End {
    /// What is seen of an origin that leaves in this way.
    fileprivate init(_ leave: ProxyEndingTests.Leave) {
        self = leave == .reset ? .reset : .fin
    }
}
