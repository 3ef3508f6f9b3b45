internal import Dispatch
internal import Glibc
internal import Reactor
internal import Synchronization

/// SIGINT, SIGTERM, and SIGHUP of a terminal that is closed, counted: the first asks for an orderly end, the second for one at once.
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
            let giveUp = GiveUp()
            let sources = [SIGINT, SIGTERM, SIGHUP].filter(Self.isHeard).map { number in
                loop.onSignal(number) {
                    let count = state.count.add(1, ordering: .relaxed).newValue
                    state.arrived.signal()
                    if count == 2 { giveUp.arm(on: loop) }
                }
            }
            return LoopBound(sources, loop: loop)
        }
    }

    /// Whether the program is not told to ignore a signal, as by nohup.
    private static func isHeard(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return true }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            != unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// How many signals came so far.
    var count: Int { state.count.load(ordering: .relaxed) }

    /// Waits for the next signal.
    func wait() { state.arrived.wait() }
}

/// What makes sure that a second signal ends the program, even if an output is stuck.
private final class GiveUp {
    private var timer: LoopTimer?

    func arm(on loop: EventLoop) {
        timer = loop.timer(after: .seconds(2)) { _exit(ExitCode.internalError.rawValue) }
    }
}
