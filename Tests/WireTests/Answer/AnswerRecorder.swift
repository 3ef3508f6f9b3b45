import Wire

/// A source that notes what it was shown, and answers as it was told.
final class AnswerRecorder: AnswerSource {
    private(set) var requests: [HTTPRequest] = []
    private(set) var bodyLengths: [UInt64] = []
    /// What arrived of the bodies, by stream; HTTP/1 is stream 0, whose bodies follow each other.
    private(set) var bodies: [Int32: [UInt8]] = [:]
    private let answers: (HTTPRequest) -> Answer

    init(_ answers: @escaping (HTTPRequest) -> Answer = { .init(status: 200, body: .bytes([UInt8]($0.target.utf8))) }) {
        self.answers = answers
    }

    func received(_ bytes: UnsafeRawBufferPointer, of request: HTTPRequest) {
        bodies[request.streamID, default: []] += bytes
    }

    func answer(_ request: HTTPRequest, bodyLength: UInt64) -> Answer {
        requests.append(request)
        bodyLengths.append(bodyLength)
        return answers(request)
    }
}

/// A session with the queues on both sides of it.
struct AnswerBench {
    let session: AnswerSession
    let input = ByteQueue()
    let output = ByteQueue()

    init(_ version: AnswerSession.Version, _ source: AnswerRecorder) {
        session = AnswerSession(version: version, source: source)
    }

    /// Delivers bytes and goes round the owner's loop until nothing moves any more.
    ///
    /// - Returns: What the session produced.
    func exchange(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [UInt8] {
        input.append(bytes)
        var produced: [UInt8] = []
        repeat {
            try session.receive(from: input)
            repeat {
                session.produce(into: output, limit: limit)
                produced += output.takeAll()
            } while session.hasOutput
        } while !input.isEmpty && session.acceptsInput
        return produced
    }

    /// The same for text.
    func exchange(_ text: String) throws -> String {
        String(decoding: try exchange([UInt8](text.utf8)), as: UTF8.self)
    }

    /// Delivers bytes that break the protocol, and goes round the owner's loop until nothing moves any more.
    ///
    /// - Returns: What was thrown for them, if anything was, and what the peer is told.
    func provoke(_ bytes: [UInt8]) -> (fault: WireError?, output: [UInt8]) {
        input.append(bytes)
        var fault: WireError?
        var produced: [UInt8] = []
        repeat {
            do throws(WireError) { try session.receive(from: input) } catch { fault = error }
            session.produce(into: output, limit: 1 << 20)
            produced += output.takeAll()
        } while !input.isEmpty && session.acceptsInput
        return (fault, produced)
    }
}
