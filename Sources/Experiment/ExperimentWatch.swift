internal import Dispatch
internal import Engine
internal import Synchronization
package import Transcript

/// Follows an experiment's events while it runs: which connections are open, and what they prove.
package final class ExperimentWatch: EventConsumer {
    private let state = Mutex(ExperimentVerdicts())
    private let closed = DispatchSemaphore(value: 0)

    /// Starts with nothing seen.
    package init() {}

    package func consume(_ events: [Event]) {
        let count = state.withLock { state in
            events.count { state.add($0) != nil }
        }
        if count > 0 { closed.signal() }
    }

    /// What was seen so far.
    package var verdicts: ExperimentVerdicts { state.withLock { $0 } }

    /// Waits until no connection is open.
    ///
    /// - Parameters:
    ///   - recorder: Who hands on the events.
    ///   - limit: How long to wait.
    ///   - interrupted: Asked again and again; true ends the waiting.
    func waitUntilIdle(_ recorder: Recorder, limit: Duration, interrupted: () -> Bool) {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline, !interrupted() {
            recorder.flush()
            if state.withLock({ $0.openConnections == 0 }) { return }
            _ = closed.wait(timeout: .now() + .milliseconds(50))
        }
    }
}
