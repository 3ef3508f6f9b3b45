internal import Authority
internal import Crypto
internal import Interception
internal import Reactor
internal import Wire

/// One event loop and the connections that live and die on it.
///
/// Workers share the forge, the recorder and the TLS contexts; nothing else.
///
/// **Thread:** created anywhere, then confined to its loop.
final class Worker {
    let loop: EventLoop
    let configuration: ProxyConfiguration
    let recorder: Recorder
    let shared: SharedState
    private let count: ConnectionCount
    let resolver: Resolver
    /// Where bytes in the clear pass through on their way from one side to the other; empty between events.
    let scratch = ByteQueue()
    private(set) var connections: [UInt64: ProxyConnection] = [:]
    private var onEmpty: (() -> Void)?

    init(
        loop: EventLoop, configuration: ProxyConfiguration, recorder: Recorder, shared: SharedState, count: ConnectionCount
    ) throws {
        self.loop = loop
        self.configuration = configuration
        self.recorder = recorder
        self.shared = shared
        self.count = count
        resolver = try Resolver(loop: loop)
    }

    /// Serves an accepted socket.
    func serve(_ socket: consuming Socket, number: UInt64) {
        let connection = ProxyConnection(
            number: number, stream: SocketStream(loop: loop, socket: socket), worker: self)
        connections[number] = connection
        connection.start()
    }

    func connection(_ number: UInt64) -> ProxyConnection? { connections[number] }

    /// Lets go of a connection that is over; it may be in the middle of a call, so it lives until the loop's next turn.
    func forget(_ connection: ProxyConnection) {
        guard connections.removeValue(forKey: connection.number) != nil else { return }
        count.ended()
        loop.later { withExtendedLifetime(connection) {} }
        if connections.isEmpty { finishDraining() }
    }

    /// Ends idle connections, lets busy ones finish, and calls back when none is left.
    func drain(_ completion: @escaping () -> Void) {
        onEmpty = completion
        for connection in connections.values { connection.drain() }
        if connections.isEmpty { finishDraining() }
    }

    /// Ends all connections at once.
    func abort() {
        for connection in connections.values { connection.submit(.abort) }
    }

    private func finishDraining() {
        onEmpty?()
        onEmpty = nil
    }
}
