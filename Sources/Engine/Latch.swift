internal import Dispatch

/// Counts down to zero, and lets a thread wait for that with a time limit.
final class Latch: Sendable {
    private let group = DispatchGroup()

    init(count: Int) {
        for _ in 0..<count { group.enter() }
    }

    func countDown() { group.leave() }

    /// Waits; false if the time ran out first.
    func wait(for limit: Duration) -> Bool {
        let nanoseconds = Int(limit / .nanoseconds(1))
        return group.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
    }
}
