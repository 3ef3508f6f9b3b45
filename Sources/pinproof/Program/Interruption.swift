internal import Dispatch
internal import Glibc
internal import Reactor
internal import Synchronization

/// SIGINT and SIGTERM, counted: the first asks for an orderly end, the second for one at once.
final class Interruption: Sendable {
    private let loop: EventLoop
    private let sources: LoopBound<[SignalSource]>
    private let state: State

    private final class State: Sendable {
        let count = Atomic<Int>(0)
        let arrived = DispatchSemaphore(value: 0)
    }

    /// Catches the signals from now on.
    init() throws {
        let loop = try EventLoop.onOwnThread(name: "signals")
        let state = State()
        self.loop = loop
        self.state = state
        sources = try loop.call {
            let sources = [SIGINT, SIGTERM].map { number in
                loop.onSignal(number) {
                    state.count.add(1, ordering: .relaxed)
                    state.arrived.signal()
                }
            }
            return LoopBound(sources, loop: loop)
        }
    }

    /// How many signals came so far.
    var count: Int { state.count.load(ordering: .relaxed) }

    /// Waits for the next signal.
    func wait() { state.arrived.wait() }
}
