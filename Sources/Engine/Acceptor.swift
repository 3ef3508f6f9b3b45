internal import Reactor
internal import Transcript

/// Accepts connections and deals them out to the workers in turn; it pauses while there is no room for more.
///
/// What has to wait does so in the kernel's queue; why, and for how long, is recorded.
///
/// **Thread:** confined to the first worker's loop.
final class Acceptor {
    private let workers: [LoopBound<Worker>]
    private let recorder: Recorder
    private let count: ConnectionCount
    private let limit: Int
    private var listener: Listener?
    /// The address that is listened on.
    private(set) var address: SocketAddress
    private var dealt = 0
    /// When accepting paused, on the recorder's clock; nil while it goes on.
    private var pausedAt: UInt64?

    /// Listens from now on.
    ///
    /// - Throws: `ReactorError` if the address cannot be listened on.
    init(
        workers: [LoopBound<Worker>], configuration: ProxyConfiguration, recorder: Recorder, count: ConnectionCount
    ) throws {
        self.workers = workers
        self.recorder = recorder
        self.count = count
        limit = configuration.maxConnections
        address = configuration.listen
        let listener = try Listener(loop: workers[0].loop, address: configuration.listen, reusePort: false) {
            [unowned self] socket, _ in deal(socket)
        }
        listener.onPause = { [unowned self] error in pause(.system(errno: error.errno ?? 0)) }
        listener.onResume = { [unowned self] in resume() }
        self.listener = listener
        address = listener.localAddress
    }

    /// Stops listening.
    func close() {
        listener?.close()
        listener = nil
    }

    /// Goes on after a pause for which the connections' number was the reason.
    func roomIsThere() {
        listener?.resume()
        resume()
    }

    private func deal(_ socket: consuming Socket) {
        let worker = workers[dealt % workers.count]
        dealt &+= 1
        count.opened()
        if count.isFull {
            listener?.suspend()
            pause(.connections(limit))
            count.awaitRoom()
        }
        let number = recorder.nextConnection()
        if worker.loop.isCurrent { return worker.value.serve(socket, number: number) }
        let descriptor = socket.release()
        let isQueued = worker.loop.execute { worker.value.serve(Socket(owning: descriptor), number: number) }
        // A stopped worker serves nobody; the socket is closed by whoever owns it last.
        if !isQueued { _ = Socket(owning: descriptor) }
    }

    private func pause(_ reason: AcceptingLimit) {
        guard pausedAt == nil else { return }
        pausedAt = recorder.elapsed
        recorder.record(.acceptingPaused(reason), connection: nil)
    }

    private func resume() {
        guard let since = pausedAt else { return }
        pausedAt = nil
        recorder.record(.acceptingResumed(nanoseconds: recorder.elapsed &- since), connection: nil)
    }
}
