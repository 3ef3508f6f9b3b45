import Foundation
import Reactor
import Testing
import Wire

@Suite struct DescriptorTests {
    /// In a process of its own, since other tests open descriptors too.
    @Test func aThousandConnectionsLeaveNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            // Whatever the runtime opens when it is first used is open afterwards.
            try openAndCloseConnections(3)
            let before = try countOpenDescriptors()
            try openAndCloseConnections(1_000)
            #expect(try countOpenDescriptors() == before)
        }
    }
}

/// Connects, exchanges a byte and ends in all the ways there are, ten connections at a time.
private func openAndCloseConnections(_ total: Int) throws {
    let loop = try EventLoop.onOwnThread(name: "server")
    let server = try on(loop) { LoopBound(try ByteServer(loop: loop), loop: loop) }
    let address = try on(loop) { server.value.listener.localAddress }
    try withLoop { fixture in
        var (started, ended) = (0, 0)
        var attempts: [Int: ConnectAttempt] = [:]
        func start() {
            guard started < total else { return }
            let number = started
            started += 1
            attempts[number] = SocketStream.connect(loop: fixture.loop, to: address, timeout: .seconds(30)) { result in
                attempts[number] = nil
                fixture.attempt {
                    var stream: SocketStream? = try result.get()
                    stream?.onReadable = {
                        if number % 4 == 0 { stream?.close() }
                        if number % 4 == 1 { stream?.reset() }
                        if number % 4 == 2 { stream?.finishWriting() }
                        stream = nil
                        ended += 1
                        if ended == total { fixture.finish() } else { start() }
                    }
                    stream?.wantsReadable = true
                }
            }
        }
        for _ in 0..<10 { start() }
    }
    loop.stop()
    loop.join()
}

/// Sends a byte to whoever connects, and closes when the peer does.
private final class ByteServer {
    private(set) var listener: Listener!
    private var streams: [ObjectIdentifier: SocketStream] = [:]

    init(loop: EventLoop) throws {
        listener = try Listener(loop: loop, address: loopback(), reusePort: false) { [unowned self] socket, _ in
            let stream = SocketStream(loop: loop, socket: socket)
            let identity = ObjectIdentifier(stream)
            streams[identity] = stream
            _ = stream.write(from: ByteQueue([1]))
            stream.onReadable = { [unowned self] in streams[identity] = nil }
            stream.wantsReadable = true
        }
    }
}
