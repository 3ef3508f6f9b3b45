internal import Dispatch
internal import Synchronization

extension EventLoop {
    /// Runs work on the loop and waits for what comes of it: for setting up and taking down, never for serving.
    ///
    /// On the loop's own thread it just runs. **Thread:** any.
    ///
    /// - Parameter body: The work.
    /// - Returns: What the work returned.
    /// - Throws: What the work threw, or `ReactorError` if the loop was stopped before.
    public func call<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        if isCurrent { return try body() }
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome<Value>()
        let isQueued = execute {
            outcome.result.withLock { $0 = Result { try body() } }
            done.signal()
        }
        guard isQueued else { throw ReactorError(operation: "call a stopped loop", code: .system(0)) }
        done.wait()
        guard let result = outcome.result.withLock({ $0 }) else { preconditionFailure("signalled before it was done") }
        return try result.get()
    }

    /// Queues a job for one of the loop's next turns; to be called on the loop, so it may capture what lives there.
    public func later(_ job: @escaping () -> Void) {
        preconditionCurrent()
        // Unsafe in name only: the job is queued and run on the same thread.
        nonisolated(unsafe) let job = job
        execute { job() }
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}
