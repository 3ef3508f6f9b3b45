import Crypto
import Engine
import Interception
import Reactor
import TestSupport
import Testing
import Transcript
import Wire

/// Time limits of each phase, and how the proxy stops.
@Suite struct ProxyLimitTests {
    @Test func silentClientIsClosedWithoutAWord() async throws {
        let stage = try await Stage { $0.limits.greeting = .milliseconds(100) }
        let client = try await stage.client()
        #expect(try await client.ended() == .fin)
        #expect(client.seen.count == 0)
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.failures == [.timeout])
        #expect(story.closed.phase == .greeting)
    }

    /// The limit is for the whole request: a client that sends now and then does not stretch it.
    @Test func slowRequestGets408() async throws {
        let stage = try await Stage { $0.limits.greeting = .seconds(2) }
        let client = try await stage.client(sending: "CONNECT ")
        try await repeatedly(until: "an answer") {
            try await client.send("x")
            try await client.turns(50)
            return client.seen.count > 0
        }
        #expect(try await client.ended() == .fin)
        #expect(client.seen.text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    }

    /// C68: a stalled hello ends by its limit, and others are served meanwhile.
    @Test func stalledHellosEndByTheirLimitAndHoldNobodyUp() async throws {
        let stage = try await Stage { $0.limits.hello = .seconds(3) }
        var stalled: [Peer] = []
        for _ in 0..<50 {
            let client = try await stage.client()
            // In one piece: the limit counts from the CONNECT.
            try await client.send(
                Array("CONNECT \(testHost):443 HTTP/1.1\r\n\r\n".utf8)
                    + [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03])
            stalled.append(client)
        }
        for (index, client) in stalled.enumerated() {
            #expect(try await client.ended() == .fin)
            try await client.close()
            let story = try await stage.log.story(of: UInt64(index + 1))
            let details = story.kinds.compactMap { if case .failed(let failure) = $0 { failure.detail } else { nil } }
            #expect(details == ["the ClientHello stayed incomplete (10 octets)"])
        }
    }

    @Test func clientThatStallsInItsHandshakeEndsByItsLimit() async throws {
        let stage = try await Stage { $0.limits.handshake = .seconds(3) }
        let client = try await stage.connectedClient()
        try await client.setReading(false)
        try await client.beginTLS(to: .required(testHost), stage.clientContext())
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        #expect(try await origin.ended() == .fin)
        try await origin.close()
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.failures == [.timeout])
        #expect(story.lines.contains("wire client received"))
    }

    /// The idle limit starts anew with each byte in either direction.
    @Test func idleConnectionEndsByItsLimitAndABusyOneDoesNot() async throws {
        let stage = try await Stage {
            $0.decision = .tunnel; $0.limits.idle = .seconds(3)
        }
        let (client, origin) = try await stage.tunnelledPair()
        try await client.countOnly()
        // In turns, each twice as often as the limit allows; the loop does it, whatever keeps the test.
        try await client.keep(every: 1400) { $0.send([1]) }
        try await origin.keep(every: 1400) { $0.send([2]) }
        try await client.wait("several times the limit to pass") { $0.count >= 5 }
        #expect(client.seen.end == nil)
        try await client.rest()
        try await origin.rest()
        #expect(try await client.ended() == .fin)
        #expect(try await origin.ended() == .fin)
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.failures == [.timeout])
        #expect(story.closed.by == .proxy)
        #expect(story.closed.originBytes >= 5)
    }

    /// A slow client is not an idle one: it takes bytes that the kernel has had for long.
    @Test func clientThatTakesBytesSlowlyIsNotIdle() async throws {
        let stage = try await Stage {
            $0.decision = .tunnel; $0.limits.idle = .seconds(6)
        }
        let (client, origin) = try await stage.tunnelledPair(receiveBuffer: 4096)
        try await client.setReading(false)
        try await client.countOnly()
        try await client.keep(every: 200) { $0.read(1024) }
        // As much as the proxy's kernel takes from the origin whatever the client does.
        try await origin.send([UInt8](repeating: 7, count: 60_000))
        try await origin.delivered()
        try await client.wait("several times the limit to pass") { $0.count >= 45 * 1024 || $0.end != nil }
        #expect(client.seen.end == nil)
        // Once it takes nothing more, its limit runs out, with the rest still on its way.
        try await client.rest()
        try await stage.log.first("the limit") { if case .failed(let failure) = $0 { failure } else { nil } }
        #expect(try await origin.ended() == .fin)
    }

    // MARK: Stopping

    @Test(arguments: [1, 2]) func drainEndsIdleConnectionsAndLetsBusyOnesFinish(_ workers: Int) async throws {
        let stage = try await Stage {
            $0.decision = .tunnel; $0.workers = workers
        }
        var pairs: [(client: Peer, origin: Peer)] = []
        for _ in 0..<4 { pairs.append(try await stage.tunnelledPair(receiveBuffer: 65_536)) }
        let busy = pairs.removeLast()
        // Quiet for half a second: idle. A peer for whom bytes wait is busy however quiet it is.
        try await busy.client.setReading(false)
        try await busy.origin.send(pattern(1 << 20))
        try await pairs[0].client.turns(700)
        async let drained: Void = Self.drain(stage)
        for (client, origin) in pairs {
            #expect(try await client.ended() == .fin)
            #expect(try await origin.ended() == .fin)
            try await client.close()
        }
        try await Self.drainHasBegun(stage)
        // The busy one is served to its end.
        try await busy.client.setReading(true)
        expectSame(try await busy.client.receive(1 << 20), pattern(1 << 20))
        try await busy.client.sendFIN()
        #expect(try await busy.origin.ended() == .fin)
        try await busy.origin.sendFIN()
        try await drained
        for connection in 1...3 as ClosedRange<UInt64> {
            #expect(try await stage.log.story(of: connection).closed.by == .proxy)
        }
        let closed = try await stage.log.story(of: 4).closed
        #expect(closed.by == .client)
    }

    /// Whoever does not finish is ended by the limit; nobody new is served.
    @Test func drainEndsByItsLimit() async throws {
        let stage = try await Stage {
            $0.decision = .tunnel; $0.limits.drain = .milliseconds(200)
        }
        let (client, origin) = try await stage.tunnelledPair()
        try await client.send("busy")
        _ = try await origin.receive(4)
        let start = ContinuousClock.now
        try await Self.drain(stage)
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        _ = try await client.ended()
        _ = try await origin.ended()
        #expect(try await stage.log.story().closed.by == .proxy)
        await #expect(throws: Unfulfilled.self) { try await stage.client() }
    }

    @Test func drainCanBeInterrupted() async throws {
        let stage = try await Stage { $0.decision = .tunnel }
        let (client, origin) = try await stage.tunnelledPair()
        try await client.send("busy")
        _ = try await origin.receive(4)
        try await Self.drain(stage, interrupted: true)
        _ = try await client.ended()
        #expect(try await stage.log.story().closed.by == .proxy)
    }

    /// A slow client that is still taking what was sent is busy, and gets it.
    @Test func drainDoesNotCutASlowClientOff() async throws {
        let stage = try await Stage { $0.decision = .tunnel }
        let (client, origin) = try await stage.tunnelledPair(receiveBuffer: 4096)
        try await client.setReading(false)
        let bytes = pattern(60_000)
        try await origin.send(bytes)
        try await origin.delivered()
        // Long enough to count as idle, were it not for what the client has still to take.
        try await client.turns(700)
        async let drained: Void = Self.drain(stage)
        try await Self.drainHasBegun(stage)
        try await client.setReading(true)
        expectSame(try await client.receive(bytes.count), bytes)
        #expect(client.seen.end == nil)
        try await client.sendFIN()
        #expect(try await origin.ended() == .fin)
        try await origin.sendFIN()
        try await drained
        #expect(try await stage.log.story().closed.by == .client)
    }

    /// Waits until nobody new is served, and a moment more: each worker is told then.
    private static func drainHasBegun(_ stage: Stage) async throws {
        try await repeatedly(until: "nobody new is served") {
            do { _ = try connectedSocket(to: stage.proxy.address) } catch { return true }
            return false
        }
        try await stage.loop.turns(200)
    }

    private static func drain(_ stage: Stage, interrupted: Bool = false) async throws {
        let done = Watched<Bool?>(nil)
        // It waits, so it needs a thread of its own.
        Thread.run {
            let isDone = (try? stage.proxy.drain(interrupted: { interrupted })) != nil
            done.update { $0 = isDone }
        }
        #expect(try await done.first("the end of draining") { $0 })
    }
}
