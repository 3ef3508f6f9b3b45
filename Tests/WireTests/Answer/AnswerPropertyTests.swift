import TestSupport
import Testing
import Wire

/// What must hold whatever a peer sends, and however it is cut into pieces.
@Suite struct AnswerPropertyTests {
    /// A client's stream with a little of everything in it.
    static let http1: [UInt8] = [UInt8](
        ("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n"
            + "POST /2 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nbody\r\n0\r\nA: b\r\n\r\n"
            + "PUT /3 HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\nlength"
            + "HEAD /4 HTTP/1.1\nHost: h\n\n\r\nGET http://h/5 HTTP/1.0\r\nConnection: close\r\n\r\n").utf8)

    static let http2: [UInt8] =
        HTTP2Client.preface + HTTP2Client.headers(1, path: "/1", more: [("a", "b")]).bytes
        + HTTP2Client.headers(3, method: [0x83], path: "/2", ends: false).bytes
        + HTTP2Frame(kind: .ping, payload: [1, 2, 3, 4, 5, 6, 7, 8]).bytes
        + HTTP2Client.data(3, [UInt8]("body".utf8)).bytes + HTTP2Client.window(0, 100_000).bytes
        + HTTP2Frame(kind: .priority, stream: 5, payload: [0, 0, 0, 3, 200]).bytes
        + HTTP2Client.data(3, [], ends: true).bytes
        + HTTP2Client.headers(7, method: [0x02, 0x04] + [UInt8]("HEAD".utf8), path: "/3").bytes
        + HTTP2Frame(kind: .settings, payload: [0, 4, 0, 1, 0, 0]).bytes
        + HTTP2Frame(kind: .reset, stream: 3, payload: [0, 0, 0, 8]).bytes
        + HTTP2Frame(kind: .goAway, payload: [0, 0, 0, 0, 0, 0, 0, 0]).bytes

    /// Answers of every kind, none of them large.
    private func source() -> AnswerRecorder {
        AnswerRecorder { request in
            switch (request.target.utf8.last ?? 0) % 3 {
            case 0: Answer(status: 204)
            case 1: .page(status: 404, title: request.target, text: request.headers.map(\.value))
            default: Answer(status: 200, body: .pattern(length: 3000))
            }
        }
    }

    /// Plays an owner that gets `bytes` in random pieces, has random room, and sometimes does not write.
    ///
    /// - Returns: What the session produced.
    private func play(
        _ bytes: [UInt8], _ version: AnswerSession.Version, _ source: AnswerRecorder,
        _ generator: inout SeededGenerator
    ) -> (output: [UInt8], session: AnswerSession) {
        let bench = AnswerBench(version, source)
        var rest = bytes[...]
        var produced: [UInt8] = []
        var thrown = 0
        while !rest.isEmpty || !bench.input.isEmpty || bench.session.hasOutput {
            let piece = rest.prefix(Int.random(in: 1...64, using: &generator))
            bench.input.append(Array(piece))
            rest = rest.dropFirst(piece.count)
            do { try bench.session.receive(from: bench.input) } catch { thrown += 1 }
            guard rest.isEmpty || Bool.random(using: &generator) else { continue }
            let limit = Int.random(in: 1...500, using: &generator)
            bench.session.produce(into: bench.output, limit: limit)
            #expect(bench.output.count < limit + (version == .http1 ? 1 : 16_393))
            produced += bench.output.takeAll()
        }
        #expect(thrown <= 1)
        if bench.session.fault != nil { #expect(bench.session.wantsToClose) }
        return (produced, bench.session)
    }

    @Test(arguments: 0..<100)
    func piecesDoNotMatterToHTTP1(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let whole = source()
        let expected = try AnswerBench(.http1, whole).exchange(Self.http1)
        let pieces = source()
        let (output, session) = play(Self.http1, .http1, pieces, &generator)
        #expect(whole.requests.map(\.target) == ["/1", "/2", "/3", "/4", "/5"])
        #expect(pieces.requests == whole.requests)
        #expect(pieces.bodies == [0: [UInt8]("bodylength".utf8)])
        let isEqual = output == expected
        #expect(isEqual)
        #expect(session.wantsToClose)
    }

    @Test(arguments: 0..<100)
    func piecesDoNotMatterToHTTP2(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let source = source()
        let (output, session) = play(Self.http2, .http2, source, &generator)
        #expect(source.requests.map(\.target) == ["/1", "/2", "/3"])
        #expect(source.bodies == [3: [UInt8]("body".utf8)])
        #expect(HTTP2Frame.parse(output) != nil)
        #expect(session.fault == nil)
        #expect(session.wantsToClose)
    }

    @Test(arguments: 0..<300)
    func damageIsSurvived(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for (version, original) in [(AnswerSession.Version.http1, Self.http1), (.http2, Self.http2)] {
            _ = play(generator.mutated(original), version, source(), &generator)
        }
    }

    @Test(arguments: 0..<50)
    func noiseIsRefused(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let noise = (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let source = source()
        for version in [AnswerSession.Version.http1, .http2] {
            let (_, session) = play(noise, version, source, &generator)
            #expect(session.fault != nil)
        }
        // Behind a good preface, noise meets the frame parser.
        let (_, session) = play(HTTP2Client.preface + noise, .http2, source, &generator)
        #expect(session.fault != nil)
        #expect(source.requests.isEmpty)
    }
}
