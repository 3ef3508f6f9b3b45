import Crypto
import TestSupport
import Testing
import Transcript
import Wire

/// Hellos that are odd or wrong, on their way through the whole proxy.
@Suite struct ProxyHelloTests {
    /// Sends a hello, has the origin complete its handshake if it is called, and waits for the proxy's first record.
    private func send(
        _ hello: HelloBytes, on stage: Stage, originName: String = testHost
    ) async throws -> (client: Peer, answer: [UInt8]) {
        let client = try await stage.connectedClient()
        try await client.send(hello.bytes)
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: stage.originIdentity(originName))
        try await client.wait("a record") { $0.received.count >= 7 }
        return (client, client.take())
    }

    /// A server name that names nobody: what libssl takes, and for which it has an alert.
    private static let names: [(name: String, extension: (type: UInt16, body: [UInt8])?, alert: UInt8?)] = [
        ("none", nil, nil),
        ("an empty name", HelloBytes.serverNames([]), nil),
        ("an address", HelloBytes.serverNames(Array("127.0.0.1".utf8)), nil),
        ("a name with a port", HelloBytes.serverNames(Array("h:443".utf8)), nil),
        ("a path", HelloBytes.serverNames(Array("../../x".utf8)), nil),
        ("a wildcard", HelloBytes.serverNames(Array("*.pinproof.test".utf8)), nil),
        ("UTF-8", HelloBytes.serverNames(Array("bücher.test".utf8)), nil),
        (
            "octets that are no text, and a terminal's", HelloBytes.serverNames([0xFF, 0x1B, 0x5B, 0x33, 0x31, 0x6D]),
            nil
        ),
        // decode_error
        ("nothing at all", (0, []), 50),
        ("an empty list", (0, [0, 0]), 50),
        ("two names", HelloBytes.serverNames(Array("a.test".utf8), Array("b.test".utf8)), 50),
        // unrecognized_name
        ("NUL", HelloBytes.serverNames(Array("a\0b.test".utf8)), 112),
        ("300 octets", HelloBytes.serverNames([UInt8](repeating: 0x61, count: 300)), 112),
    ]

    @Test("C41, C59, C60: a server name that is none leaves the name of CONNECT", arguments: 0..<names.count)
    func serverNames(_ number: Int) async throws {
        let row = Self.names[number]
        let stage = try await Stage()
        let hello = HelloBytes(extensions: row.extension.map { [$0] } ?? [])
        let (client, answer) = try await send(hello, on: stage)
        if let alert = row.alert {
            // A fatal alert in place of the handshake, the one that libssl itself sends.
            #expect(answer == [21, 3, 3, 0, 2, 2, alert], "\(row.name)")
        } else {
            #expect(answer.prefix(3) == [22, 3, 3], "\(row.name)")
        }
        try await client.close()
        let story = try await stage.log.story()
        let failures = story.kinds.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }
        #expect(failures.map(\.party) == (row.alert == nil ? [] : [.client]), "\(row.name): \(failures)")
        // Nothing is ever forged for anything but the host of CONNECT, and nothing counts as a client's word.
        let forged = story.kinds.compactMap { if case .forged(let host, _, _, _, _) = $0 { host } else { nil } }
        #expect(forged == [testHost], "\(row.name)")
        #expect(!story.lines.contains("first data client"))
        if row.alert == nil { #expect(story.closed.by == .client) }
    }

    @Test("C67: GREASE and encrypted_client_hello are passed over; the leaf is for the visible name")
    func unknownValues() async throws {
        let outer = "public.test"
        let stage = try await Stage { $0.hosts = [testHost, outer] }
        // RFC 8701: values that nobody knows, wherever values are listed; and an encrypted hello that is none.
        let hello = HelloBytes(
            suites: [0x0A0A, 0xC02B], groups: [0x1A1A, 0x0017],
            extensions: [
                (0x2A2A, []), HelloBytes.serverNames(Array(outer.utf8)), (43, [4, 0x3A, 0x3A, 0x03, 0x03]),
                (0xFE0D, [0, 0, 1, 0, 1, 9, 0, 0, 0, 1, 7]), (0x4A4A, [0]),
            ])
        let (client, answer) = try await send(hello, on: stage, originName: outer)
        #expect(answer.prefix(3) == [22, 3, 3])
        try await client.close()
        let story = try await stage.log.story()
        let record = try #require(
            story.kinds.compactMap { if case .hello(let record) = $0 { record } else { nil } }.first)
        #expect(record.hello.serverName == outer)
        #expect(story.lines.contains("requested CONNECT \(testHost):443"))
        #expect(story.lines.contains("forged \(outer) EC P-256"))
    }
}
