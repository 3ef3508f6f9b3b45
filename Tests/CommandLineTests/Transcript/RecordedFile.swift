import Crypto
import Foundation
import Transcript
import Wire

/// Transcripts made by hand, for commands that read them.
struct RecordedFile {
    private(set) var bytes: [UInt8] = []
    private var count: UInt64 = 0
    private let wall: Int64
    /// What the next line says of the one before it.
    private var link: EventEncoder.Link

    /// Begins a run, whose lines name the digests of those before them if that is asked for.
    init(isChained: Bool = false) {
        wall = Self.wall
        link = isChained ? .first : .none
        add(nil, .runStarted(Self.run))
    }

    /// Begins a further file of it, or of a run that was so many microseconds earlier.
    init(continuedAs file: Int, earlierBy age: Int64 = 0) {
        wall = Self.wall - age
        link = .none
        add(nil, .runContinued(RunContinued(run: Self.run, file: file)))
    }

    private static let wall: Int64 = 1_772_373_727_000_000

    private static let run = RunStarted(tool: "0.1.0", openssl: "", listeners: [], authorities: [])

    /// Adds events of a connection; nil stands for the run itself.
    mutating func add(_ connection: UInt64?, _ kinds: Event.Kind...) {
        for kind in kinds {
            let event = Event(
                connection: connection, monotonic: count * 1_000_000, wall: wall + Int64(count) * 1000, kind: kind)
            let start = bytes.count
            EventEncoder().encode(event, link: link, into: &bytes)
            if case .none = link {} else { link = .after(Digest.sha256(Array(bytes[start...].dropLast()))) }
            count += 1
        }
    }

    /// Adds a connection whose client offers this suite and sends data.
    mutating func addAccepting(_ connection: UInt64, _ target: String, suite: UInt8 = 0x01) throws {
        add(
            connection, .opened(client: "127.0.0.1:50312", listener: "127.0.0.1:8080"),
            .requested(method: "CONNECT", target: target, endpoint: Endpoint(target)), .decided(.intercept, rule: nil),
            .hello(try Self.hello(suite)),
            .secured(.client, Self.agreed(suite)),
            .firstData(.client), .firstData(.origin), .ended(.client, .fin, .relay),
            .closed(
                Closed(
                    by: .client, phase: .relay, client: .fin, origin: nil, clientBytes: 100, originBytes: 900,
                    nanoseconds: 8_000_000)))
    }

    /// Ends the run.
    mutating func end(connections: UInt64) { add(nil, .runEnded(RunEnded(connections: connections, lost: 0))) }

    /// What a handshake of TLS 1.3 with this suite agreed on.
    static func agreed(_ suite: UInt8) -> TLSParameters {
        TLSParameters(
            version: 0x0304, cipherSuite: 0x1300 + UInt16(suite), cipherSuiteName: "", group: "x25519",
            alpn: "http/1.1",
            serverName: nil, resumed: false)
    }

    /// A ClientHello without extensions (RFC 8446 section 4.1.2).
    static func hello(_ suite: UInt8) throws -> HelloRecord {
        let message = [3, 3] + [UInt8](repeating: 0, count: 32) + [0, 0, 2, 0x13, suite, 1, 0]
        return HelloRecord(
            hello: try ClientHello(message: message), ja3Text: "", ja3: "3\(suite)",
            ja4: "t12i010000_00000000000\(suite)_000000000000")
    }
}
