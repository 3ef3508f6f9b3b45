internal import Crypto
internal import Interception
public import Reactor
internal import Transcript
internal import Wire

/// The proxy: who accepts connections, and the workers among which they are dealt out.
///
/// **Thread:** usable from any thread but the loops' own.
public final class ProxyServer: Sendable {
    let workers: [LoopBound<Worker>]
    private let loops: [EventLoop]
    private let acceptor: LoopBound<Acceptor>
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
            // Weak: the acceptor has the workers, which have the count.
            let waiting = Guarded(WeakAcceptor())
            let count = ConnectionCount(limit: configuration.maxConnections) {
                guard let acceptor = waiting.withLock({ $0.box }) else { return }
                acceptor.loop.execute { acceptor.value.roomIsThere() }
            }
            workers = try loops.map { loop in
                try loop.call {
                    let worker = try Worker(
                        loop: loop, configuration: configuration, recorder: recorder, shared: shared, count: count)
                    return LoopBound(worker, loop: loop)
                }
            }
            (acceptor, address) = try loops[0].call { [loop = loops[0], workers] in
                let acceptor = try Acceptor(
                    workers: workers, configuration: configuration, recorder: recorder, count: count)
                // In the turn in which it begins to listen, so that nobody can ask for it before it is known.
                shared.add(listener: acceptor.address)
                onListening(acceptor.address)
                let box = LoopBound(acceptor, loop: loop)
                waiting.withLock { $0.box = box }
                return (box, acceptor.address)
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
        let acceptor = acceptor
        try loops[0].call { acceptor.value.close() }
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

/// Who waits for room, without being kept alive by that.
private struct WeakAcceptor {
    weak var box: LoopBound<Acceptor>?
}
