import Crypto
import Reactor
import Wire

/// What one connection showed to the server.
struct ServerRecord: Sendable, Equatable {
    /// Application data, decrypted.
    var request: [UInt8] = []
    /// The client's alerts, by number.
    var alerts: [UInt8] = []
    /// Whether the connection was reset instead of closed.
    var isReset = false

    var requestText: String { String(decoding: request, as: UTF8.self) }
}

/// A TLS server with the conduct that a test asks for, on the test's loop.
final class TestServer: Sendable {
    /// What to do with a client.
    enum Conduct: Sendable {
        /// Shake hands, and when a request's head is there send these bytes and close.
        case answer(String)
        /// Shake hands, read the request, say nothing.
        case neverAnswer
        /// Shake hands and close at once.
        case closeAfterHandshake
        /// Send these bytes when the client has sent something, instead of TLS, and close.
        case insteadOfTLS([UInt8])
        /// Shake hands, and send this much noise behind the first flight.
        case flood(Int)
        /// Read, and never send anything.
        case neverShakeHands
        /// Accept and close.
        case closeAtOnce
    }

    static let ok = Conduct.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    let address: SocketAddress
    private let arrivals: AsyncStream<Void>
    private let records: AsyncStream<ServerRecord>
    private let listener: LoopBound<Listener>

    private init(
        address: SocketAddress, arrivals: AsyncStream<Void>, records: AsyncStream<ServerRecord>,
        listener: LoopBound<Listener>
    ) {
        self.address = address
        self.arrivals = arrivals
        self.records = records
        self.listener = listener
    }

    static func start(
        on test: TestLoop, _ identity: TLSIdentity, at address: SocketAddress = .anyLoopbackPort,
        maximumVersion: UInt16? = nil, _ conduct: Conduct = ok
    ) async throws -> TestServer {
        let context = try TLSContext.server(maximumVersion: maximumVersion)
        let (records, continuation) = AsyncStream.makeStream(of: ServerRecord.self)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let loop = test.loop
        let server = try await onLoop(loop) {
            let connections = ConnectionList<ServerConnection>()
            let listener = try Listener(loop: loop, address: address, reusePort: false) { socket, _ in
                let stream = SocketStream(loop: loop, socket: socket)
                guard let session = try? TLSSession.accepting(context, identity: identity, alpn: nil) else { return }
                let connection = ServerConnection(stream: stream, session: session, conduct: conduct)
                connections.add(connection)
                arrived.yield()
                connection.start { record in
                    continuation.yield(record)
                    connections.remove(connection)
                }
            }
            return TestServer(
                address: listener.localAddress, arrivals: arrivals, records: records,
                listener: LoopBound(listener, loop: loop))
        }
        test.keep(server)
        return server
    }

    /// Waits for the next connection.
    func nextArrival() async {
        for await _ in arrivals { return }
    }

    /// The record of the next connection that ended.
    func nextRecord() async -> ServerRecord? {
        for await record in records { return record }
        return nil
    }
}

extension SocketAddress {
    static var anyLoopbackPort: SocketAddress {
        guard let address = SocketAddress(address: "127.0.0.1", port: 0) else { preconditionFailure("loopback") }
        return address
    }
}

extension SocketAddress {
    static var ipv6LoopbackPort: SocketAddress? { SocketAddress(address: "::1", port: 0) }

    /// Whether the machine has IPv6 at all; containers often do not.
    static var hasIPv6Loopback: Bool {
        guard let loop = try? EventLoop(), let address = ipv6LoopbackPort else { return false }
        return (try? Listener(loop: loop, address: address, reusePort: false) { _, _ in }) != nil
    }
}

/// Does something on a loop and waits for it.
func onLoop<Value: Sendable>(
    _ loop: EventLoop, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        loop.execute { continuation.resume(with: Result(catching: body)) }
    }
}

/// Keeps connections alive until they end.
final class ConnectionList<Connection: AnyObject> {
    private var connections: [ObjectIdentifier: Connection] = [:]

    func add(_ connection: Connection) { connections[ObjectIdentifier(connection)] = connection }
    func remove(_ connection: Connection) { connections[ObjectIdentifier(connection)] = nil }
}

/// One client of a `TestServer`.
private final class ServerConnection {
    private let stream: SocketStream
    private let session: TLSSession
    private let conduct: TestServer.Conduct
    private var record = ServerRecord()
    private var hasAnswered = false
    private var isFinishing = false
    private var onEnd: ((ServerRecord) -> Void)?

    init(stream: SocketStream, session: TLSSession, conduct: TestServer.Conduct) {
        self.stream = stream
        self.session = session
        self.conduct = conduct
    }

    func start(_ onEnd: @escaping (ServerRecord) -> Void) {
        self.onEnd = onEnd
        if case .closeAtOnce = conduct { return end() }
        session.onMessage = { [unowned self] message in
            if !message.sent, message.content == .alert, message.bytes.count == 2 {
                record.alerts.append(message.bytes[1])
            }
        }
        stream.onReadable = { [unowned self] in receive() }
        stream.onWritable = { [unowned self] in flush() }
        stream.wantsReadable = true
    }

    private func receive() {
        switch stream.read(into: session.inbound, upTo: 65_536) {
        case .bytes: advance()
        case .wouldBlock: break
        // What waits to be sent is sent all the same.
        case .end: session.outbound.isEmpty ? end() : flush()
        case .failed: broken()
        }
    }

    private func advance() {
        switch conduct {
        case .neverShakeHands: return session.inbound.consume(session.inbound.count)
        case .insteadOfTLS(let bytes):
            session.outbound.append(bytes)
            return finish()
        case .answer, .closeAfterHandshake, .closeAtOnce, .flood, .neverAnswer: break
        }
        if !session.isHandshakeComplete {
            let step = session.handshake()
            if case .flood(let amount) = conduct, !hasAnswered, !session.outbound.isEmpty {
                hasAnswered = true
                session.outbound.append([UInt8](repeating: 0, count: amount))
            }
            flush()
            guard step == .complete else { return }
            if case .closeAfterHandshake = conduct { return finish() }
        }
        let plain = ByteQueue()
        while case .bytes = session.read(into: plain, upTo: 65_536) { record.request += plain.takeAll() }
        if case .answer(let text) = conduct, !hasAnswered, record.requestText.hasSuffix("\r\n\r\n") {
            hasAnswered = true
            let answer = ByteQueue()
            answer.append(Array(text.utf8))
            while !answer.isEmpty, case .bytes = session.write(from: answer, upTo: answer.count) {}
            finish()
        }
        flush()
    }

    private func finish() {
        session.sendCloseNotify()
        isFinishing = true
        flush()
    }

    private func flush() {
        let result = stream.write(from: session.outbound)
        stream.wantsWritable = result == .wouldBlock
        if case .failed = result { return broken() }
        if isFinishing, result == .drained { stream.finishWriting() }
    }

    private func broken() {
        record.isReset = true
        end()
    }

    private func end() {
        stream.close()
        let onEnd = self.onEnd
        self.onEnd = nil
        onEnd?(record)
    }
}
