import Authority
import Crypto
import Glibc
import Interception
import Reactor
import TestSupport
import Testing
import Transcript
import Wire

@testable import Engine

/// What one connection holds in memory, whatever its peers do; looked at from inside, since kernels hold far more.
@Suite struct ProxyBoundsTests {
    /// A worker of the test's own, with one connection.
    private struct Inside {
        let loop: TestLoop
        let worker: LoopBound<Worker>
        let client: Peer
        let origin: Peer

        init() async throws {
            let loop = try TestLoop()
            self.loop = loop
            let listener = try await PeerListener(on: loop.loop)
            let now = Int64(time(nil))
            var configuration = ProxyConfiguration(
                listen: .anyLoopbackPort, authority: try .ephemeral(now: now), originTrust: try TrustStore(anchors: []))
            configuration.rules = RuleBook([
                Rule(try .required("*"), .refuse), Rule(try .required(testHost), .tunnel),
            ])
            configuration.overrides.add(host: try .required(testHost), port: nil, address: listener.address)
            configuration.limits = .generous
            let recorder = Recorder([])
            let entry = try await PeerListener(on: loop.loop)
            let (server, client) = try await Self.pair(loop.loop)
            worker = try await loop.loop.perform { [configuration] in
                let worker = try Worker(
                    loop: loop.loop, configuration: configuration, recorder: recorder,
                    shared: SharedState(configuration), count: ConnectionCount(limit: 1) {})
                worker.serve(Socket(owning: server), number: 1)
                return LoopBound(worker, loop: loop.loop)
            }
            try await entry.close()
            self.client = client
            try await client.send("CONNECT \(testHost):443 HTTP/1.1\r\n\r\n")
            _ = try await client.receive(through: "\r\n\r\n")
            origin = try await listener.accept()
        }

        /// An accepted descriptor, and the peer at its other end.
        private static func pair(_ loop: EventLoop) async throws -> (Int32, Peer) {
            let accepted = Watched<Int32?>(nil)
            let listener = try await loop.perform {
                let listener = try Listener(loop: loop, address: .anyLoopbackPort, reusePort: false) { socket, _ in
                    let descriptor = socket.release()
                    accepted.update { $0 = descriptor }
                }
                return LoopBound(listener, loop: loop)
            }
            let address = try await loop.perform { listener.value.localAddress }
            let peer = try await Peer.connect(on: loop, to: address, receiveBuffer: 65_536)
            return (try await accepted.first("the connection") { $0 }, peer)
        }

        func connection<Value: Sendable>(
            _ body: @escaping @Sendable (ProxyConnection) throws -> Value
        ) async throws -> Value {
            let worker = worker
            return try await loop.loop.perform {
                guard let connection = worker.value.connection(1) else { throw Unfulfilled("no connection") }
                return try body(connection)
            }
        }

        /// The most that waits for the client in the proxy while `peer` moves, looked at in every turn of the loop.
        func peak(while isMoving: () async throws -> Bool) async throws -> Int {
            var most = 0
            try await repeatedly(until: "the end of what moves") {
                most = max(most, try await connection { $0.client.outbound.count })
                return try await !isMoving()
            }
            return most
        }
    }

    /// However the client reads, what waits for it is one read and what that became more by encryption.
    @Test func whatWaitsForAClientIsBounded() async throws {
        let inside = try await Inside()
        try await inside.client.countOnly()
        try await inside.client.setReading(false)
        try await inside.origin.send([UInt8](repeating: 1, count: 32 << 20))
        try await inside.origin.settledCount()
        let atRest = try await inside.connection { $0.client.outbound.count }
        #expect(atRest > 0)
        #expect(atRest <= 2 * Channel.chunk)
        // In bits, each of which makes room and lets the next read in; the loop does it, whatever keeps the test.
        try await inside.client.keep(every: 1) { $0.read(1 << 16) }
        let most = try await inside.peak { inside.client.seen.count < 12 << 20 }
        #expect(most <= 2 * Channel.chunk)
    }

    /// A client that has sessions answer it and takes no answers: the proxy stops reading it, and goes on when it takes
    /// them.
    @Test func clientForWhomTooMuchWaitsIsNotRead() async throws {
        let inside = try await Inside()
        try await inside.client.setReading(false)
        // What a session would have answered.
        try await inside.connection { connection in
            connection.client.write(raw: [UInt8](repeating: 2, count: 12 << 20))
            connection.flush(.client)
        }
        #expect(try await inside.connection { $0.client.isClogged })
        try await inside.client.send("unread")
        try await inside.client.delivered()
        try await inside.client.turns(20)
        #expect(inside.origin.seen.count == 0)
        #expect(try await inside.connection { !$0.client.stream.wantsReadable })
        try await inside.client.setReading(true)
        #expect(try await inside.origin.receive(6) == Array("unread".utf8))
    }

    /// A connection that is over holds nothing, and is forgotten.
    @Test func connectionIsForgottenWithItsEnd() async throws {
        let inside = try await Inside()
        try await inside.client.reset()
        #expect(try await inside.origin.ended() == .reset)
        let worker = inside.worker
        try await repeatedly(until: "no connection") {
            try await inside.loop.loop.perform { worker.value.connection(1) == nil }
        }
    }
}
