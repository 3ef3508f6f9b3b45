/// HTTP/1 for `AnswerSession`: one exchange after the other, in order.
final class HTTP1Answering: Answering {
    private enum State {
        /// A head is awaited or has begun.
        case head
        /// The head is here, the body is not.
        case body(HTTP1Exchange)
        /// The answer is written; nothing is read until it is out.
        case answering(keepsConnection: Bool)
        /// The last answer is out; what still comes is dropped.
        case closed
    }

    /// What is taken of pipelined requests while an answer goes out.
    private static let backlogLimit = 65_536
    /// What is written of a body in one go.
    private static let piece = 65_536

    private let source: any AnswerSource
    private var state = State.head
    private var head = HTTP1HeadReader<HTTPRequestHead>()
    /// Heads and interim responses that wait to go out, before `body`.
    private let output = ByteQueue()
    private var body = BodyCursor(.empty)
    /// Input that came while an answer goes out; empty in every other state.
    private let backlog = ByteQueue()
    private(set) var fault: WireError?

    init(source: any AnswerSource) {
        self.source = source
    }

    var hasOutput: Bool { !output.isEmpty || !body.isAtEnd }

    var acceptsInput: Bool { backlog.count < Self.backlogLimit }

    var wantsToClose: Bool {
        if case .closed = state { true } else { false }
    }

    // MARK: Reading

    func receive(from plain: ByteQueue) {
        read(plain)
        plain.move(to: backlog, upTo: Self.backlogLimit - backlog.count)
    }

    /// Reads requests until one is complete and must be answered first.
    private func read(_ queue: ByteQueue) {
        while !queue.isEmpty {
            let taken = queue.withBytes { bytes in
                do throws(HTTP1Refusal) {
                    return try read(bytes)
                } catch {
                    refuse(error)
                    return 0
                }
            }
            guard taken > 0 else { return }
            queue.consume(taken)
        }
    }

    /// Reads what belongs to the present state.
    ///
    /// - Returns: How much it took; 0 while an answer goes out.
    private func read(_ bytes: UnsafeRawBufferPointer) throws(HTTP1Refusal) -> Int {
        switch state {
        case .head: return try readHead(bytes)
        case .body(var exchange):
            let (taken, content) = try exchange.body.read(bytes)
            exchange.length &+= UInt64(content.count)
            if !content.isEmpty { source.received(content, of: exchange.request) }
            proceed(with: exchange)
            return taken
        case .answering: return 0
        case .closed: return bytes.count
        }
    }

    private func readHead(_ bytes: UnsafeRawBufferPointer) throws(HTTP1Refusal) -> Int {
        let (taken, progress) = head.read(bytes)
        switch progress {
        case .incomplete: return taken
        case .malformed(let reason): throw .badRequest("request head: \(reason)")
        case .tooLarge: throw HTTP1Refusal(status: 431, fault: .unsupported("a request head over 64 KiB"))
        case .complete(let complete, _):
            head = HTTP1HeadReader<HTTPRequestHead>()
            let exchange = try HTTP1Exchange(complete)
            if exchange.expectsContinue { output.append([UInt8]("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
            proceed(with: exchange)
            return taken
        }
    }

    /// Waits for more of the body, or answers if it is complete.
    private func proceed(with exchange: HTTP1Exchange) {
        guard exchange.body.isComplete else {
            state = .body(exchange)
            return
        }
        let answer = source.answer(exchange.request, bodyLength: exchange.length)
        write(answer, toMethod: exchange.request.method, keepsConnection: exchange.keepsConnection)
    }

    /// Tells the peer what is wrong with its request; what follows it cannot be understood.
    private func refuse(_ refusal: HTTP1Refusal) {
        fault = refusal.fault
        write(.refusal(status: refusal.status, of: refusal.fault), toMethod: "", keepsConnection: false)
    }

    // MARK: Writing

    private func write(_ answer: Answer, toMethod method: String, keepsConnection: Bool) {
        let message = AnswerMessage(answer, toMethod: method)
        output.append(HTTP1ResponseWriter.head(of: message, keepsConnection: keepsConnection))
        body = BodyCursor(message.body)
        state = .answering(keepsConnection: keepsConnection)
    }

    func produce(into plain: ByteQueue, limit: Int) {
        // An answer that is out makes way for the next request even if there is no room left: `hasOutput` must tell.
        while hasOutput || finishAnswer() {
            let room = limit - plain.count
            guard room > 0 else { return }
            if !output.isEmpty {
                output.move(to: plain, upTo: room)
            } else {
                let count = min(room, Self.piece)
                plain.withRoom(count) { body.fill(UnsafeMutableRawBufferPointer(rebasing: $0.prefix(count))) }
            }
        }
    }

    /// Leaves the answer that is out behind and reads on from the backlog.
    ///
    /// - Returns: Whether there is output again.
    private func finishAnswer() -> Bool {
        guard case .answering(let keepsConnection) = state else { return false }
        body = BodyCursor(.empty)
        state = keepsConnection ? .head : .closed
        read(backlog)
        backlog.releaseIfEmpty()
        return hasOutput
    }
}
