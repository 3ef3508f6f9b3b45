import Foundation
import TestSupport
import Transcript
import Wire

/// A transcript of 100,000 connections: 50 hosts, 5 client stacks, every pair of them 400 times.
///
/// Connection `n` is of host `n % 50` and stack `n / 50 % 5`, and each tenth round of all pairs, `n / 250 % 10 == 0`, finds a
/// slow origin. What becomes of a connection is decided by its host and stack alone:
///
/// | hosts | what becomes of their connections |
/// |---|---|
/// | 0 to 9 | tunnelled |
/// | 10 to 18 | accepted by every stack, with 512 bytes of data |
/// | 19 | the same, but stack 4 ends in silence |
/// | 20 to 49 | stacks 0 and 1 send alert 46, stack 2 alert 48, stack 3 alert 42; stack 4 ends in silence |
///
/// The lines are the encoder's. As it would take long to encode all of them, one connection of each sort is encoded, as
/// number 1 and from the second millisecond on, and its lines then get other numbers.
struct ManyConnections {
    static let count = 100_000
    static let alerts: [UInt8?] = [46, 46, 48, 42, nil]

    static func host(_ number: Int) -> String { "host\(number / 10)\(number % 10).test" }
    static func ja4(_ stack: Int) -> String { "t13d0107h2_0123456789ab_00000000000\(stack)" }

    /// A line of the connection number 1, without its beginning and without its numbers.
    private struct Line {
        let middle: [UInt8]
        let end: [UInt8]
    }

    private static let start = Array(#"{"t":"#.utf8)

    /// Writes the transcript; its last line is cut off.
    static func write(to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        var buffer: [UInt8] = []
        let run = RunStarted(tool: "0.1.0", openssl: "x", listeners: ["127.0.0.1:8080"], authorities: [])
        EventEncoder().encode(Event(connection: nil, monotonic: 0, wall: 0, kind: .runStarted(run)), into: &buffer)
        EventEncoder().encode(Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 7)), into: &buffer)
        let sorts = (0..<500).map { lines(host: $0 % 50, stack: $0 / 50 % 5, isSlow: $0 >= 250) }
        for number in 1...count {
            let isSlow = number / 250 % 10 == 0
            let digits = Array(String(number).utf8)
            for line in sorts[number % 250 + (isSlow ? 250 : 0)] {
                buffer += start
                buffer += digits
                buffer += line.middle
                buffer += digits
                buffer += line.end
            }
            guard buffer.count > 1 << 22 else { continue }
            try file.write(contentsOf: buffer)
            buffer.removeAll(keepingCapacity: true)
        }
        try file.write(contentsOf: buffer + Array(#"{"t":100001000000,"time":"2026-03"#.utf8))
    }

    /// A connection's lines.
    private static func lines(host: Int, stack: Int, isSlow: Bool) -> [Line] {
        let mark = Array(#","connection":1"#.utf8)
        return events(host: host, stack: stack, isSlow: isSlow).enumerated().map { index, kind in
            var line: [UInt8] = []
            // Each time is 1 and six digits, of which the 1 becomes the connection's number.
            EventEncoder().encode(
                Event(
                    connection: 1, monotonic: 1_000_000 + UInt64(index), wall: 1_772_373_727_123_456, kind: kind),
                into: &line)
            let split = line.firstRange(of: mark)?.upperBound ?? line.endIndex
            return Line(middle: Array(line[(start.count + 1)..<(split - 1)]), end: Array(line[split...]))
        }
    }

    private static func events(host: Int, stack: Int, isSlow: Bool) -> [Event.Kind] {
        let name = Self.host(host)
        let nanoseconds = UInt64(host + 1) * (isSlow ? 10_000_000 : 1_000_000)
        let opening: [Event.Kind] = [
            .opened(client: "127.0.0.1:50312", listener: "127.0.0.1:8080"),
            .requested(method: "CONNECT", target: "\(name):443", endpoint: Endpoint("\(name):443")),
            .decided(host < 10 ? .tunnel : .intercept, rule: nil),
            .connected(origin: "192.0.2.\(host + 1):443", nanoseconds: nanoseconds, local: "192.0.2.200:40000"),
        ]
        if host < 10 {
            return opening + [
                .verdict(RecordedVerdict(name: "notTested", text: "not tested: tunnelled")), closed(.fin, bytes: 700),
            ]
        }
        let parameters = TLSParameters(
            version: 0x0304, cipherSuite: 0x1301, cipherSuiteName: "TLS_AES_128_GCM_SHA256", group: "x25519",
            alpn: "h2", serverName: name, resumed: false, proof: .trust)
        var hello = HelloRecord.sample
        hello.ja4 = ja4(stack)
        let handshake: [Event.Kind] = [
            .hello(hello), .serverHello(.origin, ServerHelloRecord.sample),
            .chain(.origin, [EventSample.leafDigest, EventSample.issuerDigest]), .secured(.origin, parameters),
            .chain(.client, [EventSample.leafDigest]),
        ]
        return opening + handshake + ending(host: host, stack: stack, parameters)
    }

    private static func ending(host: Int, stack: Int, _ parameters: TLSParameters) -> [Event.Kind] {
        if host < 20, host < 19 || stack < 4 {
            let head = ObservedHead(
                sender: .client, exchange: 1, version: "h2", method: "GET", scheme: "https",
                authority: parameters.serverName, target: "/", fields: [], length: 30)
            return [
                .secured(.client, parameters), .head(head),
                // A warning, which is no rejection.
                .alert(.client, .received, level: 1, code: 0), .ended(.client, .closeNotify, .relay),
                .verdict(RecordedVerdict(name: "accepted", text: "accepted: 512 bytes of data")),
                closed(.closeNotify, bytes: 512),
            ]
        }
        guard let alert = alerts[stack] else {
            return [
                .ended(.client, .fin, .clientHandshake),
                .verdict(RecordedVerdict(name: "rejectedSilently", text: "rejected silently")), closed(.fin, bytes: 0),
            ]
        }
        return [
            .alert(.client, .received, level: 2, code: alert), .ended(.client, .alert(alert), .clientHandshake),
            .verdict(RecordedVerdict(name: "rejected", text: "rejected")), closed(.alert(alert), bytes: 0),
        ]
    }

    private static func closed(_ end: End, bytes: UInt64) -> Event.Kind {
        .closed(
            Closed(
                by: .client, phase: .closing, client: end, origin: .fin, clientBytes: bytes, originBytes: bytes,
                nanoseconds: 9_000_000))
    }
}
