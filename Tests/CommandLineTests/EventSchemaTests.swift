import Foundation
import TestSupport
import Testing
import Transcript

/// docs/events.schema.json: what a line of a transcript may be, and what not.
@Suite struct EventSchemaTests {
    private static let schema = "events.schema.json"

    /// The members of a line, to be changed.
    private static func members(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private static func line(of members: [String: Any]) throws -> [UInt8] {
        [UInt8](try JSONSerialization.data(withJSONObject: members))
    }

    /// The line of an event, without its newline.
    private static func line(_ kind: Event.Kind, link: EventEncoder.Link = .none) -> [UInt8] {
        var line: [UInt8] = []
        EventEncoder().encode(Event(connection: 12, monotonic: 1, wall: 0, kind: kind), link: link, into: &line)
        return line.dropLast()
    }

    @Test(.needs(.jsonschema)) func `every kind of event is as the schema says`() async throws {
        let samples = (EventSample.everyKind + EventSample.variants).map { Array($0.line.utf8) }
        #expect(try await JSONSchema.complaints(about: samples, schema: Self.schema) == "")
    }

    @Test(.needs(.jsonschema)) func `every word of the vocabulary is in the schema`() async throws {
        var kinds: [Event.Kind] = []
        for code in Failure.Code.allCases {
            kinds.append(.failed(Failure(party: .proxy, code: code, phase: .relay, detail: "")))
        }
        kinds += Phase.allCases.map { .ended(.client, .fin, $0) }
        kinds += TunnelContent.allCases.map { .notTLS($0) }
        kinds.append(
            .forged(
                host: "h.test", digest: EventSample.leafDigest, key: "", fromCache: false,
                mirrors: OriginFault.allCases))
        kinds += OriginProof.allCases.map { proof in
            .secured(
                .origin,
                TLSParameters(
                    version: 0x0304, cipherSuite: 0x1301, cipherSuiteName: "", group: nil, alpn: nil, serverName: nil,
                    resumed: false, proof: proof))
        }
        let lines = kinds.map { Self.line($0) }
        #expect(try await JSONSchema.complaints(about: lines, schema: Self.schema) == "")
    }

    @Test func `the schema has every event, and no other`() throws {
        let schema = try Self.members(try Repository.text("docs/\(Self.schema)"))
        let conditions = try #require(schema["allOf"] as? [[String: Any]])
        let names = conditions.compactMap { condition -> String? in
            let properties = (condition["if"] as? [String: Any])?["properties"] as? [String: Any]
            return (properties?["event"] as? [String: Any])?["const"] as? String
        }
        let samples = try EventSample.everyKind.map { try #require(try Self.members($0.line)["event"] as? String) }
        #expect(names.sorted() == samples.sorted())
    }

    /// Of each line every member is left out once, and becomes an object once; nothing may do without it.
    @Test(.needs(.jsonschema)) func `a line without a member, or with another type, is refused`() async throws {
        var lines: [[UInt8]] = []
        for sample in EventSample.everyKind {
            let members = try Self.members(sample.line)
            for name in members.keys {
                var without = members
                without[name] = nil
                var other = members
                // What a message says is an object of many shapes.
                other[name] = name == "decoded" ? 7 as any Sendable : ["no": "such thing"]
                lines += [try Self.line(of: without), try Self.line(of: other)]
            }
        }
        #expect(lines.count > 400)
        let refused = try await refusals(among: lines)
        #expect(refused == Set(lines.indices))
    }

    static let wrong: [(String, String, any Sendable)] = [
        ("runStarted", "formatVersion", 2), ("runStarted", "connection", 1), ("opened", "connection", -1),
        ("opened", "t", 1.5), ("opened", "time", "2026-03-01T14:02:07Z"), ("opened", "client", "localhost"),
        ("opened", "event", 5), ("requested", "port", 65_536), ("certificate", "digest", "9F86"),
        ("certificate", "der", "MII"), ("chain", "side", "proxy"), ("chain", "digests", ["00"]),
        ("wire", "direction", "both"), ("alert", "code", 256), ("ended", "end", ["how": "alert"]),
        ("ended", "end", ["how": "error"]), ("ended", "end", ["how": "?"]), ("ended", "phase", "later"),
        ("failed", "code", "unheardOf"), ("secured", "resumed", 0), ("secured", "version", "TLS 1.3"),
        ("hello", "random", "ABCD"), ("hello", "random", "abc"), ("hello", "ja4", "none"), ("hello", "alpn", [1]),
        ("head", "fields", [["name": "a"]]), ("head", "version", "h3"), ("secret", "secret", "xy"),
        ("runContinued", "file", 1), ("opened", "previous", "abcd"), ("opened", "previous", 0),
    ]

    @Test(.needs(.jsonschema)) func `a value in another notation is refused`() async throws {
        let lines = try Self.wrong.map { event, name, value in
            let sample = try #require(EventSample.everyKind.first { $0.line.contains("\"event\":\"\(event)\"") })
            var members = try Self.members(sample.line)
            members[name] = value
            return try Self.line(of: members)
        }
        let refused = try await refusals(among: lines)
        #expect(Set(lines.indices).subtracting(refused).map { "\(Self.wrong[$0])" } == [])
    }

    @Test(.needs(.jsonschema)) func `what is new is allowed, and so is the digest of the line before`() async throws {
        var extended = try Self.members(EventSample.everyKind[0].line)
        extended["inventedLater"] = [1, 2]
        let lines = [
            try Self.line(of: extended),
            Array(#"{"t":1,"time":"2026-03-01T14:02:07.123456Z","connection":null,"event":"inventedLater"}"#.utf8),
            Self.line(.gap(lost: 1)).replacing(
                Array(#""connection":12"#.utf8), with: Array(#""connection":null"#.utf8)),
            Self.line(.firstData(.client), link: .first),
            Self.line(.firstData(.client), link: .after([UInt8](repeating: 0xab, count: 32))),
        ]
        #expect(try await JSONSchema.complaints(about: lines, schema: Self.schema) == "")
        let bare = Array(#"{"t":1,"time":"2026-03-01T14:02:07.123456Z","event":"inventedLater"}"#.utf8)
        #expect(try await refusals(among: [bare]) == [0])
    }

    /// The numbers of the lines that the schema refuses.
    private func refusals(among lines: [[UInt8]]) async throws -> Set<Int> {
        let complaints = try await JSONSchema.complaints(about: lines, schema: Self.schema)
        return Set(complaints.split(separator: "\n").compactMap { Int($0.prefix { $0 != " " }) })
    }
}
