internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

/// Fetching one small file over HTTP in clear text, without following redirects.
///
/// What comes is checked by signature, so nobody has to be trusted for it; the proxy's own listeners are out of reach, and
/// addresses of `--resolve` count, as for every connection of the proxy.
///
/// **Thread:** confined to its worker's loop.
final class IssuerFetch {
    /// Why nothing came, in a few words.
    struct Failed: Error {
        let reason: String
    }

    private let location: HTTPLocation
    private let worker: Worker
    private let completion: (Result<[UInt8], Failed>) -> Void
    private var timer: LoopTimer?
    private var pending: PendingConnect?
    private var stream: SocketStream?
    private let outbound = ByteQueue()
    private var received: [UInt8] = []
    private var isOver = false

    /// Prepares to fetch a file.
    init(_ location: HTTPLocation, worker: Worker, completion: @escaping (Result<[UInt8], Failed>) -> Void) {
        self.location = location
        self.worker = worker
        self.completion = completion
    }

    /// Begins; the completion comes within the limit.
    func start(limit: Duration) {
        timer = worker.loop.timer(after: limit) { [unowned self] in end("it did not come in time") }
        // An origin that nobody has verified yet says where to: rules are for such connections too.
        guard worker.configuration.rules.decide(location.endpoint).decision != .refuse else {
            timer = worker.loop.timer(after: .zero) { [unowned self] in end("a rule refuses \(location.endpoint)") }
            return
        }
        let connecting = PendingConnect(location.endpoint, worker: worker) { [unowned self] in
            pending = nil
            switch $0 {
            case .success(let stream): ask(stream)
            case .failure(let failure): end(failure.reason.brief)
            }
        }
        pending = connecting
        connecting.start()
    }

    /// Gives up; the completion is not called any more.
    func cancel() {
        isOver = true
        timer?.cancel()
        pending?.cancel()
        stream?.close()
    }

    private func ask(_ stream: SocketStream) {
        self.stream = stream
        // HTTP/1.0: the answer comes in one piece and ends with the connection.
        let host = location.endpoint.port == 80 ? "\(location.endpoint.host)" : "\(location.endpoint)"
        outbound.append(Array("GET \(location.target) HTTP/1.0\r\nHost: \(host)\r\n\r\n".utf8))
        stream.onReadable = { [unowned self] in read(stream) }
        stream.onWritable = { [unowned self] in write(stream) }
        stream.wantsReadable = true
        write(stream)
    }

    private func write(_ stream: SocketStream) {
        switch stream.write(from: outbound) {
        case .drained: stream.wantsWritable = false
        case .wouldBlock: stream.wantsWritable = true
        case .failed: end("the connection broke")
        }
    }

    private func read(_ stream: SocketStream) {
        let queue = ByteQueue()
        switch stream.read(into: queue, upTo: Self.chunk) {
        case .bytes:
            received += queue.takeAll()
            examine(isComplete: false)
        case .wouldBlock: break
        case .end: examine(isComplete: true)
        case .failed: end("the connection broke")
        }
    }

    /// Looks whether everything is there, or nothing good can come any more.
    private func examine(isComplete: Bool) {
        switch HTTPResponseHead.parse(received, limit: Self.headLimit) {
        case .incomplete: if isComplete { end("the answer broke off") }
        case .malformed, .tooLarge: end("the answer is not HTTP")
        case .complete(let head, let length):
            guard head.status == 200 else { return end("the answer is \(head.status)") }
            let announced = head.headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
            let body = received.count - length
            guard max(body, announced ?? 0) <= Self.fileLimit else { return end("it is larger than 64 KiB") }
            if let announced, announced >= 0, body >= announced {
                return finish(.success(Array(received[length..<(length + announced)])))
            }
            guard isComplete else { return }
            if announced == nil { finish(.success(Array(received[length...]))) } else { end("the answer broke off") }
        }
    }

    private func end(_ reason: String) { finish(.failure(Failed(reason: reason))) }

    private func finish(_ result: Result<[UInt8], Failed>) {
        guard !isOver else { return }
        cancel()
        completion(result)
    }

    private static let chunk = 16 * 1024
    private static let headLimit = 16 * 1024
    private static let fileLimit = 64 * 1024
}

extension ConnectFailure {
    /// The reason in a few words.
    fileprivate var brief: String {
        switch self {
        case .notResolved(let reason): "the name has no address: \(reason)"
        case .failed(let reason), .exhausted(let reason): reason
        case .timedOut: "no connection in time"
        case .ownListener: "it is this proxy itself"
        }
    }
}
