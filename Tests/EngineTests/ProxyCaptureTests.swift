import Crypto
import TestSupport
import Testing
import Transcript
import Wire

/// What is recorded of a connection beyond its events: hellos, secrets, bytes, heads, the verdict.
@Suite struct ProxyCaptureTests {
    private static let versions: [UInt16] = [0x0303, 0x0304]

    /// A request and its answer over an intercepted connection, ended in good order by the client.
    private func exchange(
        _ capture: Capture, version: UInt16 = 0x0304, request: String = "ping", answer: String = "answer"
    ) async throws -> Story {
        let stage = try await Stage { $0.capture = capture }
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(version), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(
            .server(maximumVersion: version), identity: stage.originIdentity(), alpn: "http/1.1")
        try await client.secured()
        try await client.send(request)
        _ = try await origin.receive(request.utf8.count)
        try await origin.send(answer)
        _ = try await client.receive(answer.utf8.count)
        try await client.sendCloseNotify()
        try await client.sendFIN()
        #expect(try await origin.ended() == .fin)
        try await origin.sendCloseNotify()
        try await origin.sendFIN()
        return try await stage.log.story()
    }

    private func labels(_ story: Story, _ side: Side) -> [String] {
        story.kinds.compactMap { if case .secret(side, let secret) = $0 { secret.label } else { nil } }.sorted()
    }

    /// RFC 8446 section 7.1: these open the handshake's messages and nothing else; TLS 1.2 has none that do.
    @Test(arguments: versions) func secretsOfTheHandshakeAloneByDefault(_ version: UInt16) async throws {
        let story = try await exchange(Capture(), version: version)
        let expected =
            version == 0x0303 ? [] : ["CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET"]
        for side in Side.allCases { #expect(labels(story, side) == expected) }
        let more = story.kinds.filter {
            switch $0 {
            case .traffic, .data, .head, .contentEnded: true
            default: false
            }
        }
        #expect(more.isEmpty)
    }

    @Test(arguments: versions) func everySecretOnDemand(_ version: UInt16) async throws {
        let story = try await exchange(Capture(secrets: true), version: version)
        let expected =
            version == 0x0303
            ? ["CLIENT_RANDOM"]
            : [
                "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0", "EXPORTER_SECRET",
                "SERVER_HANDSHAKE_TRAFFIC_SECRET", "SERVER_TRAFFIC_SECRET_0",
            ]
        for side in Side.allCases { #expect(labels(story, side) == expected) }
        // They name the session by the random of its ClientHello.
        let randoms = story.kinds.compactMap { kind -> [UInt8]? in
            switch kind {
            case .hello(let record), .originHello(let record): record.hello.random
            default: nil
            }
        }
        #expect(randoms.count == 2)
        for (side, random) in zip(Side.allCases, randoms) {
            let named = story.kinds.compactMap {
                if case .secret(side, let secret) = $0 { secret.clientRandom } else { nil }
            }
            #expect(Set(named) == [random])
        }
    }

    /// What follows a handshake begins where it ended, and no octet is missing: all are whole records to the end.
    @Test(arguments: versions) func theWireOnDemand(_ version: UInt16) async throws {
        let story = try await exchange(
            Capture(wire: true), version: version, request: String(repeating: "r", count: 100_000),
            answer: String(repeating: "a", count: 300_000))
        for side in Side.allCases {
            for direction in [Direction.sent, .received] {
                var stream: [UInt8] = []
                var handshake = 0
                for kind in story.kinds {
                    switch kind {
                    case .wire(side, direction, let bytes):
                        stream += bytes
                        handshake = stream.count
                    case .traffic(side, direction, let offset, let bytes):
                        #expect(offset == UInt64(stream.count))
                        stream += bytes
                    default: break
                    }
                }
                #expect(handshake > 0)
                var content = 0, last: UInt8 = 0, rest = stream[...]
                // RFC 8446 section 5.1: type, version, length.
                while rest.count >= 5 {
                    let length = Int(rest[rest.startIndex + 3]) << 8 | Int(rest[rest.startIndex + 4])
                    last = rest[rest.startIndex]
                    if last == 23 { content += length }
                    rest = rest.dropFirst(5 + length)
                }
                #expect(rest.isEmpty)
                let isRequest = (side == .client) == (direction == .received)
                #expect(content > (isRequest ? 100_000 : 300_000))
                // The close_notify: an alert of its own in TLS 1.2, encrypted as data is in TLS 1.3.
                #expect(last == (version == 0x0303 ? 21 : 23))
            }
        }
    }

    @Test func theFirstBytesOnDemand() async throws {
        let story = try await exchange(Capture(bytes: 5))
        let data = story.kinds.compactMap { kind -> String? in
            guard case .data(let side, let offset, let bytes) = kind else { return nil }
            return "\(side) \(offset) \(String(decoding: bytes, as: UTF8.self))"
        }
        #expect(data == ["client 0 ping", "origin 0 answe"])
    }

    @Test func headsOnDemandWithoutTheirSecrets() async throws {
        let story = try await exchange(
            Capture(heads: true),
            request: "GET /a?token=abc HTTP/1.1\r\nHost: api.pinproof.test\r\nAuthorization: Bearer abc\r\n\r\n",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: id=7; Secure\r\n\r\nhello")
        let heads = story.kinds.compactMap { if case .head(let head) = $0 { head } else { nil } }
        #expect(heads.map(\.sender) == [.client, .origin])
        #expect(heads.map(\.exchange) == [1, 1])
        #expect(heads[0].method == "GET")
        #expect(heads[0].target?.hasPrefix("/a?token=") == true)
        #expect(heads[0].authority == "api.pinproof.test")
        #expect(heads[1].status == 200)
        #expect(story.lines.contains("content ended origin 1 5"))
        #expect(!heads.flatMap(\.fields).contains { $0.value.contains("abc") || $0.value.contains("=7") })
        #expect(heads[0].target?.contains("abc") == false)
        #expect(heads[0].fields.map(\.name) == ["Host", "Authorization"])
    }

    @Test func headsThatAreNotFollowedAreSaidToBe() async throws {
        let story = try await exchange(
            Capture(heads: true), request: "GET / HTTP/1.1\r\n\r\n", answer: "HTTP/1.1 20 OK\r\n\r\nhello")
        #expect(story.lines.contains("heads stopped origin malformed"))
        #expect(!story.lines.contains { $0.hasPrefix("heads stopped client") })
    }

    /// The proxy's own hello and address, as the origin saw them; both server hellos.
    @Test func bothSessionsHaveTheirHellos() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(alpn: "http/1.1", offering: ["http/1.1"])
        let address = try await origin.remoteAddress()
        try await client.close()
        try await origin.close()
        let story = try await stage.log.story()
        let hellos = story.kinds.compactMap { if case .originHello(let record) = $0 { record } else { nil } }
        #expect(hellos.map(\.hello.serverName) == [testHost])
        // JA4: TLS 1.3 with a name, one application protocol h1 = "http/1.1".
        #expect(hellos[0].ja4.hasPrefix("t13d"))
        #expect(hellos[0].ja4.split(separator: "_")[0].hasSuffix("h1"))
        let answers = story.kinds.compactMap { kind -> String? in
            guard case .serverHello(let side, let record) = kind else { return nil }
            return "\(side) \(record.hello.version) \(record.ja3sText.prefix(4)) \(record.ja4s.prefix(8))"
        }
        // Two extensions, supported_versions and key_share; the rest is encrypted.
        #expect(answers == ["origin 772 771, t130200_", "client 772 771, t130200_"])
        let locals = story.kinds.compactMap { if case .connected(_, _, let local?) = $0 { local } else { nil } }
        #expect(locals == [address])
    }

    /// What is recorded is what the fold says of the events, the end included; it stands before the last line.
    @Test func theVerdictIsRecorded() async throws {
        let accepted = try await exchange(Capture())
        #expect(accepted.lines.suffix(2).first == "verdict accepted")
        var fold = VerdictFold()
        for kind in accepted.kinds { fold.add(kind) }
        #expect(accepted.kinds.contains(.verdict(RecordedVerdict(name: "accepted", text: "accepted: 4 bytes of data"))))
        #expect(RecordedVerdict(fold.verdict).text == "accepted: 4 bytes of data")

        let stage = try await Stage()
        let client = try await stage.connectedClient()
        try await client.beginTLS(
            to: .required(testHost), stage.clientContext(), verify: .custom { _ in .reject(alert: 48) })
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity())
        #expect(try await client.ended() == .fin)
        try await client.close()
        try await origin.close()
        let text = "rejected: unknown_ca (48) in the handshake"
        #expect(
            try await stage.log.story().kinds.contains(
                .verdict(RecordedVerdict(name: "rejected", text: text))))
    }
}
