import Reactor
import Wire

/// An HTTP proxy with the conduct that a test asks for, on the test's loop.
final class TestProxy: Sendable {
    /// What to do with a client's CONNECT.
    enum Conduct: Sendable {
        /// Lead it to this address, after this answer.
        case tunnel(to: SocketAddress, answer: String = "HTTP/1.1 200 Connection established\r\n\r\n")
        /// Answer with these bytes and close.
        case answer([UInt8])
        /// Never answer.
        case silence
    }

    let address: SocketAddress
    private let heads: AsyncStream<String>
    private let listener: LoopBound<Listener>

    private init(address: SocketAddress, heads: AsyncStream<String>, listener: LoopBound<Listener>) {
        self.address = address
        self.heads = heads
        self.listener = listener
    }

    static func start(on test: TestLoop, _ conduct: Conduct) async throws -> TestProxy {
        let (heads, continuation) = AsyncStream.makeStream(of: String.self)
        let loop = test.loop
        let proxy = try await onLoop(loop) {
            let connections = ConnectionList<ProxiedConnection>()
            let listener = try Listener(loop: loop, address: .anyLoopbackPort, reusePort: false) { socket, _ in
                let client = SocketStream(loop: loop, socket: socket)
                let connection = ProxiedConnection(loop: loop, client: client, conduct: conduct)
                connections.add(connection)
                connection.start {
                    continuation.yield($0)
                } onEnd: {
                    connections.remove(connection)
                }
            }
            return TestProxy(address: listener.localAddress, heads: heads, listener: LoopBound(listener, loop: loop))
        }
        test.keep(proxy)
        return proxy
    }

    /// The head of the next request.
    func nextHead() async -> String? {
        for await head in heads { return head }
        return nil
    }
}

/// One client of a `TestProxy`.
private final class ProxiedConnection {
    private let loop: EventLoop
    private let client: SocketStream
    private let conduct: TestProxy.Conduct
    private var origin: SocketStream?
    private var attempt: ConnectAttempt?
    private let head = ByteQueue()
    private let toClient = ByteQueue()
    private let toOrigin = ByteQueue()
    private var onHead: ((String) -> Void)?
    private var onEnd: (() -> Void)?

    init(loop: EventLoop, client: SocketStream, conduct: TestProxy.Conduct) {
        self.loop = loop
        self.client = client
        self.conduct = conduct
    }

    func start(_ onHead: @escaping (String) -> Void, onEnd: @escaping () -> Void) {
        self.onHead = onHead
        self.onEnd = onEnd
        client.onReadable = { [unowned self] in readHead() }
        client.wantsReadable = true
    }

    private func readHead() {
        guard case .bytes = client.read(into: head, upTo: 4096) else { return end() }
        let text = head.withBytes { String(decoding: $0, as: UTF8.self) }
        guard text.hasSuffix("\r\n\r\n") else { return }
        onHead?(text)
        client.wantsReadable = false
        switch conduct {
        case .tunnel(let address, let answer):
            toClient.append(Array(answer.utf8))
            attempt = SocketStream.connect(loop: loop, to: address, timeout: .seconds(10)) { [unowned self] made in
                guard case .success(let stream) = made else { return end() }
                relay(with: stream)
            }
        case .answer(let bytes):
            toClient.append(bytes)
            _ = client.write(from: toClient)
            client.finishWriting()
            watchForTheEnd()
        case .silence:
            watchForTheEnd()
        }
    }

    private func watchForTheEnd() {
        client.onReadable = { [unowned self] in
            let scratch = ByteQueue()
            guard case .bytes = client.read(into: scratch, upTo: 4096) else { return end() }
        }
        client.wantsReadable = true
    }

    private func relay(with origin: SocketStream) {
        self.origin = origin
        _ = client.write(from: toClient)
        client.onReadable = { [unowned self] in pass(from: client, through: toOrigin, to: origin) }
        origin.onReadable = { [unowned self] in pass(from: origin, through: toClient, to: client) }
        (client.wantsReadable, origin.wantsReadable) = (true, true)
    }

    private var ended = 0

    /// Tests send so little that the kernel takes it at once.
    private func pass(from source: SocketStream, through queue: ByteQueue, to target: SocketStream) {
        switch source.read(into: queue, upTo: 65_536) {
        case .bytes: _ = target.write(from: queue)
        case .wouldBlock: break
        case .end, .failed:
            target.finishWriting()
            ended += 1
            if ended == 2 { end() }
        }
    }

    private func end() {
        client.close()
        origin?.close()
        let onEnd = self.onEnd
        self.onEnd = nil
        onEnd?()
    }
}
