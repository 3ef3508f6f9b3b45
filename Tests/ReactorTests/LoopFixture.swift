import Foundation
import Reactor
import Testing
import Wire

/// A loop that runs on the test's own thread, until the test says `finish` or its time is up.
final class LoopFixture {
    let loop: EventLoop
    private(set) var isFinished = false
    private var kept: [Any] = []
    private var checks: [() -> Void] = []

    fileprivate init() throws { loop = try EventLoop() }

    /// Holds something as long as the loop runs: what is released is closed.
    @discardableResult
    func keep<Value>(_ value: Value) -> Value {
        kept.append(value)
        return value
    }

    /// Calls `body` when the loop has asked for events and served them so many times more.
    func after(turns: Int, _ body: @escaping () -> Void) {
        let timer = loop.timer(after: .zero) { [unowned self] in
            if turns > 1 { after(turns: turns - 1, body) } else { body() }
        }
        keep(timer)
    }

    /// Ends the test's loop.
    func finish() {
        isFinished = true
        loop.stop()
    }

    /// Says what must hold when the loop has ended.
    func atEnd(_ check: @escaping () -> Void) { checks.append(check) }

    fileprivate func run(limit: Duration) {
        keep(loop.timer(after: limit) { [loop] in loop.stop() })
        loop.run()
        for check in checks { check() }
        for object in kept {
            // What refers to itself through a callback lasts until it is closed.
            switch object {
            case let stream as SocketStream: stream.close()
            case let listener as Listener: listener.close()
            case let source as SignalSource: source.cancel()
            case let timer as LoopTimer: timer.cancel()
            default: break
            }
        }
        (kept, checks) = ([], [])
    }
}

/// Sets something up on a new loop and runs the loop until `finish`; an issue is recorded if that never comes.
func withLoop(
    limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    _ setUp: (LoopFixture) throws -> Void
) throws {
    let fixture = try LoopFixture()
    try setUp(fixture)
    fixture.run(limit: limit)
    #expect(fixture.isFinished, "the loop was still waiting after \(limit)", sourceLocation: sourceLocation)
}

/// Runs `body` on another thread's loop and waits for what it returns, at most a minute.
func on<Value: Sendable>(
    _ loop: EventLoop, sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let answer = Shared<Result<Value, any Error>?>(nil)
    loop.execute {
        answer.update { $0 = Result { try body() } }
        done.signal()
    }
    let arrived = done.wait(timeout: .now() + .seconds(60)) == .success
    let result = try #require(arrived ? answer.current : nil, "the loop did not answer", sourceLocation: sourceLocation)
    return try result.get()
}

// Sendable: the value is reached with the lock held only. (A lock that the thread sanitizer knows.)
/// A value that several threads of a test write to.
final class Shared<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    var current: Value { lock.withLock { value } }

    func update(_ change: (inout Value) -> Void) {
        lock.withLock { change(&value) }
    }
}

/// Loopback, IPv4.
func loopback(_ port: UInt16 = 0) throws -> SocketAddress {
    try #require(SocketAddress(address: "127.0.0.1", port: port))
}

extension LoopFixture {
    /// Connects to a listener on this loop; hands out both ends when they are there.
    func withPair(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping (_ client: SocketStream, _ server: SocketStream) throws -> Void
    ) throws {
        var server: SocketStream?
        var client: SocketStream?
        let ready = { [unowned self] in
            guard let server, let client else { return }
            attempt(sourceLocation) { try body(client, server) }
        }
        let listener = try Listener(loop: loop, address: loopback(), reusePort: false) { [unowned self] socket, _ in
            server = keep(SocketStream(loop: loop, socket: socket))
            ready()
        }
        keep(listener)
        let connecting = SocketStream.connect(loop: loop, to: listener.localAddress, timeout: .seconds(30)) {
            [unowned self] result in
            attempt(sourceLocation) { client = keep(try result.get()) }
            ready()
        }
        keep(connecting)
    }

    /// Runs a part of a test that may throw inside a callback; an error ends the test.
    func attempt(_ sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
            finish()
        }
    }
}

extension ByteQueue {
    /// A queue that holds `bytes`.
    convenience init(_ bytes: [UInt8]) {
        self.init()
        append(bytes)
    }
}
