/// HTTP/2 for `AnswerSession`: what each stream has asked for and what it is still owed.
final class HTTP2Answering: Answering {
    /// How far a request has come.
    enum Stream {
        /// Its head is here, and `length` octets of its body were shown.
        case asking(HTTPRequest, length: UInt64)
        /// It is answered; the body goes out as the peer's windows allow.
        case answered(BodyCursor)
    }

    /// The frames that may wait to be sent before nothing more is read.
    ///
    /// What a peer makes us queue (acknowledgements, resets, heads) is small, but it is the peer who says how often:
    /// one that does not read is not read either.
    private static let queueLimit = 256
    /// What is fed in one go, so that the queue is looked at often enough.
    private static let slice = 16_384

    private let source: any AnswerSource
    private let session = HTTP2Session()
    /// The head that is being read.
    private var head = HTTP2RequestHead()
    /// The requests that are open; nghttp2 admits `HTTP2Session.maximumStreams` of them.
    private(set) var streams: [Int32: Stream] = [:]
    private var isBroken = false
    private(set) var fault: WireError?

    init(source: any AnswerSource) {
        self.source = source
        session.events = self
    }

    var hasOutput: Bool { session.wantsToSend }

    var acceptsInput: Bool { isBroken || session.queuedFrames < Self.queueLimit }

    var wantsToClose: Bool { !session.wantsToSend && (isBroken || !session.wantsToReceive) }

    func receive(from plain: ByteQueue) {
        while !plain.isEmpty, !isBroken, acceptsInput {
            let count = min(plain.count, Self.slice)
            isBroken = !plain.withBytes { session.receive(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
            plain.consume(count)
        }
        if isBroken { plain.consume(plain.count) }
    }

    func produce(into plain: ByteQueue, limit: Int) {
        while plain.count < limit, session.send({ plain.append($0) }) {}
    }

    /// Queues `answer` to a request of `method`; the session asks for the body later.
    private func respond(_ answer: Answer, toMethod method: String, on stream: Int32) {
        let message = AnswerMessage(answer, toMethod: method)
        streams[stream] = .answered(BodyCursor(message.body))
        session.respond(message, on: stream)
    }
}

extension HTTP2Answering: HTTP2SessionEvents {
    func headBegan() {
        head = HTTP2RequestHead()
    }

    func headField(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        head.add(name: name, value: value)
    }

    func headEnded(on stream: Int32, requestEnded: Bool) {
        let request = head.request(on: stream)
        if head.isTooLarge {
            let refusal = Answer.refusal(status: 431, of: .unsupported("a request head over 64 KiB"))
            respond(refusal, toMethod: request.method, on: stream)
        } else {
            streams[stream] = .asking(request, length: 0)
            // A CONNECT has no end: its client waits for the answer first (RFC 9113 section 8.5).
            if request.method == "CONNECT" {
                self.requestEnded(on: stream)
            } else if !requestEnded, request.headers.list("expect", contains: "100-continue") {
                session.sendContinue(on: stream)
            }
        }
        head = HTTP2RequestHead()
    }

    func bodyArrived(_ bytes: UnsafeRawBufferPointer, on stream: Int32) {
        guard case .asking(let request, let length) = streams[stream] else { return }
        streams[stream] = .asking(request, length: length &+ UInt64(bytes.count))
        source.received(bytes, of: request)
    }

    func requestEnded(on stream: Int32) {
        guard case .asking(let request, let length) = streams[stream] else { return }
        respond(source.answer(request, bodyLength: length), toMethod: request.method, on: stream)
    }

    func fillBody(_ room: UnsafeMutableRawBufferPointer, on stream: Int32) -> (count: Int, isAtEnd: Bool)? {
        guard case .answered(var body) = streams[stream] else { return nil }
        let count = body.fill(room)
        streams[stream] = .answered(body)
        return (count, body.isAtEnd)
    }

    func streamClosed(_ stream: Int32) {
        streams[stream] = nil
    }

    func connectionFailed(_ fault: WireError) {
        self.fault = self.fault ?? fault
    }
}
