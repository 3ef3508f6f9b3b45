import TestSupport
import Testing
import Wire

/// What a well-behaved HTTP/2 client gets, frame by frame.
@Suite struct AnswerHTTP2Tests {
    /// A connection whose preface and settings have been exchanged.
    private func opened(_ source: AnswerRecorder) throws -> AnswerBench {
        let bench = AnswerBench(.http2, source)
        _ = try bench.exchange(HTTP2Client.preface)
        return bench
    }

    private func exchange(_ bench: AnswerBench, _ frames: HTTP2Frame...) throws -> [HTTP2Frame] {
        try #require(HTTP2Frame.parse(bench.exchange(frames.flatMap(\.bytes))))
    }

    @Test func opensWithItsSettings() throws {
        let bench = AnswerBench(.http2, AnswerRecorder())
        #expect(bench.session.hasOutput)
        let frames = try #require(HTTP2Frame.parse(bench.exchange(HTTP2Client.preface)))
        #expect(
            frames == [
                HTTP2Frame(
                    kind: .settings,
                    payload: [
                        0, 3, 0, 0, 0, 128,  // SETTINGS_MAX_CONCURRENT_STREAMS
                        0, 4, 0, 0x40, 0, 0,  // SETTINGS_INITIAL_WINDOW_SIZE: 4 MiB
                        0, 6, 0, 1, 0, 0,  // SETTINGS_MAX_HEADER_LIST_SIZE: 64 KiB
                    ]),
                HTTP2Frame(kind: .settings, flags: HTTP2Frame.acknowledge),
                // From 65,535 to 16 MiB.
                HTTP2Frame(kind: .windowUpdate, payload: [0, 0xFF, 0, 1]),
            ])
        #expect(!bench.session.hasOutput)
        #expect(!bench.session.wantsToClose)
    }

    @Test func answersARequest() throws {
        let source = AnswerRecorder { _ in
            Answer(
                status: 200, headers: [HTTPHeader(name: "Content-Type", value: "text/plain")],
                body: .bytes([UInt8]("hello".utf8)))
        }
        let bench = try opened(source)
        let frames = try exchange(bench, HTTP2Client.headers(1, path: "/a?b", more: [("x-two", "2")]))
        // :status 200 is 0x88; content-type 0x5F and Huffman; content-length 28 without indexing, "5".
        let head: [UInt8] = [
            0x88, 0x5F, 0x87, 0x49, 0x7C, 0xA5, 0x8A, 0xE8, 0x19, 0xAA, 0x0F, 0x0D, 0x01, 0x35,
        ]
        #expect(
            frames == [
                HTTP2Frame(kind: .headers, flags: HTTP2Frame.endHeaders, stream: 1, payload: head),
                HTTP2Frame(kind: .data, flags: HTTP2Frame.endStream, stream: 1, payload: [UInt8]("hello".utf8)),
            ])
        #expect(
            source.requests == [
                HTTPRequest(
                    method: "GET", target: "/a?b", authority: "h.test",
                    headers: [HTTPHeader(name: "x-two", value: "2")], httpVersion: "HTTP/2", streamID: 1)
            ])
        #expect(source.bodyLengths == [0])
        #expect(!bench.session.wantsToClose)
    }

    @Test func headHasTheLengthButNoBody() throws {
        let bench = try opened(AnswerRecorder { _ in Answer(status: 404, body: .pattern(length: 7)) })
        // :method HEAD is a literal: index 2.
        let frames = try exchange(bench, HTTP2Client.headers(1, method: [0x02] + HTTP2Client.text("HEAD")))
        #expect(
            frames == [
                HTTP2Frame(
                    kind: .headers, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1,
                    payload: [0x8D, 0x0F, 0x0D, 0x01, 0x37])
            ])
    }

    @Test func showsBodiesAsTheyArriveAndAnswersAtTheirEnd() throws {
        let source = AnswerRecorder { _ in Answer(status: 204) }
        let bench = try opened(source)
        var frames = try exchange(
            bench, HTTP2Client.headers(1, method: [0x83], ends: false),
            HTTP2Client.headers(3, method: [0x83], ends: false), HTTP2Client.data(1, [UInt8]("on".utf8)),
            HTTP2Client.data(3, [UInt8]("three".utf8)))
        #expect(frames.isEmpty)
        #expect(source.bodies == [1: [UInt8]("on".utf8), 3: [UInt8]("three".utf8)])
        #expect(source.requests.isEmpty)
        frames = try exchange(bench, HTTP2Client.data(3, [], ends: true), HTTP2Client.data(1, [0x65], ends: true))
        #expect(source.bodies == [1: [UInt8]("one".utf8), 3: [UInt8]("three".utf8)])
        #expect(source.requests.map(\.streamID) == [3, 1])
        #expect(source.bodyLengths == [5, 3])
        let flags = HTTP2Frame.endHeaders | HTTP2Frame.endStream
        #expect(
            frames == [
                HTTP2Frame(kind: .headers, flags: flags, stream: 3, payload: [0x89]),
                HTTP2Frame(kind: .headers, flags: flags, stream: 1, payload: [0x89]),
            ])
    }

    @Test func trailersEndARequest() throws {
        let source = AnswerRecorder { _ in Answer(status: 204) }
        let bench = try opened(source)
        let trailers = HTTP2Frame(
            kind: .headers, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1,
            payload: [0x00] + HTTP2Client.text("x-sum") + HTTP2Client.text("1"))
        let frames = try exchange(
            bench, HTTP2Client.headers(1, method: [0x83], ends: false), HTTP2Client.data(1, [1]), trailers)
        #expect(frames.map(\.payload) == [[0x89]])
        #expect(source.requests.map(\.headers) == [[]])
        #expect(source.bodyLengths == [1])
    }

    @Test func tellsAWaitingClientToGoOn() throws {
        let bench = try opened(AnswerRecorder { _ in Answer(status: 204) })
        var frames = try exchange(
            bench, HTTP2Client.headers(1, method: [0x83], more: [("expect", "100-Continue")], ends: false))
        // :status 100 is a literal with the name at index 8; "100" in Huffman code is 00001 00000 00000.
        #expect(
            frames == [
                HTTP2Frame(
                    kind: .headers, flags: HTTP2Frame.endHeaders, stream: 1, payload: [0x48, 0x82, 0x08, 0x01])
            ])
        frames = try exchange(bench, HTTP2Client.data(1, [1], ends: true))
        #expect(frames.map(\.payload) == [[0x89]])
    }

    @Test func connectHasAnAuthorityForATarget() throws {
        let source = AnswerRecorder { _ in Answer(status: 204) }
        let bench = try opened(source)
        let block = [0x02] + HTTP2Client.text("CONNECT") + [0x01] + HTTP2Client.text("h.test:443")
        let connect = HTTP2Frame(kind: .headers, flags: HTTP2Frame.endHeaders, stream: 1, payload: block)
        // It is answered at once: the client sends nothing more before that.
        #expect(try exchange(bench, connect).map(\.payload) == [[0x89]])
        #expect(try exchange(bench, HTTP2Client.data(1, [], ends: true)).isEmpty)
        #expect(source.requests.map(\.target) == ["h.test:443"])
        #expect(source.requests.map(\.authority) == ["h.test:443"])
    }

    @Test func sendsNoMoreThanTheWindowsAllow() throws {
        let bench = try opened(AnswerRecorder { _ in Answer(status: 200, body: .pattern(length: 100_000)) })
        var frames = try exchange(bench, HTTP2Client.headers(1))
        #expect(frames.first?.kind == .headers)
        var data = frames.dropFirst()
        #expect(data.map(\.payload.count) == [16_384, 16_384, 16_384, 16_383])
        #expect(!bench.session.hasOutput)
        #expect(bench.session.acceptsInput)

        frames = try exchange(bench, HTTP2Client.window(1, 1000))
        #expect(frames.isEmpty)
        frames = try exchange(bench, HTTP2Client.window(0, 1_000_000))
        #expect(frames.map(\.payload.count) == [1000])
        data += frames
        frames = try exchange(bench, HTTP2Client.window(1, 1_000_000))
        #expect(frames.map(\.payload.count) == [16_384, 16_384, 697])
        #expect(frames.map(\.flags) == [0, 0, HTTP2Frame.endStream])
        data += frames

        var pattern = [UInt8](repeating: 0, count: 100_000)
        pattern.withUnsafeMutableBytes { BodyPattern.fill(into: $0, offset: 0) }
        let isAsExpected = data.flatMap(\.payload) == pattern
        #expect(isAsExpected)
    }

    @Test func producesOneFrameMoreThanTheLimitAtMost() throws {
        let bench = try opened(AnswerRecorder { _ in Answer(status: 200, body: .pattern(length: 1 << 40)) })
        bench.input.append(
            HTTP2Client.window(0, 1 << 30).bytes + HTTP2Client.headers(1).bytes
                + HTTP2Client.window(1, 1 << 30).bytes)
        try bench.session.receive(from: bench.input)
        for _ in 0..<3 {
            bench.session.produce(into: bench.output, limit: 40_000)
            #expect((40_000..<40_000 + 16_393).contains(bench.output.count))
            #expect(bench.session.hasOutput)
            _ = bench.output.takeAll()
        }
    }

    @Test func streamsShareTheConnection() throws {
        let bench = try opened(
            AnswerRecorder { Answer(status: 200, body: .pattern(length: $0.streamID == 1 ? 1 << 40 : 10)) })
        bench.input.append(
            HTTP2Client.window(0, 1 << 30).bytes + HTTP2Client.headers(1).bytes
                + HTTP2Client.window(1, 1 << 30).bytes)
        try bench.session.receive(from: bench.input)
        bench.session.produce(into: bench.output, limit: 100_000)
        _ = bench.output.takeAll()
        // A small answer does not wait for the end of a large one.
        bench.input.append(HTTP2Client.headers(3).bytes)
        try bench.session.receive(from: bench.input)
        bench.session.produce(into: bench.output, limit: 100_000)
        let frames = try #require(HTTP2Frame.parse(bench.output.takeAll()))
        #expect(frames.contains { $0.kind == .data && $0.stream == 3 && $0.payload.count == 10 })
    }

    @Test func letsAnUploadFlow() throws {
        let source = AnswerRecorder { _ in Answer(status: 204) }
        let bench = try opened(source)
        _ = try exchange(bench, HTTP2Client.headers(1, method: [0x83], ends: false))
        let piece = HTTP2Client.data(1, [UInt8](repeating: 7, count: 16_384))
        var stream: UInt32 = 4 << 20
        var connection: UInt32 = 16 << 20
        for _ in 0..<2048 {
            // 32 MiB, more than either window at first: it only gets through if both are opened again.
            try #require(stream >= 16_384 && connection >= 16_384)
            (stream, connection) = (stream - 16_384, connection - 16_384)
            for frame in try exchange(bench, piece) {
                #expect(frame.kind == .windowUpdate)
                let increment = frame.payload.reduce(0) { $0 << 8 | UInt32($1) }
                if frame.stream == 0 { connection += increment } else { stream += increment }
            }
        }
        _ = try exchange(bench, HTTP2Client.data(1, [], ends: true))
        #expect(source.bodyLengths == [32 << 20])
    }

    @Test func aResetEndsAnAnswer() throws {
        let bench = try opened(AnswerRecorder { _ in Answer(status: 200, body: .pattern(length: 1 << 40)) })
        bench.input.append(
            HTTP2Client.window(0, 1 << 30).bytes + HTTP2Client.headers(1).bytes
                + HTTP2Client.window(1, 1 << 30).bytes)
        try bench.session.receive(from: bench.input)
        bench.session.produce(into: bench.output, limit: 40_000)
        bench.input.append(HTTP2Frame(kind: .reset, stream: 1, payload: [0, 0, 0, 8]).bytes)
        _ = bench.output.takeAll()
        #expect(try bench.exchange([]).isEmpty)
        #expect(!bench.session.wantsToClose)
    }

    @Test func closesAfterThePeersGoodbyeWhenAllIsAnswered() throws {
        let bench = try opened(AnswerRecorder { _ in Answer(status: 204) })
        let goodbye = HTTP2Frame(kind: .goAway, payload: [0, 0, 0, 0, 0, 0, 0, 0])
        var frames = try exchange(bench, HTTP2Client.headers(1, method: [0x83], ends: false), goodbye)
        #expect(frames.isEmpty)
        #expect(!bench.session.wantsToClose)
        frames = try exchange(bench, HTTP2Client.data(1, [], ends: true))
        #expect(frames.map(\.payload) == [[0x89]])
        #expect(bench.session.wantsToClose)
        #expect(bench.session.fault == nil)
    }

    @Test func takesFramesOctetByOctet() throws {
        let source = AnswerRecorder { _ in Answer(status: 204) }
        let bench = AnswerBench(.http2, source)
        var output: [UInt8] = []
        let input =
            HTTP2Client.preface + HTTP2Client.headers(1, method: [0x83], ends: false).bytes
            + HTTP2Client.data(1, [1, 2, 3], ends: true).bytes
        for octet in input { output += try bench.exchange([octet]) }
        let frames = try #require(HTTP2Frame.parse(output))
        #expect(frames.last?.payload == [0x89])
        #expect(source.bodies == [1: [1, 2, 3]])
    }
}
