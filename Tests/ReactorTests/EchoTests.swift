import Foundation
import Reactor
import Testing
import Wire

@Suite struct EchoTests {
    /// More than all socket buffers between them hold, so both sides have to wait for each other.
    private static let total = 16 << 20

    @Test func sixteenMebibytesComeBackThroughTwoLoops() throws {
        let serverLoop = try EventLoop.onOwnThread(name: "echo")
        let server = try on(serverLoop) { LoopBound(try EchoServer(loop: serverLoop), loop: serverLoop) }
        let address = try on(serverLoop) { server.value.listener.localAddress }

        try withLoop { fixture in
            let attempt = SocketStream.connect(loop: fixture.loop, to: address, timeout: .seconds(30)) { result in
                fixture.attempt {
                    let client = EchoClient(stream: try result.get(), total: Self.total) { fixture.finish() }
                    fixture.keep(client).start()
                }
            }
            fixture.keep(attempt)
        }
        serverLoop.stop()
        serverLoop.join()
    }
}

/// Sends back what it gets, holding at most what one read brought.
private final class EchoServer {
    private(set) var listener: Listener!
    private var connections: [ObjectIdentifier: SocketStream] = [:]

    init(loop: EventLoop) throws {
        listener = try Listener(loop: loop, address: loopback(), reusePort: false) { [unowned self] socket, _ in
            serve(SocketStream(loop: loop, socket: socket))
        }
    }

    private func serve(_ stream: SocketStream) {
        let identity = ObjectIdentifier(stream)
        let waiting = ByteQueue()
        connections[identity] = stream
        let flush = { [unowned stream] in
            let isDrained = stream.write(from: waiting) == .drained
            (stream.wantsReadable, stream.wantsWritable) = (isDrained, !isDrained)
        }
        stream.onWritable = flush
        stream.onReadable = { [unowned self, unowned stream] in
            switch stream.read(into: waiting, upTo: 256 << 10) {
            case .bytes: flush()
            case .wouldBlock: break
            case .end, .failed: connections[identity] = nil
            }
        }
        stream.wantsReadable = true
    }
}

/// Sends a pattern and checks what comes back.
private final class EchoClient {
    private let stream: SocketStream
    private let pattern: [UInt8]
    private let outgoing = ByteQueue()
    private let incoming = ByteQueue()
    private var sent = 0
    private var received = 0
    private let finish: () -> Void

    init(stream: SocketStream, total: Int, finish: @escaping () -> Void) {
        self.stream = stream
        self.finish = finish
        // Two blocks that change places are noticed: the period is no power of two.
        let period = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 167) }
        var pattern: [UInt8] = []
        while pattern.count < total { pattern += period }
        self.pattern = Array(pattern.prefix(total))
    }

    func start() {
        stream.onReadable = { [unowned self] in readSome() }
        stream.onWritable = { [unowned self] in writeSome() }
        (stream.wantsReadable, stream.wantsWritable) = (true, true)
    }

    private func writeSome() {
        if outgoing.isEmpty {
            let end = min(sent + 100_000, pattern.count)
            outgoing.append(Array(pattern[sent..<end]))
            sent = end
        }
        if stream.write(from: outgoing) == .drained && sent == pattern.count { stream.wantsWritable = false }
    }

    private func readSome() {
        switch stream.read(into: incoming, upTo: 256 << 10) {
        case .bytes: break
        case .wouldBlock: return
        case let end:
            Issue.record("\(end) after \(received) bytes")
            return finish()
        }
        let isExpected = incoming.withBytes { bytes in
            pattern.withUnsafeBytes { pattern in
                guard let start = bytes.baseAddress, let expected = pattern.baseAddress else { return false }
                guard received + bytes.count <= pattern.count else { return false }
                return memcmp(expected + received, start, bytes.count) == 0
            }
        }
        received += incoming.count
        incoming.consume(incoming.count)
        if !isExpected { Issue.record("wrong bytes before \(received)") }
        if !isExpected || received == pattern.count {
            stream.close()
            finish()
        }
    }
}
