import TestSupport
import Testing

@testable import Wire

/// What an HTTP/2 client gets that breaks the rules or floods the server.
@Suite struct AnswerHTTP2FaultTests {
    private let bench: AnswerBench
    private let source: AnswerRecorder

    init() throws {
        source = AnswerRecorder { _ in Answer(status: 204) }
        bench = AnswerBench(.http2, source)
        _ = try bench.exchange(HTTP2Client.preface)
    }

    /// The error code of the GOAWAY that ends `output`.
    private func goodbye(in output: [UInt8]) throws -> [UInt8] {
        let frames = try #require(HTTP2Frame.parse(output))
        let last = try #require(frames.last)
        #expect(last.kind == .goAway)
        return Array(last.payload.dropFirst(4).prefix(4))
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: h\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"])
    func refusesAnotherProtocol(text: String) throws {
        let bench = AnswerBench(.http2, source)
        let (fault, output) = bench.provoke([UInt8](text.utf8))
        #expect(fault == .malformed(field: "HTTP/2: Received bad client magic byte string"))
        #expect(try goodbye(in: output) == [0, 0, 0, 1])
        #expect(bench.session.wantsToClose)
        #expect(try bench.exchange([UInt8](text.utf8)).isEmpty)
        #expect(bench.input.isEmpty)
    }

    /// Frames that a connection does not survive, and the code of the GOAWAY for them (RFC 9113 section 7).
    static let breaches: [(HTTP2Frame, UInt8)] = [
        // DATA on the connection itself, and on a stream that was never opened.
        (HTTP2Client.data(0, [1]), 1), (HTTP2Client.data(1, [1]), 1),
        // A client's stream with an even number.
        (HTTP2Client.headers(2), 1),
        // A PING of 7 octets.
        (HTTP2Frame(kind: .ping, payload: [1, 2, 3, 4, 5, 6, 7]), 6),
        // A CONTINUATION of nothing.
        (HTTP2Frame(kind: .continuation, flags: 4, stream: 1), 1),
        // An index that HPACK's tables do not have.
        (HTTP2Frame(kind: .headers, flags: 5, stream: 1, payload: [0xFF, 0xFF, 0x7F]), 9),
        // A push from a client.
        (HTTP2Frame(kind: .pushPromise, flags: 4, stream: 1, payload: [0, 0, 0, 2]), 1),
        // A window past 2^31 - 1.
        (HTTP2Frame(kind: .windowUpdate, payload: [0x7F, 0xFF, 0xFF, 0xFF]), 3),
    ]

    @Test(arguments: breaches)
    func endsAConnectionThatBreaksTheRules(frame: HTTP2Frame, code: UInt8) throws {
        let (thrown, output) = bench.provoke(frame.bytes)
        #expect(try goodbye(in: output) == [0, 0, 0, code])
        #expect(bench.session.wantsToClose)
        // nghttp2 wrote the GOAWAY itself: the fault is known since it went out, and thrown by the next delivery.
        #expect(thrown == nil)
        let fault = try #require(bench.session.fault)
        #expect(throws: fault) { try bench.session.receive(from: bench.input) }
        #expect(throws: Never.self) { try bench.session.receive(from: bench.input) }
    }

    @Test func resetsABadRequestAndGoesOn() throws {
        // A field name in upper case is malformed (RFC 9113 section 8.2.1).
        let output = try bench.exchange(HTTP2Client.headers(1, more: [("X-Upper", "1")]).bytes)
        let frames = try #require(HTTP2Frame.parse(output))
        #expect(frames == [HTTP2Frame(kind: .reset, stream: 1, payload: [0, 0, 0, 1])])
        #expect(source.requests.isEmpty)
        let next = try #require(HTTP2Frame.parse(bench.exchange(HTTP2Client.headers(3).bytes)))
        #expect(next.map(\.payload) == [[0x89]])
    }

    @Test func resetsABodyThatContradictsItsLength() throws {
        let frames = try #require(
            HTTP2Frame.parse(
                bench.exchange(
                    HTTP2Client.headers(1, method: [0x83], more: [("content-length", "3")], ends: false).bytes
                        + HTTP2Client.data(1, [1, 2], ends: true).bytes)))
        #expect(frames == [HTTP2Frame(kind: .reset, stream: 1, payload: [0, 0, 0, 1])])
        #expect(source.requests.isEmpty)
    }

    @Test func refusesAHeadThatUnfoldsPastTheLimit() throws {
        // A field of 4,000 octets enters HPACK's table once (0x40), then each octet 0xBE stands for all of it.
        func head(_ stream: UInt8, repeated: Int, last: Int) -> [UInt8] {
            var frame = HTTP2Client.headers(stream)
            frame.payload +=
                [0x40] + HTTP2Client.text("a") + HTTP2Client.text(String(repeating: "v", count: 4000))
                + [UInt8](repeating: 0xBE, count: repeated)
                + [0x00] + HTTP2Client.text("b") + HTTP2Client.text(String(repeating: "v", count: last))
            return frame.bytes
        }
        // By HPACK's measure the pseudo-header fields count 172, "a" 4,033 each time, "b" 33 and its value:
        // 172 + 16 * 4,033 + 33 + 803 = 65,536.
        let fitting = try #require(HTTP2Frame.parse(bench.exchange(head(1, repeated: 15, last: 803))))
        #expect(fitting.map(\.payload) == [[0x89]])
        #expect(source.requests.map(\.headers.count) == [17])
        for (stream, repeated, last) in [(UInt8(3), 15, 804), (5, 4000, 1)] {
            let frames = try #require(
                HTTP2Frame.parse(bench.exchange(head(stream, repeated: repeated, last: last))))
            #expect(frames.map(\.kind) == [.headers, .data])
            // :status 431 is a literal with the name at index 8; the second time it is in HPACK's table.
            if stream == 3 { #expect(frames.first?.payload.prefix(5) == [0x48, 0x03, 0x34, 0x33, 0x31]) }
        }
        #expect(source.requests.count == 1)
        // HPACK's state survived it.
        #expect(try #require(HTTP2Frame.parse(bench.exchange(HTTP2Client.headers(7).bytes))).map(\.payload) == [[0x89]])
    }

    @Test func refusesMoreStreamsThanAnnounced() throws {
        var input: [UInt8] = []
        var stream: UInt32 = 1
        for _ in 0..<200 {
            var frame = HTTP2Client.headers(1, method: [0x83], ends: false).bytes
            frame.replaceSubrange(5..<9, with: HTTP2Client.fourOctets(stream))
            input += frame
            stream += 2
        }
        let frames = try #require(HTTP2Frame.parse(bench.exchange(input)))
        #expect(frames.count == 72)
        #expect(frames.allSatisfy { $0.kind == .reset && $0.payload == [0, 0, 0, 7] })
        #expect(!bench.session.wantsToClose)
    }

    @Test func forgetsStreamsThatHaveEnded() {
        let answering = HTTP2Answering(source: source)
        let (input, output) = (ByteQueue(), ByteQueue())
        input.append(
            HTTP2Client.preface + HTTP2Client.headers(1).bytes + HTTP2Client.headers(3, ends: false).bytes
                + HTTP2Client.headers(5, ends: false).bytes)
        answering.receive(from: input)
        #expect(Set(answering.streams.keys) == [1, 3, 5])
        input.append(HTTP2Frame(kind: .reset, stream: 3, payload: [0, 0, 0, 8]).bytes)
        answering.receive(from: input)
        answering.produce(into: output, limit: 1 << 20)
        #expect(Set(answering.streams.keys) == [5])
    }

    @Test func stopsReadingAPeerThatDoesNotRead() throws {
        let ping = HTTP2Frame(kind: .ping, payload: [1, 2, 3, 4, 5, 6, 7, 8])
        for _ in 0..<10_000 { bench.input.append(ping.bytes) }
        try bench.session.receive(from: bench.input)
        #expect(!bench.session.acceptsInput)
        let waiting = bench.input.count
        #expect(waiting > 9000 * ping.bytes.count)
        try bench.session.receive(from: bench.input)
        #expect(bench.input.count == waiting)

        let frames = try #require(HTTP2Frame.parse(bench.exchange([])))
        #expect(frames.count == 10_000)
        #expect(Set(frames.map(\.flags)) == [HTTP2Frame.acknowledge])
        #expect(bench.input.isEmpty)
    }

    @Test func endsAFloodOfSettings() throws {
        var flood: [UInt8] = []
        for _ in 0..<10_000 { flood += HTTP2Frame(kind: .settings).bytes }
        let (fault, output) = bench.provoke(flood)
        #expect(
            fault
                == .malformed(
                    field: "HTTP/2: Flooding was detected in this HTTP/2 session, and it must be closed"))
        #expect(try goodbye(in: output) == [0, 0, 0, 11])
        #expect(bench.session.wantsToClose)
        #expect(bench.input.isEmpty)
    }

    @Test func endsAFloodOfResets() throws {
        // Opened and reset at once, again and again (CVE-2023-44487).
        var flood: [UInt8] = []
        for stream in stride(from: UInt32(1), to: 20_000, by: 2) {
            var head = HTTP2Client.headers(1).bytes
            head.replaceSubrange(5..<9, with: HTTP2Client.fourOctets(stream))
            flood += head
            flood += HTTP2Frame(kind: .reset, payload: [0, 0, 0, 8]).bytes.prefix(5)
            flood += HTTP2Client.fourOctets(stream) + [0, 0, 0, 8]
        }
        let (_, output) = bench.provoke(flood)
        #expect(try goodbye(in: output) == [0, 0, 0, 2])
        #expect(bench.session.wantsToClose)
        #expect(source.requests.count < 2000)
    }
}
