import Glibc
import Interception
import Reactor
import TestSupport
import Testing
import Transcript

@testable import Engine

/// Whatever peers do, in whatever phase, on either side: every connection ends, once, and nothing of it is left.
@Suite struct ProxyChaosTests {
    /// In a process of its own, since other tests open descriptors too.
    @Test func nothingIsLeftOfWhateverPeersDo() async {
        await #expect(processExitsWith: .success) {
            let chaos = try await Chaos()
            // Whatever is made on first use is there afterwards.
            try await chaos.run(200)
            let before = try await chaos.settled()
            try await chaos.run(hasAddressSanitizer ? 10_000 : 800)
            #expect(try await chaos.settled() == before)
            #expect(before.connections == [0, 0])
            try await chaos.expectServed()
        }
    }
}

/// A proxy between clients and origins that do what chance says; what the proxy records is looked at.
private final class Chaos: Sendable {
    /// What is open.
    struct Census: Equatable {
        var descriptors: Int
        var connections: [Int]
        var events: [Int]
    }

    private let stage: Stage
    private let accepting: Task<Void, Never>
    /// How many connections were made, and how many origins are still at it.
    private let made = Watched(0)
    private let origins: Watched<Int>

    init() async throws {
        let stage = try await Stage {
            $0.workers = 2
            $0.limits.greeting = .milliseconds(300)
            $0.limits.silence = .milliseconds(100)
            $0.limits.hello = .milliseconds(300)
            $0.limits.handshake = .milliseconds(500)
            $0.limits.idle = .milliseconds(500)
            $0.limits.drain = .milliseconds(300)
        }
        let origins = Watched(0)
        (self.stage, self.origins) = (stage, origins)
        accepting = Task {
            var seed: UInt64 = 0
            while !Task.isCancelled {
                guard let peer = try? await stage.origin.accept() else { continue }
                seed += 1
                origins.update { $0 += 1 }
                Task { [seed] in
                    var chance = ChaosPeer(seed: seed)
                    // What becomes of a peer is chance too.
                    try? await chance.beOrigin(peer, of: stage)
                    try? await peer.close()
                    origins.update { $0 -= 1 }
                }
            }
        }
    }

    deinit { accepting.cancel() }

    /// Makes so many connections, fifty at a time, and sees that each of them has its beginning and its end.
    func run(_ count: Int) async throws {
        for start in stride(from: 0, to: count, by: 50) {
            await withTaskGroup(of: Void.self) { group in
                for _ in start..<min(start + 50, count) {
                    let number = made.update { made in
                        made += 1
                        return made
                    }
                    let stage = stage
                    group.addTask {
                        var chance = ChaosPeer(seed: UInt64(number) << 32)
                        try? await chance.beClient(of: stage)
                    }
                }
            }
            try await stage.log.closed(made.current)
            let events = stage.log.all.filter { $0.connection != nil }
            stage.log.forget()
            for (number, story) in Dictionary(grouping: events, by: \.connection) {
                let lines = story.map(\.kind.line)
                #expect(lines.first == "opened", "connection \(number ?? 0)")
                #expect(lines.last?.hasPrefix("closed ") == true, "connection \(number ?? 0): \(lines)")
                #expect(lines.count { $0.hasPrefix("closed ") } == 1, "connection \(number ?? 0): \(lines)")
            }
            let numbers = Set(events.compactMap(\.connection))
            #expect(numbers == Set(UInt64(made.current - min(50, count - start)) + 1...UInt64(made.current)))
        }
    }

    /// What is open once the peers have left.
    func settled() async throws -> Census {
        try await origins.wait("the origins' end") { $0 == 0 }
        var last = try await census()
        // The peers' sockets are closed a moment later; nothing tells when.
        try await repeatedly(until: "no connection") {
            let now = try await census()
            defer { last = now }
            return now == last && now.connections.allSatisfy { $0 == 0 }
        }
        return last
    }

    private func census() async throws -> Census {
        var (connections, events): ([Int], [Int]) = ([], [])
        for worker in stage.proxy.workers {
            let counts = try await worker.loop.perform { (worker.value.connections.count, worker.loop.waitingEvents) }
            connections.append(counts.0)
            events.append(counts.1)
        }
        return Census(descriptors: try openDescriptors(), connections: connections, events: events)
    }

    /// After all that, a connection that is in order is served.
    func expectServed() async throws {
        accepting.cancel()
        let client = try await stage.connectedClient()
        // The one that accepts chaos takes one more at most.
        try await client.beginTLS(to: .required(testHost), stage.clientContext())
        try await client.handshakeOver()
        #expect(client.seen.wire.received > 0)
        try await client.close()
    }
}
