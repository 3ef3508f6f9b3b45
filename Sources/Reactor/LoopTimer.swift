internal import CLibevent

/// One call that a loop makes later.
///
/// **Ownership:** hold it: a timer that is released is cancelled. What the body captured is released when it has run or
/// was cancelled. **Thread:** its loop's.
public final class LoopTimer {
    private let loop: EventLoop
    private var event: EventHandle?
    private var body: (() -> Void)?

    fileprivate init(loop: EventLoop, after delay: Duration, body: @escaping () -> Void) {
        loop.preconditionCurrent()
        self.loop = loop
        self.body = body
        event = EventHandle(loop.base, events: 0, callback: timerFired, owner: self)
        event?.add(after: delay)
    }

    deinit { loop.preconditionReleasable(LoopTimer.self) }

    /// Takes the call back; without effect if it was made.
    public func cancel() {
        loop.preconditionReleasable(LoopTimer.self)
        event = nil
        body = nil
    }

    fileprivate func fire() {
        let body = self.body
        cancel()
        body?()
    }
}

@available(*, unavailable)
extension LoopTimer: Sendable {}  // confined to its loop

extension EventLoop {
    /// Calls `body` once, when `delay` has passed.
    ///
    /// Timers fire in the order in which they are due, by a clock that advances every few milliseconds.
    ///
    /// - Parameters:
    ///   - delay: Zero or less: in the loop's next turn, never inside this call.
    ///   - body: What is to be done, on the loop.
    /// - Returns: The timer; releasing it cancels the call.
    public func timer(after delay: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        LoopTimer(loop: self, after: delay, body: body)
    }
}

private func timerFired(_ descriptor: Int32, _ events: Int16, _ context: UnsafeMutableRawPointer?) {
    let timer: LoopTimer = owner(of: context)
    timer.fire()
}
