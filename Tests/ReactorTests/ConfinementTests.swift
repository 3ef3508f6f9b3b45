import Foundation
import Reactor
import Testing
import Wire

/// What belongs to a loop traps when another thread touches it: each in a process of its own.
@Suite struct ConfinementTests {
    /// One way to touch a stream from elsewhere.
    enum Touch: String, CaseIterable, Codable {
        case close, finishWriting, read, reset, unsentBytes, wantsReadable, wantsWritable, write
    }

    @Test(arguments: Touch.allCases)
    func touchingAStreamElsewhereTraps(touch: Touch) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [touch] in
            let loop = try EventLoop()
            // What the compiler forbids, done all the same.
            nonisolated(unsafe) let stream = SocketStream(loop: loop, socket: unconnectedSocket())
            onAnotherThread {
                switch touch {
                case .close: stream.close()
                case .finishWriting: stream.finishWriting()
                case .read: _ = stream.read(into: ByteQueue(), upTo: 1)
                case .reset: stream.reset()
                case .unsentBytes: _ = stream.unsentBytes
                case .wantsReadable: stream.wantsReadable = true
                case .wantsWritable: stream.wantsWritable = true
                case .write: _ = stream.write(from: ByteQueue([1]))
                }
            }
        }
        #expect(trap(of: result).contains("on a thread that is not the loop's"))
    }

    /// Something that is made for a loop.
    enum Kind: String, CaseIterable, Codable {
        case bound, connect, listener, resolver, signal, stream, timer
    }

    @Test(arguments: Kind.allCases)
    func makingSomethingElsewhereTraps(kind: Kind) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            let loop = try EventLoop.onOwnThread(name: "other")
            switch kind {
            case .bound: _ = LoopBound(1, loop: loop)
            case .connect:
                _ = SocketStream.connect(loop: loop, to: try loopback(1), timeout: .seconds(1)) { _ in }
            case .listener: _ = try Listener(loop: loop, address: loopback(), reusePort: false) { _, _ in }
            case .resolver: _ = try Resolver(loop: loop)
            case .signal: _ = loop.onSignal(SIGUSR1) {}
            case .stream: _ = SocketStream(loop: loop, socket: unconnectedSocket())
            case .timer: _ = loop.timer(after: .zero) {}
            }
        }
        #expect(trap(of: result).contains("on a thread that is not the loop's"))
    }

    @Test func releasingAStreamElsewhereTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loop = try EventLoop()
            nonisolated(unsafe) var stream: SocketStream? = SocketStream(loop: loop, socket: unconnectedSocket())
            #expect(stream != nil)
            onAnotherThread { stream = nil }
        }
        #expect(trap(of: result).contains("SocketStream released on a thread that is not the loop's"))
    }

    @Test func afterTheLoopsEndAnythingMayBeReleasedAnywhere() throws {
        let loop = try EventLoop.onOwnThread(name: "ended")
        nonisolated(unsafe) var kept: [AnyObject] = []
        try on(loop) {
            kept = [
                SocketStream(loop: loop, socket: unconnectedSocket()),
                try Listener(loop: loop, address: loopback(), reusePort: false) { _, _ in },
                loop.timer(after: .seconds(3_600)) {},
                SocketStream.connect(loop: loop, to: try loopback(1), timeout: .seconds(3_600)) { _ in },
                try Resolver(loop: loop),
            ]
        }
        #expect(kept.count == 5)
        loop.stop()
        loop.join()
        onAnotherThread { kept = [] }
    }

    /// A resolver may be what holds the loop last; in a process of its own, since what is freed twice may spoil another test.
    @Test func aResolverMayOutliveItsLoop() async {
        await #expect(processExitsWith: .success) {
            Self.overwriteFreedMemory()
            for _ in 0..<10 {
                var loop: EventLoop? = try EventLoop.onOwnThread(name: "ended")
                let resolver = try loop?.call { [loop] in try loop.map { LoopBound(try Resolver(loop: $0), loop: $0) } }
                loop?.stop()
                loop?.join()
                loop = nil
                withExtendedLifetime(resolver) {}
            }
        }
    }

    /// Has the allocator overwrite what is freed, so that whoever still uses it notices: mallopt(3), M_PERTURB.
    private static func overwriteFreedMemory() {
        typealias Option = @convention(c) (Int32, Int32) -> Int32
        if let address = dlsym(nil, "mallopt") { _ = unsafeBitCast(address, to: Option.self)(-6, 0xA5) }
    }

    @Test func readingALoopBoundValueElsewhereTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loop = try EventLoop.onOwnThread(name: "bound")
            _ = LoopBound(sending: 1, loop: loop).value
        }
        #expect(trap(of: result).contains("value on a thread that is not the loop's"))
    }

    @Test func writingALoopBoundValueElsewhereTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loop = try EventLoop.onOwnThread(name: "bound")
            LoopBound(sending: 1, loop: loop).value = 2
        }
        #expect(trap(of: result).contains("value on a thread that is not the loop's"))
    }

    @Test func runningALoopTwiceTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loop = try EventLoop()
            loop.stop()
            loop.run()
            loop.run()
        }
        #expect(trap(of: result).contains("a loop runs once"))
    }

    @Test func watchingSignalsOnTwoLoopsTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (one, two) = (try EventLoop(), try EventLoop())
            let first = one.onSignal(SIGUSR1) {}
            let second = two.onSignal(SIGUSR2) {}
            withExtendedLifetime((first, second)) {}
        }
        #expect(trap(of: result).contains("signals are watched by another loop"))
    }
}

/// What a process that trapped said last.
private func trap(of result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

/// A TCP socket that leads nowhere.
private func unconnectedSocket() -> Socket {
    let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    return Socket(owning: socket(AF_INET, Int32(type), 0))
}

/// Runs `body` on a new thread and waits for it.
private func onAnotherThread(_ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        done.signal()
    }
    done.wait()
}
