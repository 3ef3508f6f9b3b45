internal import TestSupport
internal import Wire

extension FuzzTarget {
    /// `AnswerSession` with HTTP/1.
    static let answerHTTP1 = FuzzTarget("answer-http1") { stream throws(BrokenProperty) in
        // An incomplete head is judged now and then only: with its end behind it, it is judged in any case.
        let stream = stream + [UInt8]("\r\n\r\n".utf8)
        var whole = AnswerRun(.http1)
        try whole.play([stream]) { 1 << 20 }
        var inPieces = AnswerRun(.http1)
        var generator = stream.generator
        try inPieces.play(stream.pieces) { Int.random(in: 1...20_000, using: &generator) }
        try require(inPieces.source.requests == whole.source.requests, "the pieces make no difference to the requests")
        try require(inPieces.source.bodies == whole.source.bodies, "the pieces make no difference to the bodies")
        try require(
            (inPieces.session.fault == nil) == (whole.session.fault == nil), "the pieces make no difference to faults")
        if whole.session.fault == nil {
            try require(inPieces.produced == whole.produced, "the pieces make no difference to the answers")
        }
        try checkResponses(whole.produced)

        let deaf = AnswerRun(.http1)
        try deaf.push(stream)
        try require(deaf.source.requests.count <= 1, "who does not read is not answered a second time")
    }

    /// `AnswerSession` with HTTP/2.
    static let answerHTTP2 = FuzzTarget("answer-http2") { stream throws(BrokenProperty) in
        var whole = AnswerRun(.http2)
        try whole.play([stream]) { 1 << 20 }
        try checkFrames(whole.produced)
        var inPieces = AnswerRun(.http2)
        var generator = stream.generator
        try inPieces.play(stream.pieces) { Int.random(in: 1...20_000, using: &generator) }
        try checkFrames(inPieces.produced)
        // With more streams than may be open at once it matters which were answered in between.
        if whole.session.fault == nil, inPieces.session.fault == nil, whole.source.requests.count < 100 {
            try require(
                inPieces.source.requests == whole.source.requests, "the pieces make no difference to the requests")
        }

        let deaf = AnswerRun(.http2)
        for _ in 0..<8 { try deaf.push(stream) }
    }

    /// What is produced begins with a response (RFC 9112 section 4), if there is anything.
    private static func checkResponses(_ produced: [UInt8]) throws(BrokenProperty) {
        guard !produced.isEmpty else { return }
        guard case .complete(let head, _) = HTTPResponseHead.parse(produced) else {
            throw BrokenProperty(description: "what is answered is not an HTTP response")
        }
        try require(head.minorVersion == 1, "answers are in HTTP/1.1")
    }

    /// What is produced are whole frames (RFC 9113 section 4.1), none longer than every peer takes.
    private static func checkFrames(_ produced: [UInt8]) throws(BrokenProperty) {
        var rest = produced[...]
        while !rest.isEmpty {
            let header = [UInt8](rest.prefix(9))
            try require(header.count == 9, "a frame has a header")
            let length = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
            try require(length <= 16_384, "a frame is not too long")
            rest = rest.dropFirst(9)
            try require(rest.count >= length, "a frame is whole")
            rest = rest.dropFirst(length)
        }
    }
}

/// A session, the queues on both sides of it, and what came of it.
private struct AnswerRun {
    let session: AnswerSession
    let source = CannedAnswers()
    private(set) var produced: [UInt8] = []
    private let version: AnswerSession.Version
    private let input = ByteQueue()
    private let output = ByteQueue()

    init(_ version: AnswerSession.Version) {
        self.version = version
        session = AnswerSession(version: version, source: source)
    }

    /// Goes round the owner's loop with each piece, then until nothing moves any more.
    mutating func play(_ pieces: [[UInt8]], _ limit: () -> Int) throws(BrokenProperty) {
        var thrown = 0
        var fed = 0
        for piece in pieces {
            input.append(piece)
            fed += piece.count
            _ = try turn(limit(), &thrown)
        }
        while try turn(limit(), &thrown) {}
        try require(thrown <= 1, "a fault is thrown once")
        try require(thrown == 0 || session.fault != nil, "a fault that was thrown stays")
        try require(session.fault == nil || session.wantsToClose, "a broken connection is closed")
        try require(source.bodyCount <= fed, "bodies are part of the stream")
        try require(
            produced.count <= (source.requests.count + 1) * (CannedAnswers.largest + 1_024) + fed * 128 + 1_024,
            "what is produced is in proportion to what was asked")
    }

    /// Delivers bytes and never takes any.
    func push(_ bytes: [UInt8]) throws(BrokenProperty) {
        input.append(bytes)
        var thrown = 0
        while !input.isEmpty, session.acceptsInput { try receive(&thrown) }
        try require(thrown <= 1, "a fault is thrown once")
    }

    /// One round: receive, then produce.
    ///
    /// - Returns: Whether there is more to do.
    private mutating func turn(_ limit: Int, _ thrown: inout Int) throws(BrokenProperty) -> Bool {
        let waiting = input.count
        if !input.isEmpty { try receive(&thrown) }
        session.produce(into: output, limit: limit)
        try require(output.count <= limit + (version == .http1 ? 0 : 16_393), "the limit is kept")
        let isProgress = !output.isEmpty || input.count < waiting
        produced += output.takeAll()
        let hasWork = session.hasOutput || !input.isEmpty && session.acceptsInput
        try require(isProgress || !hasWork, "a session that has work does it")
        return hasWork
    }

    private func receive(_ thrown: inout Int) throws(BrokenProperty) {
        let waiting = input.count
        let accepts = session.acceptsInput
        do throws(WireError) { try session.receive(from: input) } catch { thrown += 1 }
        try require(accepts == (input.count < waiting), "a session takes bytes when it says so, and only then")
    }
}

/// A source whose answers are of every kind; the last octet of the target chooses.
private final class CannedAnswers: AnswerSource {
    /// The length of the longest body.
    static let largest = 70_000

    private(set) var requests: [HTTPRequest] = []
    private(set) var bodies: [Int32: [UInt8]] = [:]
    private(set) var bodyCount = 0

    func received(_ bytes: UnsafeRawBufferPointer, of request: HTTPRequest) {
        bodies[request.streamID, default: []] += bytes
        bodyCount += bytes.count
    }

    func answer(_ request: HTTPRequest, bodyLength: UInt64) -> Answer {
        requests.append(request)
        return switch request.target.utf8.last {
        case UInt8(ascii: "0"): Answer(status: 204)
        case UInt8(ascii: "2"): Answer(status: 200, body: .pattern(length: 3_000))
        case UInt8(ascii: "3"): Answer(status: 200, body: .pattern(length: UInt64(Self.largest)))
        case UInt8(ascii: "4"): .json(status: 404, #"{"length":\#(bodyLength)}"#)
        default: .page(status: 200, title: "A page", text: [])
        }
    }
}
