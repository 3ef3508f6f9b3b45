import Foundation
import Glibc

/// Collects what a process does, and wakes those who wait for it.
// The thread that reads and reaps holds the monitor, never the process's owner.
final class ProcessMonitor: Sendable {
    typealias Progress = ChildProcess.Progress

    private struct Waiter: Sendable {
        /// Looks at the progress; true once that woke whoever waits.
        let check: @Sendable (Progress) -> Bool
        let giveUp: @Sendable (Progress) -> Void
    }

    private struct State: Sendable {
        var progress = Progress()
        var isReaped = false
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let id: pid_t
    private let name: String
    private let lock = NSLock()
    // Reached through `locked` only.
    nonisolated(unsafe) private var state = State()

    init(_ id: pid_t, name: String) {
        self.id = id
        self.name = name
    }

    /// Reads from these descriptors, which the monitor owns from now on, and waits for the process to end.
    func begin(output: Int32, error: Int32) {
        let thread = Thread { [self] in
            read(output: output, error: error)
            reap()
        }
        thread.start()
    }

    /// Sends a signal.
    ///
    /// The id is the process's own until it is reaped, which happens under the same lock.
    func signal(_ number: Int32) {
        locked { state in
            if !state.isReaped { kill(id, number) }
        }
    }

    func wait<Value: Sendable>(
        for what: String, within limit: Duration, _ condition: @escaping @Sendable (Progress) throws -> Value?
    ) async throws -> Value {
        let name = name
        return try await withCheckedThrowingContinuation { continuation in
            let waiter = Waiter { progress in
                do {
                    guard let value = try condition(progress) else { return false }
                    continuation.resume(returning: value)
                } catch {
                    continuation.resume(throwing: error)
                }
                return true
            } giveUp: { progress in
                continuation.resume(throwing: ChildProcess.Missed(what: what, process: name, progress: progress))
            }
            guard let number = add(waiter) else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) { [self] in giveUp(number) }
        }
    }

    /// Keeps a waiter unless it is served at once.
    private func add(_ waiter: Waiter) -> Int? {
        locked { state in
            if waiter.check(state.progress) { return nil }
            if state.progress.ending != nil {
                waiter.giveUp(state.progress)
                return nil
            }
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = waiter
            return state.nextWaiter
        }
    }

    private func giveUp(_ number: Int) {
        locked { state in
            state.waiters.removeValue(forKey: number)?.giveUp(state.progress)
        }
    }

    private func locked<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }

    private func update(_ change: @Sendable (inout State) -> Void) {
        locked { state in
            change(&state)
            let progress = state.progress
            state.waiters = state.waiters.filter { !$1.check(progress) }
            guard progress.ending != nil else { return }
            for waiter in state.waiters.values { waiter.giveUp(progress) }
            state.waiters = [:]
        }
    }

    private func read(output: Int32, error: Int32) {
        var sources = [output, error].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while !sources.isEmpty {
            guard poll(&sources, nfds_t(sources.count), -1) > 0 else { continue }
            for source in sources where source.revents != 0 {
                let count = Glibc.read(source.fd, &block, block.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    close(source.fd)
                    sources.removeAll { $0.fd == source.fd }
                    continue
                }
                let new = block[..<count]
                update { state in
                    if source.fd == output { state.progress.output += new } else { state.progress.error += new }
                }
            }
        }
    }

    private func reap() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        update { state in
            var status: Int32 = 0
            waitpid(id, &status, 0)
            state.isReaped = true
            let signal = status & 0x7F
            state.progress.ending = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
        }
    }
}
