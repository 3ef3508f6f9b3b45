import Crypto
import Engine
import Interception
import TestSupport
import Testing
import Transcript
import Wire

/// Old and weak TLS: refused by default with what to do about it, and open for the hosts that are named.
@Suite struct ProxyLegacyTests {
    private static let tls10: UInt16 = 0x0301

    private func failures(_ story: Story) -> [Failure] {
        story.kinds.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }
    }

    private func oldClient(_ stage: Stage) async throws -> Peer {
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(Self.tls10, .legacy))
        return client
    }

    @Test("C55: a client of TLS 1.0 is told protocol_version and not tested") func oldClientIsRefused() async throws {
        let stage = try await Stage()
        let client = try await oldClient(stage)
        let view = try await client.handshakeOver()
        #expect(view.failure?.kind == .peerAlert(70))
        try await client.close()
        let story = try await stage.log.story()
        #expect(
            failures(story) == [
                Failure(
                    party: .client, code: .clientOutdated, phase: .hello,
                    detail: "not tested: the client offers TLS 1.0 only",
                    hint: "open old versions to it with --legacy-client HOST")
            ])
        #expect(story.lines.contains("hello"))
        #expect(story.lines.contains("alert client sent 2 70"))
    }

    @Test("C55: with the switch it is intercepted, whatever the origin speaks") func oldClientIsServed() async throws {
        let stage = try await Stage { $0.legacy = LegacyHosts(clients: [try .required("*.pinproof.test")]) }
        let client = try await oldClient(stage)
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        try await client.secured()
        try await origin.secured()
        #expect(client.seen.facts?.version == Self.tls10)
        #expect(origin.seen.facts?.version == 0x0304)
        try await client.send("ping")
        #expect(try await origin.receive(4) == Array("ping".utf8))
    }

    @Test("C55: an origin of TLS 1.0 is refused by number, and taken with the switch", arguments: [false, true])
    func oldOrigin(_ isOpen: Bool) async throws {
        let stage = try await Stage { if isOpen { $0.legacy = LegacyHosts(origins: [try .required(testHost)]) } }
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(.legacy, maximumVersion: Self.tls10), identity: stage.originIdentity())
        try await client.secured()
        if isOpen {
            #expect(origin.seen.facts?.version == Self.tls10)
            try await client.send("ping")
            #expect(try await origin.receive(4) == Array("ping".utf8))
        } else {
            let page = try await client.fetchPage("http/1.1")
            for text in ["0A00014D", "(originOutdated)", "--legacy-origin HOST"] {
                #expect(page.contains(text), "\(page)")
            }
        }
        try await client.close()
        try await origin.close()
        #expect(try await stage.log.story().failures == (isOpen ? [] : [.originOutdated]))
    }

    @Test("An origin that does not know RFC 5746 is named by OpenSSL's number", arguments: [false, true])
    func withoutSecureRenegotiation(_ isOpen: Bool) async throws {
        let stage = try await Stage { if isOpen { $0.legacy = LegacyHosts(origins: [try .required("*")]) } }
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        try await origin.wait("the proxy's hello") { $0.count > 0 }
        // A ServerHello of TLS 1.2 without extensions, and then an alert: internal_error.
        let body: [UInt8] = [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0xC0, 0x2F, 0]
        try await origin.send(raw: [22, 3, 3, 0, UInt8(body.count + 4), 2, 0, 0, UInt8(body.count)] + body)
        try await origin.send(raw: [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 80])
        try await client.secured()
        let page = try await client.fetchPage("http/1.1")
        // Where it is open the handshake gets as far as the alert.
        #expect(page.contains("0A000152") != isOpen)
        #expect(page.contains("--legacy-origin HOST") != isOpen)
        #expect(page.contains("it sent the alert internal_error (80)") == isOpen)
    }

    @Test("C55: a client of TLS 1.2 that takes SHA-1 only is served with the switch", arguments: [false, true])
    func clientOfSHA1(_ isOpen: Bool) async throws {
        let stage = try await Stage { if isOpen { $0.legacy = LegacyHosts(clients: [try .required("*")]) } }
        let client = try await stage.connectedClient()
        // TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA; supported_groups with secp256r1; no signature_algorithms.
        let body: [UInt8] =
            [0x03, 0x03] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0xC0, 0x13, 1, 0]
            + [0, 8, 0, 10, 0, 4, 0, 2, 0x00, 0x17]
        let message: [UInt8] = [1, 0, 0, UInt8(body.count)] + body
        try await client.send(raw: [0x16, 0x03, 0x01, 0, UInt8(message.count)] + message)
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        if isOpen {
            // A ServerHello in a handshake record.
            try await client.wait("the answer") { $0.received.count > 5 && $0.received[0] == 22 && $0.received[5] == 2 }
        } else {
            #expect(try await client.ended() == .fin)
        }
        try await client.close()
        try await origin.close()
        #expect(try await stage.log.story().failures == (isOpen ? [] : [.clientOutdated]))
    }

    @Test("C85: no signature algorithm in common is said, and is no refusal") func noCommonSignature() async throws {
        let stage = try await Stage()
        let client = try await stage.connectedClient()
        // TLS 1.3 with ed448 (0x0808) only; the share is a point of X25519.
        let share: [UInt8] = [9] + [UInt8](repeating: 0, count: 31)
        let extensions: [UInt8] =
            [
                0, 43, 0, 3, 2, 3, 4, 0, 10, 0, 4, 0, 2, 0, 29, 0, 13, 0, 4, 0, 2, 8, 8, 0, 51, 0, 38, 0, 36, 0, 29, 0,
                32,
            ]
            + share
        let body =
            [0x03, 0x03] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 0x01, 1, 0]
            + [0, UInt8(extensions.count)] + extensions
        let message: [UInt8] = [1, 0, 0, UInt8(body.count)] + body
        try await client.send(raw: [0x16, 0x03, 0x01, 0, UInt8(message.count)] + message)
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        #expect(try await client.ended() == .fin)
        try await client.close()
        try await origin.close()
        let failure = try #require(failures(try await stage.log.story()).first)
        #expect(failure.code == .clientHandshake)
        #expect(failure.detail.hasPrefix("no signature algorithm in common"))
        #expect(failure.hint == nil)
    }
}
