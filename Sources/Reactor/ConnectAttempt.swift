internal import CLibevent
internal import Glibc

/// A connection that is being made.
///
/// **Ownership:** hold it: an attempt that is released is cancelled. **Thread:** its loop's.
public final class ConnectAttempt {
    private let loop: EventLoop
    private let address: SocketAddress
    private var completion: ((Result<SocketStream, ReactorError>) -> Void)?
    private var socket: Socket?
    private var event: EventHandle?
    private var failure: LoopTimer?

    fileprivate init(
        loop: EventLoop, address: SocketAddress, timeout: Duration,
        completion: @escaping (Result<SocketStream, ReactorError>) -> Void
    ) {
        loop.preconditionCurrent()
        self.loop = loop
        self.address = address
        self.completion = completion
        do throws(ReactorError) {
            try begin(timeout: timeout)
        } catch {
            // Told later, as everything else: the caller does not hold the attempt yet.
            failure = loop.timer(after: .zero) { [unowned self] in finish(.failure(error)) }
        }
    }

    deinit { cancel() }

    /// Gives up; the completion will not be called.
    ///
    /// Without effect if it was called.
    public func cancel() {
        loop.preconditionReleasable(ConnectAttempt.self)
        event = nil
        failure = nil
        socket = nil
        completion = nil
    }

    private var operation: String { "connect to \(address)" }

    private func begin(timeout: Duration) throws(ReactorError) {
        let socket = try Socket.open(for: address, operation)
        let descriptor = socket.descriptor
        let isConnected = address.withStorage { connect(descriptor, $0, $1) } == 0
        // EINTR too: the connection goes on being made (connect(2)).
        guard isConnected || errno == EINPROGRESS || errno == EINTR else { throw .last(operation) }
        event = EventHandle(
            loop.base, descriptor: descriptor, events: EV_WRITE, callback: connectProgressed, owner: self)
        event?.add(after: timeout)
        self.socket = consume socket
    }

    fileprivate func progressed(events: Int32) {
        guard let socket = socket.take() else { return }
        event = nil
        var error = socket.takeError()
        // When both are due, libevent tells the time limit only: a busy loop may find the connection made after all.
        if error == 0 && events & EV_TIMEOUT != 0 && socket.peerAddress() == nil { error = ETIMEDOUT }
        if error != 0 {
            finish(.failure(ReactorError(operation: operation, code: .system(error))))
        } else if address.isLoopback && socket.isConnectedToItself() {
            finish(.failure(ReactorError(operation: operation, code: .system(ECONNREFUSED))))
        } else {
            finish(.success(SocketStream(loop: loop, socket: socket)))
        }
    }

    private func finish(_ result: Result<SocketStream, ReactorError>) {
        let completion = self.completion
        cancel()
        completion?(result)
    }
}

@available(*, unavailable)
extension ConnectAttempt: Sendable {}  // confined to its loop

extension SocketStream {
    /// Connects to an address.
    ///
    /// - Parameters:
    ///   - loop: The loop that the stream will live on.
    ///   - address: Where to connect to.
    ///   - timeout: How long it may take; then the completion gets `ETIMEDOUT`.
    ///   - completion: Gets the stream or the reason, once, never inside this call.
    /// - Returns: The attempt; releasing it cancels it.
    public static func connect(
        loop: EventLoop, to address: SocketAddress, timeout: Duration,
        _ completion: @escaping (Result<SocketStream, ReactorError>) -> Void
    ) -> ConnectAttempt {
        ConnectAttempt(loop: loop, address: address, timeout: timeout, completion: completion)
    }
}

extension Socket {
    /// Whether both ends are this very socket.
    ///
    /// TCP allows it (RFC 9293, simultaneous open): when nobody listens on a port and the system picks that port for the
    /// connecting side. It would look like an origin that says back whatever it is told.
    package borrowing func isConnectedToItself() -> Bool {
        guard let local = localAddress() else { return false }
        return local == peerAddress()
    }
}

private func connectProgressed(_ descriptor: Int32, _ events: Int16, _ context: UnsafeMutableRawPointer?) {
    let attempt: ConnectAttempt = owner(of: context)
    attempt.progressed(events: Int32(events))
}
