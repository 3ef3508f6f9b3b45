internal import CLibevent

/// Calls back on a loop whenever the process receives one signal.
///
/// **Ownership:** hold it: when it is released, the signal gets its former handler back. **Thread:** its loop's. Only
/// one loop of a process may watch signals at a time (libevent has one table for all).
public final class SignalSource {
    private let loop: EventLoop
    private var event: EventHandle?
    private var body: (() -> Void)?

    fileprivate init(loop: EventLoop, number: Int32, body: @escaping () -> Void) {
        loop.preconditionCurrent()
        SignalTable.enter(loop)
        self.loop = loop
        self.body = body
        event = EventHandle(
            loop.base, descriptor: number, events: EV_SIGNAL | EV_PERSIST, callback: signalReceived, owner: self)
        event?.add()
    }

    deinit { cancel() }

    /// Stops watching; safe inside the callback, and without effect the second time.
    public func cancel() {
        loop.preconditionReleasable(SignalSource.self)
        guard event != nil else { return }
        event = nil
        body = nil
        SignalTable.leave()
    }

    fileprivate func deliver() { body?() }
}

@available(*, unavailable)
extension SignalSource: Sendable {}  // confined to its loop

extension EventLoop {
    /// Calls `body` on the loop each time the process receives signal `number`.
    public func onSignal(_ number: Int32, _ body: @escaping () -> Void) -> SignalSource {
        SignalSource(loop: self, number: number, body: body)
    }
}

/// Which loop watches signals, and with how many sources.
private enum SignalTable {
    private static let state = Guarded<(loop: ObjectIdentifier?, sources: Int)>((nil, 0))

    static func enter(_ loop: EventLoop) {
        state.withLock { state in
            let identity = ObjectIdentifier(loop)
            precondition(state.sources == 0 || state.loop == identity, "signals are watched by another loop")
            state = (identity, state.sources + 1)
        }
    }

    static func leave() {
        state.withLock { $0.sources -= 1 }
    }
}

private func signalReceived(_ number: Int32, _ events: Int16, _ context: UnsafeMutableRawPointer?) {
    let source: SignalSource = owner(of: context)
    source.deliver()
}
