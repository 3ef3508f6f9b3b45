import Crypto
import Glibc
import Reactor
import TestSupport
import Testing
import Wire

/// A peer that does what chance says, and is over soon: a client of the proxy, or an origin.
struct ChaosPeer {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// How a peer takes its leave.
    private enum Leave: CaseIterable { case close, reset, halfClose, wait, closeNotify, noise, alert, flood, deaf }

    private mutating func pick(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }

    /// A connection to the proxy that gets as far as chance has it.
    mutating func beClient(of stage: Stage) async throws {
        let host = pick(20) == 0 ? "elsewhere.pinproof.test" : testHost
        let request = Array("CONNECT \(host):443 HTTP/1.1\r\n\r\n".utf8)
        switch pick(10) {
        case 0:
            try await leave(try await stage.client())
        case 1:
            let client = try await stage.client()
            try await client.send(random.noise(below: 300))
            try await leave(client)
        case 2:
            let client = try await stage.client()
            try await client.send(Array(request.prefix(pick(request.count + 1))))
            try await leave(client)
        case 3:
            let client = try await connected(stage, request)
            let hello: [UInt8] = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]
            try await client.send(pick(2) == 0 ? Array(hello.prefix(pick(12))) : random.noise(below: 2_000))
            try await leave(client)
        default:
            let client = try await connected(stage, request)
            let isContent = pick(4) > 0
            try await client.beginTLS(
                to: .required(testHost), stage.clientContext(pick(2) == 0 ? 0x0303 : nil),
                verify: isContent ? .custom { _ in .accept } : .custom { _ in .reject(alert: 48) },
                alpn: [["http/1.1"], ["h2"], []][pick(3)])
            if pick(3) > 0 { try await client.handshakeOver() }
            if pick(2) == 0 { try await client.send("GET / HTTP/1.1\r\nHost: \(testHost)\r\n\r\n") }
            try await leave(client)
        }
    }

    private func connected(_ stage: Stage, _ request: [UInt8]) async throws -> Peer {
        let client = try await stage.client()
        try await client.send(request)
        try await client.wait("an answer or the end") { $0.count > 0 || $0.end != nil }
        return client
    }

    /// What an accepted connection of the proxy meets.
    mutating func beOrigin(_ origin: Peer, of stage: Stage) async throws {
        switch pick(8) {
        case 0:
            try await leave(origin)
        case 1:
            try await origin.send(random.noise(below: 300))
            try await leave(origin)
        case 2:
            try await origin.wait("the hello or the end") { $0.count > 0 || $0.end != nil }
            try await origin.send(random.noise(below: 300))
            try await leave(origin)
        default:
            let expired = pick(8) == 0
            try await origin.beginTLS(
                .server(maximumVersion: pick(2) == 0 ? 0x0303 : nil),
                identity: stage.originIdentity(notBefore: -7200, notAfter: expired ? -3600 : 3600),
                alpn: pick(2) == 0 ? "http/1.1" : nil)
            if pick(4) > 0 { try await origin.handshakeOver() }
            if pick(2) == 0 { try await origin.send(pattern(pick(300_000))) }
            try await leave(origin)
        }
    }

    private mutating func leave(_ peer: Peer) async throws {
        switch Leave.allCases[pick(Leave.allCases.count)] {
        case .close: break
        case .reset: return try await peer.reset()
        case .halfClose:
            try await peer.sendFIN()
            try await peer.ended()
        case .wait: try await peer.ended()
        case .closeNotify:
            try await peer.sendCloseNotify()
            try await peer.ended()
        case .noise:
            try await peer.send(raw: random.noise(below: 5_000))
            try await peer.ended()
        case .alert:
            try await peer.send(raw: [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, UInt8(pick(120))])
        case .flood:
            try await peer.countOnly()
            try await peer.send(pattern(3 << 20))
            try await peer.ended()
        case .deaf:
            try await peer.setReading(false)
            try await peer.send(pattern(pick(1 << 20)))
            // Who reads nothing does not see the end either; the time limits see to it.
            try await peer.turns(pick(800))
        }
        try await peer.close()
    }
}
