import Crypto
import TestSupport
import Testing
import Transcript
import Wire

/// Bytes and ends are carried as they are, and no faster than they are taken.
@Suite struct ProxyRelayTests {
    @Test(arguments: [0x0303, 0x0304] as [UInt16])
    func largeBodiesPassBothWaysAtOnce(_ version: UInt16) async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(version: version)
        let (up, down) = (pattern(3 << 20), Array(pattern(4 << 20).reversed()))
        try await client.send(up)
        try await origin.send(down)
        expectSame(try await origin.receive(up.count), up)
        expectSame(try await client.receive(down.count), down)
    }

    // MARK: ALPN

    @Test(
        arguments: [
            (["h2", "http/1.1"], "h2"), (["h2", "http/1.1"], "http/1.1"), (["http/1.1"], "http/1.1"),
            (["mqtt"], "mqtt"),
            (["h2", "http/1.1"], nil), ([], nil),
        ] as [([String], String?)])
    func theClientGetsTheProtocolThatTheOriginChose(_ offered: [String], _ chosen: String?) async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(alpn: chosen, offering: offered)
        #expect(origin.seen.facts?.alpn == chosen.map { Array($0.utf8) })
        #expect(client.seen.facts?.alpn == chosen.map { Array($0.utf8) })
    }

    /// The origin is offered what the client offered and nothing else.
    @Test func anOriginThatWantsAnotherProtocolRefusesTheProxyToo() async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity(), alpn: "h2")
        try await client.secured()
        #expect(origin.seen.failure?.kind == .noCommonApplicationProtocol)
        try await client.close()
        let story = try await stage.log.story()
        // no_application_protocol (120, RFC 7301 section 3.2)
        #expect(story.ends(.origin) == ["alert(120) in originHandshake"])
    }

    // MARK: Back-pressure

    /// How much an origin can send while the client reads nothing: what the kernel holds, and a bounded amount more.
    @Test(arguments: [Decision.intercept, .tunnel])
    func clientThatReadsNothingStopsTheOrigin(_ decision: Decision) async throws {
        let stage = try await Stage { $0.decision = decision }
        let (client, origin) =
            decision == .tunnel
            ? try await stage.tunnelledPair(receiveBuffer: 65_536)
            : try await stage.interceptedPair(receiveBuffer: 65_536)
        let total = 32 << 20
        try await client.countOnly()
        try await client.setReading(false)
        try await origin.send([UInt8](repeating: 7, count: total))
        let stuck = try await origin.settledCount()
        // Kernels hold much of it; what the proxy holds is looked at in ProxyBoundsTests.
        #expect(stuck < total)
        try await client.setReading(true)
        try await client.wait("everything") { $0.count == total }
    }

    /// The same for a client that reads in bits: each bit must not let in more than it made room for.
    @Test func clientThatReadsInBitsLetsInAsMuch() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(receiveBuffer: 65_536)
        let total = 32 << 20
        try await client.countOnly()
        try await client.setReading(false)
        try await origin.send([UInt8](repeating: 7, count: total))
        let before = try await origin.settledCount()
        try await repeatedly(until: "3 MiB") {
            try await client.readOnce(65_536)
            return client.seen.wire.received >= 3 << 20
        }
        let taken = client.seen.wire.received
        let after = try await origin.settledCount()
        // What it let in beyond what was read is what kernels may grow by.
        #expect(before <= after && after < total)
        #expect(taken >= 3 << 20)
        try await client.setReading(true)
        try await client.wait("everything") { $0.count == total }
    }

    /// A download that the client breaks off is broken off at the origin.
    @Test func clientThatBreaksADownloadOffStopsTheOrigin() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(receiveBuffer: 65_536)
        try await client.countOnly()
        try await client.setReading(false)
        try await origin.send([UInt8](repeating: 7, count: 40 << 20))
        try await origin.settledCount()
        try await client.reset()
        #expect(try await origin.ended() == .reset)
        #expect(!origin.seen.isSent)
        let story = try await stage.log.story()
        #expect(story.ends(.client) == ["reset in relay"])
        #expect(story.ends(.origin) == [])
        #expect(story.closed.originBytes < 40 << 20)
    }

    /// A peer that has the session answer it, and takes no answers, is not read on.
    @Test func clientThatTakesNoAnswersIsNotReadOn() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(receiveBuffer: 65_536)
        try await client.setReading(false)
        // As much as is kept for a client waits, and more: only answers to the client itself can lead there.
        try await origin.send([UInt8](repeating: 7, count: 32 << 20))
        try await origin.settledCount()
        // Both directions are independent: what the client says still passes.
        try await client.send("through")
        #expect(try await origin.receive(7) == Array("through".utf8))
    }

    // MARK: Half-close

    @Test func clientThatEndsFirstStillGetsTheAnswer() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        try await client.send("request")
        try await client.sendCloseNotify()
        try await client.sendFIN()
        #expect(try await origin.ended() == .fin)
        #expect(origin.seen.received == Array("request".utf8))
        #expect(origin.seen.sawCloseNotify)
        let answer = pattern(2 << 20)
        try await origin.send(answer)
        try await origin.sendCloseNotify()
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        expectSame(client.seen.received, answer)
        #expect(client.seen.sawCloseNotify)
    }

    @Test func originThatEndsFirstStillGetsTheRequest() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        try await origin.send("early answer")
        try await origin.sendCloseNotify()
        #expect(try await client.receive(12) == Array("early answer".utf8))
        try await client.wait("close_notify") { $0.sawCloseNotify }
        let request = pattern(2 << 20)
        try await client.send(request)
        try await client.sendCloseNotify()
        try await client.sendFIN()
        expectSame(try await origin.receive(request.count), request)
        #expect(try await origin.ended() == .fin)
    }

    /// A stream that ends without close_notify ends so on the other side (C78).
    @Test(arguments: Side.allCases) func truncationIsPassedOnAsTruncation(_ side: Side) async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        let (cut, other) = side == .client ? (client, origin) : (origin, client)
        try await cut.send("half of it")
        try await cut.sendFIN()
        #expect(try await other.ended() == .fin)
        #expect(other.seen.received == Array("half of it".utf8))
        #expect(other.seen.alerts == [])
        // The other direction goes on.
        try await other.send("still")
        #expect(try await cut.receive(5) == Array("still".utf8))
        try await other.sendFIN()
        #expect(try await cut.ended() == .fin)
        let story = try await stage.log.story()
        #expect(story.ends(side) == ["fin in relay"])
    }

    @Test(arguments: Side.allCases) func tunnelHalfCloses(_ side: Side) async throws {
        let stage = try await Stage { $0.decision = .tunnel }
        let (client, origin) = try await stage.tunnelledPair()
        let (first, second) = side == .client ? (client, origin) : (origin, client)
        try await first.send("one way")
        try await first.sendFIN()
        #expect(try await second.ended() == .fin)
        #expect(second.seen.received == Array("one way".utf8))
        try await second.send("and back")
        try await second.sendFIN()
        #expect(try await first.ended() == .fin)
        #expect(first.seen.received == Array("and back".utf8))
    }

    @Test(arguments: Side.allCases, [Decision.intercept, .tunnel])
    func resetIsPassedOn(_ side: Side, _ decision: Decision) async throws {
        let stage = try await Stage { $0.decision = decision }
        let (client, origin) =
            decision == .tunnel ? try await stage.tunnelledPair() : try await stage.interceptedPair()
        let (first, second) = side == .client ? (client, origin) : (origin, client)
        try await first.send("last words")
        try await first.delivered()
        try await first.reset()
        #expect(try await second.ended() == .reset)
        #expect(second.seen.received == Array("last words".utf8))
        let story = try await stage.log.story()
        #expect(story.ends(side) == ["reset in relay"])
    }

    // MARK: Sessions that do more than carry bytes

    /// An origin that renegotiates in the middle of an upload (TLS 1.2).
    @Test func originThatRenegotiatesDuringAnUpload() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(version: 0x0303)
        let upload = pattern(2 << 20)
        try await client.send(Array(upload.prefix(1 << 20)))
        try await origin.withSession { $0.requestRenegotiation() }
        try await client.send(Array(upload.dropFirst(1 << 20)))
        expectSame(try await origin.receive(upload.count), upload)
        try await origin.send("done")
        #expect(try await client.receive(4) == Array("done".utf8))
    }

    /// New keys in the middle of a transfer (TLS 1.3).
    @Test(arguments: Side.allCases) func peerThatChangesItsKeys(_ side: Side) async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        let peer = side == .client ? client : origin
        for number in 0..<50 {
            try await peer.withSession { $0.updateKeys() }
            try await client.send([UInt8(number)])
            try await origin.send([UInt8(number)])
        }
        #expect(try await origin.receive(50) == Array(0..<50))
        #expect(try await client.receive(50) == Array(0..<50))
        // One that asked and is told nothing else gets its answer too.
        let before = peer.seen.wire.received
        try await peer.withSession { $0.updateKeys() }
        try await peer.withSession { $0.updateKeys() }
        try await peer.wait("an answer") { $0.wire.received >= before + 27 }
    }

    /// A record that does not decrypt: the one who sent it is told, the other side is broken off.
    @Test func recordThatDoesNotDecryptBreaksBothOff() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        try await client.send(raw: [0x17, 0x03, 0x03, 0x00, 0x20] + pattern(32))
        try await client.wait("bad_record_mac") { $0.alerts == [20] }
        #expect(try await origin.ended() == .reset)
        let story = try await stage.log.story()
        #expect(story.failures == [.tlsProtocol])
        #expect(story.lines.contains("failed tlsProtocol by client in relay"))
        #expect(story.closed.by == .client)
        #expect(story.closed.client == .proxy)
    }
}

extension Peer {
    /// How many bytes the kernel has taken when it takes no more: the number stays the same over many turns of the loop.
    @discardableResult
    func settledCount() async throws -> Int {
        try await wait("the first byte to be sent") { $0.wire.sent > 0 }
        var count = seen.wire.sent
        var same = 0
        while same < 12 {
            try await turns(50)
            same = seen.wire.sent == count ? same + 1 : 0
            count = seen.wire.sent
        }
        return count
    }
}
