internal import CLibevent
internal import Glibc

/// A TCP port that accepts connections.
///
/// When the process or the system is out of descriptors or memory, accepting pauses instead of spinning and is tried again
/// every now and then; its owner may have it pause too. The connections wait in the kernel's queue.
///
/// **Ownership:** hold it: a listener that is released stops listening. **Thread:** its loop's; it may be closed and
/// released inside its own callbacks.
public final class Listener {
    /// The connections accepted in one turn of the loop; more wait for the next, so that others get served.
    private static let batch = 32
    /// How long accepting pauses when there is no descriptor left.
    private static let pauseLength = Duration.milliseconds(100)

    /// Where it listens, with the port that the system chose if none was asked for.
    public let localAddress: SocketAddress
    /// Told why accepting pauses, for example `EMFILE`: once, however often it is tried in vain after that.
    public var onPause: ((ReactorError) -> Void)?
    /// Told that a connection was accepted again, after such a pause.
    public var onResume: (() -> Void)?

    private let loop: EventLoop
    private var onAccept: ((consuming Socket, SocketAddress) -> Void)?
    private var socket: Socket?
    private var event: EventHandle?
    private var retry: LoopTimer?
    /// Whether the last try to accept a connection found no room for it.
    private var isOutOfRoom = false
    /// Whether its owner has it pause.
    private var isSuspended = false

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - loop: The loop that accepts.
    ///   - address: Where to listen; port 0 lets the system choose.
    ///   - reusePort: Whether listeners of other loops may share the port; all of them must say so. The kernel spreads
    ///     the connections over them.
    ///   - onAccept: Gets each connection and its peer's address.
    /// - Throws: `ReactorError` with the number of what failed, for example `EADDRINUSE`.
    public init(
        loop: EventLoop, address: SocketAddress, reusePort: Bool,
        onAccept: @escaping (consuming Socket, SocketAddress) -> Void
    ) throws(ReactorError) {
        loop.preconditionCurrent()
        let operation = "listen on \(address)"
        let socket = try Socket.open(for: address, operation)
        // A port whose last connections are still in TIME_WAIT can be taken again.
        try socket.set(SO_REUSEADDR, at: SOL_SOCKET, to: Int32(1), operation)
        if reusePort { try socket.set(SO_REUSEPORT, at: SOL_SOCKET, to: Int32(1), operation) }
        let descriptor = socket.descriptor
        let isBound = address.withStorage { bind(descriptor, $0, $1) } == 0
        guard isBound, listen(descriptor, SOMAXCONN) == 0 else { throw .last(operation) }
        guard let localAddress = socket.localAddress() else { throw .last(operation) }
        self.loop = loop
        self.localAddress = localAddress
        self.onAccept = onAccept
        self.socket = consume socket
        event = EventHandle(
            loop.base, descriptor: descriptor, events: EV_READ | EV_PERSIST, callback: connectionsWait, owner: self)
        event?.add()
    }

    deinit { close() }

    /// Stops listening; connections that were not accepted are reset.
    ///
    /// All callbacks are dropped. Without effect the second time.
    public func close() {
        loop.preconditionReleasable(Listener.self)
        event = nil
        retry = nil
        socket = nil
        (onAccept, onPause, onResume) = (nil, nil, nil)
    }

    /// Accepts no further connections until `resume()`.
    public func suspend() {
        loop.preconditionCurrent()
        isSuspended = true
        event?.remove()
    }

    /// Accepts connections again, those that wait first.
    public func resume() {
        loop.preconditionCurrent()
        guard isSuspended else { return }
        isSuspended = false
        if retry == nil { event?.add() }
    }

    fileprivate func acceptBatch() {
        for _ in 0..<Self.batch {
            // Looked up each time: a callback may have closed the listener.
            guard let descriptor = socket?.descriptor, let onAccept, !isSuspended else { return }
            let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let (accepted, peer) = SocketAddress.filled { accept4(descriptor, $0, $1, flags) }
            if accepted >= 0 {
                let connection = Socket(owning: accepted)
                if isOutOfRoom {
                    isOutOfRoom = false
                    onResume?()
                }
                if let peer { onAccept(connection, peer) }
                continue
            }
            let error = errno
            switch error {
            case EAGAIN:
                return
            case EINTR, ECONNABORTED, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP, ENETDOWN,
                ENETUNREACH:
                // accept(2): errors of the connection that was next, to be treated like none at all.
                continue
            default:
                return tryLater(error)
            }
        }
    }

    private func tryLater(_ error: Int32) {
        event?.remove()
        retry = loop.timer(after: Self.pauseLength) { [unowned self] in
            retry = nil
            if !isSuspended { event?.add() }
        }
        guard !isOutOfRoom else { return }
        isOutOfRoom = true
        onPause?(ReactorError(operation: "accept on \(localAddress)", code: .system(error)))
    }
}

@available(*, unavailable)
extension Listener: Sendable {}  // confined to its loop

private func connectionsWait(_ descriptor: Int32, _ events: Int16, _ context: UnsafeMutableRawPointer?) {
    let listener: Listener = owner(of: context)
    listener.acceptBatch()
}
