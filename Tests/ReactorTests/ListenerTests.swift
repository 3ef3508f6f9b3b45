import Foundation
import Reactor
import Testing
import Wire

@Suite struct ListenerTests {
    @Test func portZeroTellsThePortAndThePeer() throws {
        try withLoop { fixture in
            var peer: SocketAddress?
            let listener = try Listener(loop: fixture.loop, address: loopback(), reusePort: false) { socket, address in
                let stream = SocketStream(loop: fixture.loop, socket: socket)
                #expect(stream.peerAddress == address)
                peer = address
            }
            fixture.keep(listener)
            #expect(listener.localAddress.port != 0)
            #expect(try listener.localAddress == loopback(listener.localAddress.port))
            let attempt = SocketStream.connect(
                loop: fixture.loop, to: listener.localAddress, timeout: .seconds(30)
            ) { result in
                fixture.attempt {
                    let client = try fixture.keep(result.get())
                    #expect(client.peerAddress == listener.localAddress)
                    client.onReadable = {
                        #expect(peer == client.localAddress)
                        fixture.finish()
                    }
                    client.wantsReadable = true
                }
            }
            fixture.keep(attempt)
        }
    }

    @Test func bothFamiliesReachAListenerOnEveryAddress() throws {
        try withLoop { fixture in
            var peers: Set<SocketAddress> = []
            var clients: Set<SocketAddress?> = []
            let everything = try #require(SocketAddress(address: "::", port: 0))
            let listener = try Listener(loop: fixture.loop, address: everything, reusePort: false) { _, peer in
                peers.insert(peer)
                if peers.count == 2 && clients.count == 2 { fixture.finish() }
            }
            fixture.keep(listener)
            for address in ["127.0.0.1", "::1"] {
                let target = try #require(SocketAddress(address: address, port: listener.localAddress.port))
                let attempt = SocketStream.connect(loop: fixture.loop, to: target, timeout: .seconds(30)) { result in
                    fixture.attempt { clients.insert(fixture.keep(try result.get()).localAddress) }
                    if peers.count == 2 && clients.count == 2 { fixture.finish() }
                }
                fixture.keep(attempt)
            }
            // The IPv4 client too, though the listener's socket is an IPv6 one.
            fixture.atEnd { #expect(peers == clients) }
        }
    }

    @Test func aTakenPortIsAnErrorWithItsNumber() throws {
        let loop = try EventLoop()
        let first = try Listener(loop: loop, address: loopback(), reusePort: false) { _, _ in }
        let error = #expect(throws: ReactorError.self) {
            try Listener(loop: loop, address: first.localAddress, reusePort: false) { _, _ in }
        }
        #expect(error?.errno == EADDRINUSE)
        #expect(error?.operation == "listen on \(first.localAddress)")
    }

    @Test func aPortIsSharedOnlyIfAllListenersSaySo() throws {
        let loop = try EventLoop()
        let first = try Listener(loop: loop, address: loopback(), reusePort: true) { _, _ in }
        let second = try Listener(loop: loop, address: first.localAddress, reusePort: true) { _, _ in }
        #expect(second.localAddress == first.localAddress)
        let error = #expect(throws: ReactorError.self) {
            try Listener(loop: loop, address: first.localAddress, reusePort: false) { _, _ in }
        }
        #expect(error?.errno == EADDRINUSE)
    }

    @Test func listenersOfTwoLoopsShareAPort() throws {
        let loops = [try EventLoop.onOwnThread(name: "one"), try EventLoop.onOwnThread(name: "two")]
        let accepted = Shared<[Int]>([0, 0])
        let listen = { @Sendable (index: Int, address: SocketAddress) throws -> LoopBound<Listener> in
            try on(loops[index]) {
                let listener = try Listener(loop: loops[index], address: address, reusePort: true) { socket, _ in
                    #expect(loops[index].isCurrent)
                    accepted.update { $0[index] += 1 }
                    // The client counts the connection when it ends.
                    SocketStream(loop: loops[index], socket: socket).close()
                }
                return LoopBound(listener, loop: loops[index])
            }
        }
        let first = try listen(0, loopback())
        let address = try on(loops[0]) { first.value.localAddress }
        let second = try listen(1, address)

        // The kernel spreads by hash: a few hundred connections reach both.
        let total = 300
        try withLoop { fixture in
            var ended = 0
            for _ in 0..<total {
                let attempt = SocketStream.connect(loop: fixture.loop, to: address, timeout: .seconds(30)) { result in
                    fixture.attempt {
                        let client = fixture.keep(try result.get())
                        client.onReadable = {
                            client.close()
                            ended += 1
                            if ended == total { fixture.finish() }
                        }
                        client.wantsReadable = true
                    }
                }
                fixture.keep(attempt)
            }
        }
        let counts = accepted.current
        #expect(counts[0] + counts[1] == total)
        #expect(counts[0] > 0 && counts[1] > 0)
        for loop in loops { loop.stop() }
        for loop in loops { loop.join() }
        withExtendedLifetime((first, second)) {}
    }

    @Test func aListenerMayBeClosedAndReleasedInItsOwnCallback() throws {
        try withLoop { fixture in
            var listener: Listener?
            var accepted = 0
            var outcomes: [Bool] = []
            listener = try Listener(loop: fixture.loop, address: loopback(), reusePort: false) { _, _ in
                accepted += 1
                listener?.close()
                listener = nil
            }
            let address = try #require(listener).localAddress
            for _ in 0..<3 {
                let attempt = SocketStream.connect(loop: fixture.loop, to: address, timeout: .seconds(30)) { result in
                    if case .success(let stream) = result { fixture.keep(stream) }
                    outcomes.append((try? result.get()) != nil)
                    if outcomes.count == 3 { fixture.finish() }
                }
                fixture.keep(attempt)
            }
            fixture.atEnd { #expect(accepted == 1) }
        }
    }

    /// In a process of its own, since the limit is the process's.
    @Test func withoutDescriptorsAcceptingPausesAndGoesOn() async {
        await #expect(processExitsWith: .success) {
            try withLoop(limit: .seconds(30)) { fixture in
                var accepted: [SocketStream] = []
                var told: [String] = []
                var limit: rlim_t = 0
                let listener = try Listener(loop: fixture.loop, address: loopback(), reusePort: false) { socket, _ in
                    accepted.append(SocketStream(loop: fixture.loop, socket: socket))
                    if accepted.count == 1 { limit = setDescriptorLimit(0) }
                    if accepted.count == 2 { fixture.finish() }
                }
                listener.onPause = { error in
                    told.append("pause \(error.errno == EMFILE)")
                    // It is tried in vain a few times more, of which nothing is told.
                    let end = fixture.loop.timer(after: .milliseconds(350)) { setDescriptorLimit(limit) }
                    fixture.keep(end)
                }
                listener.onResume = { told.append("resume") }
                fixture.keep(listener)
                for _ in 0..<2 {
                    let attempt = SocketStream.connect(
                        loop: fixture.loop, to: listener.localAddress, timeout: .seconds(30)
                    ) { result in
                        fixture.attempt { fixture.keep(try result.get()) }
                    }
                    fixture.keep(attempt)
                }
                fixture.atEnd { #expect(told == ["pause true", "resume"]) }
            }
        }
    }

    @Test func acceptedSocketsNeverBlockAreNotInheritedAndSendAtOnce() throws {
        try withLoop { fixture in
            let listener = try Listener(loop: fixture.loop, address: loopback(), reusePort: false) { socket, _ in
                var value: Int32 = 0
                var length = socklen_t(MemoryLayout<Int32>.size)
                #expect(getsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &length) == 0)
                #expect(value == 1)
                #expect(fcntl(socket.descriptor, F_GETFL) & O_NONBLOCK != 0)
                #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
                fixture.finish()
            }
            fixture.keep(listener)
            let attempt = SocketStream.connect(
                loop: fixture.loop, to: listener.localAddress, timeout: .seconds(30)
            ) { result in
                fixture.attempt { fixture.keep(try result.get()) }
            }
            fixture.keep(attempt)
        }
    }
}
