internal import Crypto
internal import Interception
public import Reactor
internal import Synchronization
internal import Transcript
internal import Wire

/// The proxy: a listener, and the workers among which it deals out connections in turn.
///
/// **Thread:** usable from any thread but the loops' own.
public final class ProxyServer: Sendable {
    private let workers: [LoopBound<Worker>]
    private let loops: [EventLoop]
    private let listener: LoopBound<Listener>
    private let limits: TimeLimits
    /// The address that is listened on, with the port that was taken.
    public let address: SocketAddress

    /// Listens, and serves from then on.
    ///
    /// - Parameters:
    ///   - configuration: What the proxy needs to know.
    ///   - recorder: Who records what happens.
    ///   - onListening: Told the address that was taken, before the first client is accepted.
    /// - Throws: `ReactorError` if the address cannot be listened on, `OpenSSLError` if TLS cannot be set up.
    package init(
        _ configuration: ProxyConfiguration, recorder: Recorder,
        onListening: @escaping @Sendable (SocketAddress) -> Void = { _ in }
    ) throws {
        let shared = try SharedState(configuration)
        var loops: [EventLoop] = []
        do {
            for number in 0..<max(configuration.workers, 1) {
                loops.append(try EventLoop.onOwnThread(name: "worker-\(number)"))
            }
            workers = try loops.map { loop in
                try loop.call {
                    let worker = try Worker(
                        loop: loop, configuration: configuration, recorder: recorder, shared: shared)
                    return LoopBound(worker, loop: loop)
                }
            }
            let dealer = Dealer(workers: workers, loops: loops, recorder: recorder)
            (listener, address) = try loops[0].call { [loop = loops[0]] in
                let listener = try Listener(loop: loop, address: configuration.listen, reusePort: false) { socket, _ in
                    dealer.deal(socket)
                }
                // In the turn in which it begins to listen, so that nobody can ask for it before it is known.
                shared.add(listener: listener.localAddress)
                onListening(listener.localAddress)
                return (LoopBound(listener, loop: loop), listener.localAddress)
            }
        } catch {
            for loop in loops {
                loop.stop()
                loop.join()
            }
            throw error
        }
        limits = configuration.limits
        self.loops = loops
    }

    /// Takes no new connections, ends idle ones, and waits for the busy ones as long as the drain limit allows; then
    /// ends those too and stops.
    ///
    /// - Parameter interrupted: Asked again and again while it waits; true ends everything at once.
    /// - Throws: `ReactorError` if the proxy was stopped before.
    package func drain(interrupted: () -> Bool = { false }) throws {
        let listener = listener
        try loops[0].call { listener.value.close() }
        let left = Latch(count: workers.count)
        for (worker, loop) in zip(workers, loops) {
            loop.execute { worker.value.drain { left.countDown() } }
        }
        let deadline = ContinuousClock.now + limits.drain
        while !left.wait(for: .milliseconds(50)), ContinuousClock.now < deadline, !interrupted() {}
        stop()
    }

    /// Ends all connections at once and stops.
    package func stop() {
        for (worker, loop) in zip(workers, loops) {
            loop.execute { worker.value.abort() }
            loop.stop()
            loop.join()
        }
    }
}

/// Deals out accepted sockets to the workers in turn.
///
/// **Thread:** used on the listener's loop.
private final class Dealer: Sendable {
    private let workers: [LoopBound<Worker>]
    private let loops: [EventLoop]
    private let recorder: Recorder
    private let dealt = Atomic<Int>(0)

    init(workers: [LoopBound<Worker>], loops: [EventLoop], recorder: Recorder) {
        self.workers = workers
        self.loops = loops
        self.recorder = recorder
    }

    func deal(_ socket: consuming Socket) {
        let index = dealt.wrappingAdd(1, ordering: .relaxed).oldValue % workers.count
        let (number, worker) = (recorder.nextConnection(), workers[index])
        if loops[index].isCurrent { return worker.value.serve(socket, number: number) }
        let descriptor = socket.release()
        let isQueued = loops[index].execute { worker.value.serve(Socket(owning: descriptor), number: number) }
        // A stopped worker serves nobody; the socket is closed by whoever owns it last.
        if !isQueued { _ = Socket(owning: descriptor) }
    }
}
