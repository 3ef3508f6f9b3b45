import Authority
import Crypto
import TestSupport
import Testing
import Transcript
import Wire

/// Verdicts of what the engine itself records, so that the folds and the engine cannot drift apart.
@Suite struct ProxyVerdictTests {
    private static let versions: [UInt16] = [0x0303, 0x0304]

    private func verdict(_ stage: Stage) async throws -> Verdict {
        var fold = VerdictFold()
        for kind in try await stage.log.story().kinds { fold.add(kind) }
        return fold.verdict
    }

    @Test(arguments: versions) func applicationDataIsAcceptance(_ version: UInt16) async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(version: version)
        try await client.send("ping")
        #expect(try await origin.receive(4) == Array("ping".utf8))
        try await origin.send("answer")
        #expect(try await client.receive(6) == Array("answer".utf8))
        try await client.sendCloseNotify()
        try await client.sendFIN()
        try await origin.wait("close_notify") { $0.sawCloseNotify }
        try await origin.close()
        #expect(try await verdict(stage) == .accepted(bytes: 4))
    }

    @Test func dataWithoutAnAnswerIsLeaked() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        try await client.send("ping")
        #expect(try await origin.receive(4) == Array("ping".utf8))
        try await client.sendCloseNotify()
        try await client.sendFIN()
        try await origin.wait("close_notify") { $0.sawCloseNotify }
        try await origin.close()
        #expect(
            try await verdict(stage) == .leaked(Leak(bytes: 4, refusal: .silence(.closeNotify, .afterFinished))))
    }

    @Test(arguments: versions) func anAlertIsARejection(_ version: UInt16) async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(
            to: .required(testHost), stage.clientContext(version), verify: .custom { _ in .reject(alert: 46) })
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        #expect(try await client.ended() == .fin)
        try await client.close()
        try await origin.close()
        #expect(try await verdict(stage) == .rejected(alert: 46, .beforeFinished))
    }

    @Test(arguments: [End.fin, .reset], versions)
    func anEndDuringTheHandshakeIsASilentRejection(_ end: End, _ version: UInt16) async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        try await client.setReading(false)
        try await client.beginTLS(to: .required(testHost), stage.clientContext(version))
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        try await stage.log.first("the certificate") {
            if case .message(.client, .sent, let bytes, _) = $0, bytes.first == 11 { () } else { nil }
        }
        if end == .fin { try await client.sendFIN() } else { try await client.reset() }
        #expect(try await origin.ended() == .fin)
        try await client.close()
        try await origin.close()
        #expect(try await verdict(stage) == .rejectedSilently(end))
    }

    @Test(arguments: [End.closeNotify, .fin, .reset], versions)
    func anEndAfterTheHandshakeIsAnAbandonment(_ end: End, _ version: UInt16) async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(version: version)
        switch end {
        case .closeNotify:
            try await client.sendCloseNotify()
            try await client.sendFIN()
        case .fin: try await client.sendFIN()
        default: try await client.reset()
        }
        _ = try await origin.ended()
        try await origin.close()
        try await client.close()
        #expect(try await verdict(stage) == .abandoned(end))
    }

    @Test func anOriginThatEndsFirstLeavesTheClientIdle() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        try await origin.sendCloseNotify()
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        try await client.sendFIN()
        #expect(try await verdict(stage) == .idle)
    }

    @Test func whoAsksForOurErrorPageAccepted() async throws {
        let stage = try await Stage { $0.trustsOrigin = false }
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        try await client.secured()
        let request = "GET / HTTP/1.1\r\nHost: \(testHost)\r\n\r\n"
        try await client.send(request)
        try await client.wait("the page") { $0.text.hasPrefix("HTTP/1.1 502 ") }
        // It keeps the connection, and is the one who ends it.
        try await client.sendCloseNotify()
        try await client.sendFIN()
        #expect(try await verdict(stage) == .accepted(bytes: UInt64(request.utf8.count)))
    }

    /// The same client, host and certificates in three phases: an ordinary one that was given the CA in the third.
    @Test func anOrdinaryClientIsNotPinned() async throws {
        var run = RunVerdicts()
        let baseline = try await Stage { $0.decision = .tunnel }
        let (tunnelled, server) = try await baseline.tunnelledPair()
        try await tunnelled.beginTLS(
            to: .required(testHost), .client(trust: TrustStore(anchors: [baseline.publicAuthority.certificate])))
        try await server.beginTLS(.server(), identity: baseline.originIdentity())
        try await exchange(tunnelled, server)
        add(try await baseline.log.story(), to: &run, .baseline, 1)

        let untrusted = try await Stage()
        let rejecting = try await untrusted.connectedClient()
        try await rejecting.beginTLS(to: .required(testHost), .client(trust: TrustStore(anchors: [])))
        let refused = try await untrusted.origin.accept()
        try await refused.beginTLS(.server(), identity: untrusted.originIdentity())
        #expect(try await rejecting.ended() == .fin)
        try await rejecting.close()
        try await refused.close()
        add(try await untrusted.log.story(), to: &run, .untrusted, 2)

        let trusted = try await Stage()
        let (client, origin) = try await trusted.interceptedPair()
        try await exchange(client, origin)
        add(try await trusted.log.story(), to: &run, .trusted, 3)

        let findings = run.findings()
        #expect(findings.map(\.conclusion) == [.notPinned])
        #expect(findings.map(\.unit.host.text) == [testHost])
        #expect(findings.map(\.untrusted.alerts) == [[48: 1]])
    }

    private func exchange(_ client: Peer, _ origin: Peer) async throws {
        try await client.secured()
        let request = "GET / HTTP/1.1\r\nHost: \(testHost)\r\n\r\n"
        try await client.send(request)
        #expect(try await origin.receive(request.utf8.count) == Array(request.utf8))
        try await origin.send("answer")
        #expect(try await client.receive(6) == Array("answer".utf8))
        try await client.sendCloseNotify()
        try await client.sendFIN()
        try await origin.wait("close_notify") { $0.sawCloseNotify }
        try await origin.close()
    }

    private func add(_ story: Story, to run: inout RunVerdicts, _ phase: ExperimentPhase, _ connection: UInt64) {
        for kind in story.kinds {
            run.add(Event(connection: connection, monotonic: 0, wall: 0, kind: kind), phase: phase)
        }
    }
}
