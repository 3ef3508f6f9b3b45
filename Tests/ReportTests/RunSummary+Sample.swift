import Transcript
import Wire

extension RunSummary {
    /// A run over two hosts, and one client that sent noise.
    static var sample: RunSummary {
        var summary = RunSummary()
        let refused = Failure(
            party: .client, code: .clientHandshake, phase: .clientHandshake,
            detail: "the client refused the certificate")
        let expired = Failure(
            party: .origin, code: .originExpired, phase: .originHandshake,
            detail: "the certificate of api.example.com expired on 2026-02-28, three weeks ago")
        let noise = Failure(party: .client, code: .greetingMalformed, phase: .greeting, detail: "\u{1B}[2J")
        summary.add(
            1, "api.example.com:443", .decided(.intercept, rule: nil), .secured(.origin, .sample),
            .identity(IdentityExchange(side: .origin, authorities: [], chain: ["aa"], source: "app.p12")),
            .identity(IdentityExchange(side: .client, authorities: [], chain: ["bb"])), .secured(.client, .sample),
            .closed(.carrying(client: 1234, origin: 3_456_789)))
        summary.add(
            2, "api.example.com:443", .decided(.intercept, rule: nil), .secured(.origin, .sample),
            .identity(IdentityExchange(side: .origin, authorities: [], chain: [])),
            .identity(IdentityExchange(side: .client, authorities: [], chain: [])),
            .forged(host: "", digest: "", key: "", fromCache: false, mirrors: [.untrusted, .notYetValid]),
            .alert(.client, .received, level: 2, code: 46), .failed(refused), .failed(expired), .failed(refused),
            .answered(status: 502, reason: ""), .closed(.carrying(client: 0, origin: 0)))
        summary.add(
            3, "api.example.com:443", .decided(.tunnel, rule: nil), .notTLS(.silence),
            .closed(.carrying(client: 0, origin: 0)))
        summary.add(4, "cdn.example.com:443", .decided(.refuse, rule: "*"))
        summary.add(5, nil, .failed(noise), .closed(.carrying(client: 4, origin: 0)))
        summary.add(Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 3)))
        return summary
    }

    /// Adds a connection's events.
    private mutating func add(_ connection: UInt64, _ target: String?, _ kinds: Event.Kind...) {
        var all: [Event.Kind] = [.opened(client: "", listener: "")]
        if let target { all.append(.requested(method: "CONNECT", target: target, endpoint: Endpoint(target))) }
        for kind in all + kinds { add(Event(connection: connection, monotonic: 0, wall: 0, kind: kind)) }
    }
}

extension TLSParameters {
    fileprivate static let sample = TLSParameters(
        version: 0x0304, cipherSuite: 0x1301, cipherSuiteName: "TLS_AES_128_GCM_SHA256", group: "x25519", alpn: "h2",
        serverName: nil, resumed: false)
}

extension Closed {
    fileprivate static func carrying(client: UInt64, origin: UInt64) -> Closed {
        Closed(
            by: .client, phase: .relay, client: .closeNotify, origin: .closeNotify, clientBytes: client,
            originBytes: origin, nanoseconds: 1)
    }
}
