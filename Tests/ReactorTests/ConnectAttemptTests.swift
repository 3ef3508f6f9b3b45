import Foundation
import Reactor
import Testing

@Suite struct ConnectAttemptTests {
    @Test func aRefusedConnectionTellsWhy() throws {
        try withLoop { fixture in
            let port = try BoundPort()
            let address = try loopback(port.number)
            var isInside = true
            let attempt = SocketStream.connect(loop: fixture.loop, to: address, timeout: .seconds(30)) { result in
                #expect(!isInside, "never inside the call")
                let error = failure(of: result)
                #expect(error?.errno == ECONNREFUSED)
                #expect(error?.operation == "connect to \(address)")
                fixture.finish()
            }
            isInside = false
            fixture.keep((port, attempt))
        }
    }

    @Test func aClosedListenerRefuses() throws {
        try withLoop { fixture in
            let listener = try Listener(loop: fixture.loop, address: loopback(), reusePort: true) { _, _ in }
            // It keeps the port from others, without listening.
            let port = try BoundPort(number: listener.localAddress.port)
            listener.close()
            listener.close()
            let attempt = SocketStream.connect(
                loop: fixture.loop, to: listener.localAddress, timeout: .seconds(30)
            ) { result in
                #expect(failure(of: result)?.errno == ECONNREFUSED)
                fixture.finish()
            }
            fixture.keep((port, attempt))
        }
    }

    @Test func anAddressThatCannotBeReachedTellsWhyLater() throws {
        try withLoop { fixture in
            // connect(2) itself refuses the broadcast address for TCP: nothing is sent.
            let broadcast = try #require(SocketAddress(address: "255.255.255.255", port: 9))
            var isInside = true
            let attempt = SocketStream.connect(loop: fixture.loop, to: broadcast, timeout: .seconds(30)) { result in
                #expect(!isInside, "never inside the call")
                let errno = failure(of: result)?.errno
                #expect(errno == ENETUNREACH || errno == EACCES)
                fixture.finish()
            }
            isInside = false
            fixture.keep(attempt)
        }
    }

    @Test func aConnectionThatIsNotAnsweredEndsWithItsTimeLimit() throws {
        let port = try BoundPort()
        try port.listen(backlog: 0)
        try withLoop { fixture in
            fixture.keep(port)
            var results: [Int32?] = []
            let start = ContinuousClock.now
            for _ in 0..<4 {
                let attempt = SocketStream.connect(
                    loop: fixture.loop, to: try loopback(port.number), timeout: .milliseconds(200)
                ) { result in
                    results.append(failure(of: result)?.errno)
                    if results.count == 4 { fixture.finish() }
                    if case .success(let stream) = result { fixture.keep(stream) }
                }
                fixture.keep(attempt)
            }
            fixture.atEnd {
                // The queue of a listener with backlog 0 holds one; the kernel drops the others' SYNs.
                #expect(results.filter { $0 == nil }.count == 1)
                #expect(results.filter { $0 == ETIMEDOUT }.count == 3)
                #expect(ContinuousClock.now - start < .seconds(20))
            }
        }
    }

    @Test func aConnectionThatIsThereWhenItsTimeIsUpCounts() throws {
        try withLoop { fixture in
            let listener = try Listener(loop: fixture.loop, address: loopback(), reusePort: false) { _, _ in }
            fixture.keep(listener)
            // The kernel makes it at once; the loop sees that together with the time limit.
            let attempt = SocketStream.connect(loop: fixture.loop, to: listener.localAddress, timeout: .zero) {
                result in
                #expect(failure(of: result) == nil)
                fixture.finish()
            }
            fixture.keep(attempt)
        }
    }

    @Test func aCancelledOrReleasedAttemptIsNotCompleted() throws {
        try withLoop { fixture in
            var accepted = 0
            let listener = try Listener(loop: fixture.loop, address: loopback(), reusePort: false) { _, _ in
                accepted += 1
            }
            fixture.keep(listener)
            let cancelled = SocketStream.connect(
                loop: fixture.loop, to: listener.localAddress, timeout: .seconds(30)
            ) { _ in
                Issue.record("completed after it was cancelled")
            }
            fixture.keep(cancelled).cancel()
            cancelled.cancel()
            var released: ConnectAttempt? = SocketStream.connect(
                loop: fixture.loop, to: listener.localAddress, timeout: .seconds(30)
            ) { _ in
                Issue.record("completed after it was released")
            }
            #expect(released != nil)
            released = nil
            fixture.after(turns: 5) { fixture.finish() }
        }
    }

    @Test func anAttemptMayBeReleasedInItsCompletion() throws {
        try withLoop { fixture in
            let listener = try Listener(loop: fixture.loop, address: loopback(), reusePort: false) { _, _ in }
            fixture.keep(listener)
            var attempt: ConnectAttempt?
            attempt = SocketStream.connect(
                loop: fixture.loop, to: listener.localAddress, timeout: .seconds(30)
            ) { result in
                attempt?.cancel()
                attempt = nil
                #expect((try? result.get())?.isOpen == true)
                fixture.finish()
            }
            #expect(attempt != nil)
        }
    }

    /// In a process of its own, since the limit is the process's.
    @Test func withoutDescriptorsAnAttemptFails() async {
        await #expect(processExitsWith: .success) {
            try withLoop { fixture in
                let limit = setDescriptorLimit(0)
                let attempt = SocketStream.connect(loop: fixture.loop, to: try loopback(9), timeout: .seconds(30)) {
                    result in
                    #expect(failure(of: result)?.errno == EMFILE)
                    setDescriptorLimit(limit)
                    fixture.finish()
                }
                fixture.keep(attempt)
            }
        }
    }

    @Test func aSocketThatIsItsOwnPeerIsFound() throws {
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
        let own = Socket(owning: socket(AF_INET, Int32(type), 0))
        let before = own.isConnectedToItself()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = own.descriptor
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                #expect(bind(descriptor, raw, length) == 0)
                #expect(getsockname(descriptor, raw, &length) == 0)
                #expect(connect(descriptor, raw, length) == 0)
            }
        }
        let after = own.isConnectedToItself()
        #expect(!before && after)
    }
}

/// Why an attempt failed; nil if it did not.
private func failure(of result: Result<SocketStream, ReactorError>) -> ReactorError? {
    if case .failure(let error) = result { return error }
    return nil
}

/// A port of loopback that nobody else gets, and that nobody accepts from.
private final class BoundPort {
    private let descriptor: Int32
    let number: UInt16

    init(number: UInt16 = 0) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = number.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                try #require(bind(descriptor, raw, length) == 0)
                try #require(getsockname(descriptor, raw, &length) == 0)
            }
        }
        self.number = UInt16(bigEndian: address.sin_port)
    }

    func listen(backlog: Int32) throws { try #require(Foundation.listen(descriptor, backlog) == 0) }

    deinit { close(descriptor) }
}
