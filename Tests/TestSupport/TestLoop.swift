package import Reactor

/// A loop on a thread of its own, which ends when the test lets go of it.
package final class TestLoop: Sendable {
    /// The running loop.
    package let loop: EventLoop

    /// Starts it.
    package init(_ name: String = "test") throws { loop = try EventLoop.onOwnThread(name: name) }

    deinit {
        loop.stop()
        loop.join()
    }
}

extension EventLoop {
    /// Does something on the loop, and waits for it without holding a thread.
    package func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        // Handed over under a lock too: how a continuation does it, the thread sanitizer does not always see.
        let outcome = Guarded<Result<Value, any Error>>(.failure(Unfulfilled("the loop was stopped")))
        await withCheckedContinuation { continuation in
            let isQueued = execute {
                outcome.withLock { $0 = Result { try body() } }
                continuation.resume()
            }
            if !isQueued { continuation.resume() }
        }
        return try outcome.withLock { $0 }.get()
    }
}

extension EventLoop {
    /// Lets so many milliseconds pass, in which everything that is ready is served.
    package func turns(_ milliseconds: Int) async throws {
        let isOver = Watched(false)
        let timer = try await perform {
            LoopBound(self.timer(after: .milliseconds(milliseconds)) { isOver.update { $0 = true } }, loop: self)
        }
        try await isOver.wait("a timer") { $0 }
        withExtendedLifetime(timer) {}
    }
}

extension SocketAddress {
    /// Loopback, any free port.
    package static var anyLoopbackPort: SocketAddress {
        guard let address = SocketAddress(address: "127.0.0.1", port: 0) else { preconditionFailure("loopback") }
        return address
    }
}
