import Foundation
import Reactor
import Testing
import Wire

@Suite struct SocketStreamTests {
    @Test func bothWaysAreFinishedOneByOne() throws {
        try withLoop { fixture in
            try fixture.withPair { client, server in
                let (request, answer) = (ByteQueue(), ByteQueue())
                server.onReadable = {
                    switch server.read(into: request, upTo: 1_024) {
                    case .bytes: break
                    case .end:
                        #expect(request.takeAll() == Array("question".utf8))
                        #expect(!server.wantsReadable, "nothing more can come")
                        // The other direction is still open.
                        #expect(server.write(from: ByteQueue(Array("answer".utf8))) == .drained)
                        server.finishWriting()
                    case let other: Issue.record("unexpected \(other)")
                    }
                }
                client.onReadable = {
                    switch client.read(into: answer, upTo: 1_024) {
                    case .bytes: break
                    case .end:
                        #expect(answer.takeAll() == Array("answer".utf8))
                        #expect(client.read(into: answer, upTo: 1) == .end)
                        fixture.finish()
                    case let other: Issue.record("unexpected \(other)")
                    }
                }
                (server.wantsReadable, client.wantsReadable) = (true, true)
                #expect(client.write(from: ByteQueue(Array("question".utf8))) == .drained)
                client.finishWriting()
            }
        }
    }

    @Test func aReadBringsAtMostWhatWasAskedForAndTheRestIsToldAgain() throws {
        try withLoop { fixture in
            try fixture.withPair { client, server in
                var sizes: [Int] = []
                // It has room for more than is asked for.
                let received = ByteQueue([UInt8](repeating: 0, count: 100))
                received.consume(100)
                server.onReadable = {
                    guard case .bytes(let count) = server.read(into: received, upTo: 4) else { return }
                    sizes.append(count)
                    if received.count == 10 {
                        #expect(server.read(into: received, upTo: 4) == .wouldBlock)
                        #expect(sizes == [4, 4, 2])
                        #expect(received.takeAll() == Array(0..<10))
                        fixture.finish()
                    }
                }
                server.wantsReadable = true
                #expect(client.write(from: ByteQueue(Array(0..<10))) == .drained)
            }
        }
    }

    @Test func aResetIsSeenAsSuch() throws {
        try withLoop { fixture in
            try fixture.withPair { client, server in
                server.onReadable = {
                    #expect(server.read(into: ByteQueue(), upTo: 16) == .failed(errno: ECONNRESET))
                    #expect(!server.wantsReadable, "nothing more can come")
                    // A broken connection is an error, never a SIGPIPE.
                    #expect(server.write(from: ByteQueue([1])) == .failed(errno: EPIPE))
                    #expect(server.peerAddress == nil)
                    fixture.finish()
                }
                server.wantsReadable = true
                client.reset()
                client.reset()
            }
        }
    }

    @Test func closingWithoutResetIsSeenAsTheEnd() throws {
        try withLoop { fixture in
            try fixture.withPair { client, server in
                let received = ByteQueue()
                server.onReadable = {
                    if server.read(into: received, upTo: 16) == .end {
                        #expect(received.takeAll() == [7], "what was written is delivered first")
                        fixture.finish()
                    }
                }
                server.wantsReadable = true
                #expect(client.write(from: ByteQueue([7])) == .drained)
                client.close()
            }
        }
    }

    @Test func aFullKernelTakesTheRestLater() throws {
        try withLoop { fixture in
            try fixture.withPair { client, server in
                let total = 32 << 20
                let outgoing = ByteQueue([UInt8](repeating: 0x5a, count: total))
                #expect(client.write(from: outgoing) == .wouldBlock)
                let waiting = outgoing.count
                #expect(waiting > 0 && waiting < total)
                let unsent = client.unsentBytes
                #expect(unsent > 0 && unsent <= total - waiting)
                client.onWritable = {
                    #expect(server.wantsReadable, "not writable before the peer reads")
                    if client.write(from: outgoing) == .drained {
                        client.wantsWritable = false
                        client.finishWriting()
                    }
                }
                client.wantsWritable = true
                var received = 0
                server.onReadable = {
                    let queue = ByteQueue()
                    switch server.read(into: queue, upTo: 256 << 10) {
                    case .bytes(let count): received += count
                    case .end:
                        #expect(received == total)
                        // The last acknowledgement may still be under way.
                        #expect(client.unsentBytes < unsent)
                        fixture.finish()
                    case let other: Issue.record("unexpected \(other)")
                    }
                }
                // Only now: the client had at least a turn in which nothing was writable.
                fixture.keep(fixture.loop.timer(after: .milliseconds(10)) { server.wantsReadable = true })
            }
        }
    }

    @Test func callbacksComeOnlyWhileWanted() throws {
        try withLoop { fixture in
            try fixture.withPair { client, server in
                var (readable, writable) = (0, 0)
                func check() {
                    guard readable == 3 && writable == 3 else { return }
                    fixture.after(turns: 5) {
                        #expect(readable == 3)
                        #expect(writable == 3)
                        fixture.finish()
                    }
                }
                server.onReadable = {
                    readable += 1
                    if readable == 3 { server.wantsReadable = false }
                    check()
                }
                client.onWritable = {
                    writable += 1
                    if writable == 3 { client.wantsWritable = false }
                    check()
                }
                server.wantsReadable = true
                (server.wantsReadable, server.wantsReadable) = (false, true)
                (client.wantsWritable, client.wantsWritable) = (true, true)
                // It is never read, so it would be readable in every turn.
                #expect(client.write(from: ByteQueue([1])) == .drained)
            }
        }
    }

    @Test func withoutACallbackTheStreamIsNoLongerWatched() throws {
        try withLoop { fixture in
            try fixture.withPair { client, server in
                server.wantsReadable = true
                client.wantsWritable = true
                #expect(client.write(from: ByteQueue([1])) == .drained)
                fixture.after(turns: 5) {
                    #expect(!server.wantsReadable)
                    #expect(!client.wantsWritable)
                    fixture.finish()
                }
            }
        }
    }

    @Test func aStreamMayBeClosedInItsOwnCallback() throws {
        try withLoop { fixture in
            try fixture.withPair { client, server in
                var calls = 0
                // Both are due in the same turn; whichever comes first closes the stream under the other.
                let close = {
                    calls += 1
                    server.close()
                    server.close()
                }
                (server.onReadable, server.onWritable) = (close, close)
                #expect(client.write(from: ByteQueue([1])) == .drained)
                fixture.after(turns: 2) { (server.wantsReadable, server.wantsWritable) = (true, true) }
                client.onReadable = {
                    // Closed with something unread, so it is a RST.
                    #expect(client.read(into: ByteQueue(), upTo: 1) == .failed(errno: ECONNRESET))
                    #expect(calls == 1)
                    fixture.finish()
                }
                client.wantsReadable = true
            }
        }
    }

    @Test func aStreamMayBeReleasedInItsOwnCallback() throws {
        try withLoop { fixture in
            var server: SocketStream?
            var calls = 0
            let listener = try Listener(loop: fixture.loop, address: loopback(), reusePort: false) { socket, _ in
                let stream = SocketStream(loop: fixture.loop, socket: socket)
                stream.onWritable = {
                    calls += 1
                    // The last reference.
                    server = nil
                }
                stream.onReadable = stream.onWritable
                (stream.wantsReadable, stream.wantsWritable) = (true, true)
                server = stream
            }
            fixture.keep(listener)
            let attempt = SocketStream.connect(
                loop: fixture.loop, to: listener.localAddress, timeout: .seconds(30)
            ) { result in
                fixture.attempt {
                    let client = try fixture.keep(result.get())
                    client.onReadable = {
                        #expect(client.read(into: ByteQueue(), upTo: 1) == .end)
                        #expect(server == nil && calls == 1)
                        fixture.finish()
                    }
                    client.wantsReadable = true
                }
            }
            fixture.keep(attempt)
        }
    }

    @Test func aClosedStreamAnswersAsAClosedDescriptorDoes() throws {
        try withLoop { fixture in
            try fixture.withPair { client, _ in
                #expect(client.isOpen)
                client.onReadable = {}
                client.close()
                #expect(!client.isOpen)
                #expect(client.onReadable == nil, "cycles end with the stream")
                #expect(client.read(into: ByteQueue(), upTo: 1) == .failed(errno: EBADF))
                #expect(client.write(from: ByteQueue([1])) == .failed(errno: EBADF))
                client.wantsReadable = true
                #expect(!client.wantsReadable)
                client.finishWriting()
                #expect(client.unsentBytes == 0)
                #expect(client.localAddress == nil && client.peerAddress == nil)
                fixture.finish()
            }
        }
    }
}
