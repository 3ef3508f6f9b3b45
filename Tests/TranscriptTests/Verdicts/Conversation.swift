import TestSupport
import Transcript
import Wire

/// The events of one connection, in the order in which the engine records them.
struct Conversation {
    /// What was recorded so far.
    private(set) var kinds: [Event.Kind]

    /// A connection that named its target, which was connected to.
    static func tunnel(
        _ target: String = "api.example.com:443", _ decision: Decision = .intercept
    ) -> Conversation {
        asking(target, decision) + [.connected(origin: "192.0.2.1:443", nanoseconds: 5)]
    }

    /// A connection that named its target.
    static func asking(_ target: String = "api.example.com:443", _ decision: Decision = .intercept) -> Conversation {
        opened + [
            .requested(method: "CONNECT", target: target, endpoint: Endpoint(target)), .decided(decision, rule: nil),
        ]
    }

    /// A connection on which nothing came yet.
    static let opened = Conversation(kinds: [.opened(client: "127.0.0.1:50312", listener: "127.0.0.1:8080")])

    /// A connection whose hello is there and is answered by the origin, but not yet by the proxy.
    static func greeted(_ target: String = "api.example.com:443", stack: String? = nil) -> Conversation {
        tunnel(target) + [.hello(.stack(stack ?? stackA))] + originHandshake
    }

    /// A connection on which the proxy's flight is sent: in TLS 1.3 all of it, in TLS 1.2 up to ServerHelloDone.
    static func shown(
        _ target: String = "api.example.com:443", stack: String? = nil, version: UInt16 = 0x0304
    ) -> Conversation {
        greeted(target, stack: stack) + flight(version)
    }

    /// A connection whose handshake is complete.
    static func secured(
        _ target: String = "api.example.com:443", stack: String? = nil, version: UInt16 = 0x0304,
        alpn: String? = "http/1.1", resumed: Bool = false
    ) -> Conversation {
        shown(target, stack: stack, version: version) + finish(version) + [
            .secured(.client, .agreed(version, alpn, resumed))
        ]
    }

    /// A client that offers TLS 1.0 and no more, and is told with protocol_version (70) that this is too old.
    static let obsolete =
        tunnel() + [
            .hello(.bare), .wire(.client, .received, [0x16]), .failed(.of(.client, .clientOutdated, .hello)),
            .alert(.client, .sent, level: 2, code: 70), .wire(.client, .sent, [0x15]),
            .ended(.client, .fin, .closing), .closed(.by(.client, .hello, client: .fin)),
        ]

    private static let originHandshake: [Event.Kind] = [
        .message(.origin, .sent, [1]), .wire(.origin, .sent, [0x16]), .message(.origin, .received, [2]),
        .message(.origin, .received, [8]), .message(.origin, .received, [11]), .message(.origin, .received, [15]),
        .message(.origin, .received, [20]), .wire(.origin, .received, [0x16]), .message(.origin, .sent, [20]),
        .wire(.origin, .sent, [0x17]), .chain(.origin, ["aa"]), .secured(.origin, .agreed(0x0304, "http/1.1", false)),
    ]

    /// RFC 8446 section 2, RFC 5246 section 7.3; the hello is 500 octets long.
    static func flight(_ version: UInt16) -> [Event.Kind] {
        let types: [UInt8] = version == 0x0304 ? [2, 8, 11, 15, 20] : [2, 11, 12, 14]
        return [
            .forged(host: "api.example.com", digest: "bb", key: "EC P-256", fromCache: false), .chain(.client, ["bb"]),
            .message(.client, .received, [1] + [UInt8](repeating: 0, count: 499)), .wire(.client, .received, [0x16]),
        ] + types.map { .message(.client, .sent, [$0]) } + [.wire(.client, .sent, [0x16])]
    }

    private static func finish(_ version: UInt16) -> [Event.Kind] {
        version == 0x0304
            ? [.message(.client, .received, [20]), .wire(.client, .received, [0x17])]
            : [
                .message(.client, .received, [16]), .message(.client, .received, [20]),
                .wire(.client, .received, [0x16]), .message(.client, .sent, [20]), .wire(.client, .sent, [0x16]),
            ]
    }

    static func + (conversation: Conversation, kinds: [Event.Kind]) -> Conversation {
        Conversation(kinds: conversation.kinds + kinds)
    }

    /// What its events show.
    var verdict: Verdict {
        var fold = VerdictFold()
        for kind in kinds { fold.add(kind) }
        return fold.verdict
    }
}

extension Conversation {
    /// The client sends an alert, and the session is over.
    func alert(_ code: UInt8, level: UInt8 = 2, in phase: Phase = .clientHandshake) -> Conversation {
        self + [.alert(.client, .received, level: level, code: code), .ended(.client, .alert(code), phase)]
            + [.closed(.by(.client, phase, client: .alert(code)))]
    }

    /// The client ends in this way before anybody else does.
    func left(_ end: End, in phase: Phase, bytes: (UInt64, UInt64) = (0, 0)) -> Conversation {
        let farewell: [Event.Kind] =
            end == .closeNotify
            ? [
                .alert(.client, .received, level: 1, code: 0), .ended(.client, end, phase),
                .ended(.client, .fin, .closing),
            ] : [.ended(.client, end, phase)]
        return self + farewell + [.closed(.by(.client, phase, client: end, bytes: bytes))]
    }

    /// A request and its answer, then the end in good order.
    func exchanged(client: UInt64 = 46, origin: UInt64 = 812) -> Conversation {
        (self + [.firstData(.client), .firstData(.origin)])
            .left(.closeNotify, in: .relay, bytes: (client, origin))
    }
}

/// Two client stacks.
let stackA = "t13d1516h2_8daaf6152771_e5627efa2ab1"
let stackB = "t12i190800_d83cc789557e_7af1ed941c26"

extension HelloRecord {
    /// The hello of a client stack.
    static func stack(_ ja4: String) -> HelloRecord {
        var record = sample
        record.ja4 = ja4
        return record
    }
}

extension TLSParameters {
    /// What a handshake agreed on.
    static func agreed(_ version: UInt16, _ alpn: String?, _ resumed: Bool) -> TLSParameters {
        TLSParameters(
            version: version, cipherSuite: 0x1301, cipherSuiteName: "TLS_AES_128_GCM_SHA256", group: "x25519",
            alpn: alpn, serverName: "api.example.com", resumed: resumed)
    }
}

extension Closed {
    /// An end.
    static func by(
        _ party: Party, _ phase: Phase, client: End? = nil, origin: End? = nil, bytes: (UInt64, UInt64) = (0, 0)
    ) -> Closed {
        Closed(
            by: party, phase: phase, client: client, origin: origin, clientBytes: bytes.0, originBytes: bytes.1,
            nanoseconds: 210_000_000)
    }
}

extension Failure {
    /// A failure of which only the kind matters.
    static func of(_ party: Party, _ code: Code, _ phase: Phase) -> Failure {
        Failure(party: party, code: code, phase: phase, detail: "")
    }
}
