import Dispatch
import Reactor

/// How long a test waits for what must come: long, since it only matters when something is broken.
package let patience = Duration.seconds(isSanitized ? 180 : 60)

/// What a test needed and did not get.
package struct Unfulfilled: Error, CustomStringConvertible {
    /// What was needed, and how far things had come.
    package let description: String

    /// Says what is missing.
    package init(_ description: String) { self.description = description }
}

/// A value that changes on any thread, and that a test can wait for.
package final class Watched<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let isOver: @Sendable (Value) -> Bool
        let finish: @Sendable () -> Void
    }

    private struct State {
        var value: Value
        var waiters: [UInt64: Waiter] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state: Guarded<State>

    /// Starts with a value.
    package init(_ value: Value) {
        state = Guarded(State(value: value))
    }

    /// The value as it is now.
    package var current: Value { state.withLock { $0.value } }

    /// Changes the value, and wakes who waited for that.
    @discardableResult
    package func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, satisfied) = state.withLock { state in
            let result = change(&state.value)
            let over = state.waiters.filter { $0.value.isOver(state.value) }
            for key in over.keys { state.waiters[key] = nil }
            return (result, Array(over.values))
        }
        for waiter in satisfied { waiter.finish() }
        return result
    }

    /// Waits until `pick` finds what it looks for.
    ///
    /// - Parameters:
    ///   - what: What is awaited, for the error.
    ///   - limit: How long to wait.
    ///   - pick: Looks at the value each time that it has changed, and at once.
    /// - Returns: What was found first.
    /// - Throws: `Unfulfilled` if it does not come in time.
    package func first<Result: Sendable>(
        _ what: String, within limit: Duration = patience, _ pick: @escaping @Sendable (Value) -> Result?
    ) async throws -> Result {
        let found = Guarded<Result?>(nil)
        let look: @Sendable (Value) -> Bool = { value in
            guard let result = pick(value) else { return false }
            found.withLock { $0 = $0 ?? result }
            return true
        }
        await withCheckedContinuation { continuation in
            let number: UInt64? = state.withLock { state in
                if look(state.value) { return nil }
                state.nextWaiter += 1
                state.waiters[state.nextWaiter] = Waiter(isOver: look) { continuation.resume() }
                return state.nextWaiter
            }
            guard let number else { return continuation.resume() }
            let nanoseconds = Int(limit / .nanoseconds(1))
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
                // Whoever takes the waiter out resumes it.
                self?.state.withLock { $0.waiters.removeValue(forKey: number) }?.finish()
            }
        }
        guard let result = found.withLock({ $0 }) else {
            throw Unfulfilled("\(what) did not come within \(limit); so far: \(current)")
        }
        return result
    }

    /// Waits until a condition holds.
    package func wait(
        _ what: String, within limit: Duration = patience, until condition: @escaping @Sendable (Value) -> Bool
    ) async throws {
        try await first(what, within: limit) { condition($0) ? () : nil }
    }
}

/// Asks again and again until the answer is yes, for what nothing tells of by itself.
///
/// - Throws: `Unfulfilled` if it does not come in time.
package func repeatedly(
    until what: String, within limit: Duration = patience, _ isSo: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !isSo() {
        guard ContinuousClock.now < deadline else { throw Unfulfilled("\(what): not within \(limit)") }
        await Task.yield()
    }
}
