import Authority
import Crypto
import Foundation
import Reactor
import TestOrigin
import TestSupport
import Testing
import Transcript
import Wire

/// How the origin fares with many clients, slow ones, and ones that send nonsense.
@Suite struct OriginConductTests {
    @Test func manyClientsAtOnce() async throws {
        let origin = try OriginFixture()
        let isRight = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let answer = try await origin.ask("GET /bytes/\(5000 + number) HTTP/1.1")
                    return answer.body == patternBody(5000 + number)
                }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(isRight == [Bool](repeating: true, count: 100))
    }

    /// What a client may send in place of TLS, and then go.
    @Test(arguments: [
        [], Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), [0x16, 0x03, 0x01], [0x16, 0x03, 0x01, 0x00, 0x00],
        [0x16, 0x03, 0x01, 0x00, 0x04, 0x01, 0xFF, 0xFF, 0xFF], [UInt8](repeating: 0x16, count: 300_000),
        [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28], [0x80, 0x2E, 0x01, 0x03, 0x01],
    ])
    func nonsenseHarmsNobody(_ bytes: [UInt8]) async throws {
        let origin = try OriginFixture()
        for resets in [true, false] {
            let client = try await origin.connect()
            try await client.send(raw: bytes)
            if resets { try await client.reset() } else { try await client.sendFIN() }
            if !resets { try await client.ended() }
        }
        #expect(try await origin.ask("GET / HTTP/1.1").status == "200")
    }

    /// Noise of all kinds, at every point of a connection.
    @Test func randomNoiseHarmsNobody() async throws {
        let origin = try OriginFixture()
        var random = SeededGenerator(seed: 0x0815)
        for round in 0..<40 {
            let client = try await origin.connect()
            if round % 2 == 0 {
                try await client.beginTLS(to: origin.host, .client(trust: origin.trust), alpn: ["h2", "http/1.1"])
                try await client.secured()
            }
            if round % 4 == 0 {
                try await client.send(random.bytes(5000))
            } else {
                try await client.send(raw: random.bytes(5000))
            }
            try await client.close()
        }
        #expect(try await origin.ask("GET / HTTP/1.1").status == "200")
    }

    /// A client that does not read is waited for, and gets everything in the end.
    @Test func slowClientGetsItsBody() async throws {
        let origin = try OriginFixture()
        let client = try await origin.client(receiveBuffer: 65_536)
        try await client.setReading(false)
        try await client.send("GET /bytes/20M HTTP/1.1\r\nHost: \(originHost)\r\nConnection: close\r\n\r\n")
        #expect(try await origin.ask("GET / HTTP/1.1").status == "200")
        try await client.countOnly()
        try await client.setReading(true)
        #expect(try await client.ended() == .fin)
        #expect(client.seen.sawCloseNotify)
        #expect(client.seen.count > 20 << 20)
    }

    /// A client that ends its direction behind its request gets the answer.
    @Test(arguments: [true, false]) func halfCloseIsAnswered(_ notifies: Bool) async throws {
        let origin = try OriginFixture()
        let client = try await origin.client()
        try await client.send("GET /bytes/300000 HTTP/1.1\r\nHost: \(originHost)\r\n\r\n")
        if notifies { try await client.sendCloseNotify() }
        try await client.sendFIN()
        #expect(try await client.ended() == .fin)
        #expect(client.seen.sawCloseNotify)
        #expect(client.seen.count > 300_000)
    }

    /// However a client ends, the origin lets go of it at once: it does not wait for the end of what has ended, nor spin.
    @Test func endedConnectionsAreClosedAtOnce() async {
        await #expect(processExitsWith: .success) {
            let origin = try OriginFixture()
            _ = try await origin.ask("GET / HTTP/1.1")
            let before = try openDescriptors()
            let start = ContinuousClock.now
            for way in 0..<3 {
                var client: Peer? = try await origin.client()
                switch way {
                case 0: try await client?.sendFIN()
                case 1:
                    try await client?.sendCloseNotify()
                    try await client?.sendFIN()
                default: try await client?.reset()
                }
                if way < 2 { _ = try await client?.ended() }
                client = nil
            }
            while try openDescriptors() > before { try await origin.loop.loop.turns(10) }
            // The limit for clients that do not end is five seconds.
            #expect(ContinuousClock.now - start < .seconds(4))
        }
    }

    @Test func stopEndsEveryConnection() async throws {
        let origin = try OriginFixture()
        let silent = try await origin.connect()
        let client = try await origin.client()
        origin.server.stop()
        _ = try await silent.ended()
        _ = try await client.ended()
        await #expect(throws: Unfulfilled.self) { try await origin.connect() }
    }

    /// An origin that cannot listen says so, and leaves no thread and no descriptor behind.
    @Test func portInUseIsAnError() async {
        await #expect(processExitsWith: .success) {
            let origin = try OriginFixture()
            let identity = try CertificateAuthority.ephemeral(now: Int64(Date.now.timeIntervalSince1970))
                .issue(LeafRequest(host: origin.host), now: Int64(Date.now.timeIntervalSince1970))
            func fail() throws {
                #expect(throws: ReactorError.self) {
                    try TestOriginServer(listen: origin.server.address, identity: identity)
                }
            }
            try fail()
            let before = try openDescriptors()
            for _ in 0..<10 { try fail() }
            #expect(try openDescriptors() == before)
        }
    }
}
