package import Transcript
internal import Wire

/// Where a connection goes.
struct Route {
    let endpoint: Endpoint
    let decision: Decision
    /// Whether its origin is known to end handshakes that offer HTTP/2.
    var refusesHTTP2 = false
}

/// Waits for the client's whole ClientHello, and for an origin that speaks first.
struct HelloWait {
    let route: Route
    var assembler: ClientHelloAssembler
    /// How the origin ended before anybody had said anything, if it did.
    var originEnd: End?
    /// Whether it is recorded that nobody says anything.
    var isListedAsSilent = false

    init(route: Route, limit: Int) {
        self.route = route
        assembler = ClientHelloAssembler(limit: limit)
    }

    /// The client's bytes so far: TLS will want them again.
    var received: [UInt8] { assembler.received }
}

/// What the handshakes of an intercepted connection need to know of the client's hello.
struct Handshaking {
    /// Where the connection goes.
    let route: Route
    /// The name for the leaf, and the name that the origin is asked for and verified against: the client's server name
    /// where it is a valid one, the host of its CONNECT request otherwise; with the port of the request.
    let endpoint: Endpoint
    /// The key that the leaf needs.
    let key: LeafKey
    /// The protocols that the client offered, without GREASE (RFC 8701).
    let offered: [[UInt8]]
    /// Whether HTTP/2 is not offered to the origin, though the client offers it.
    private(set) var withholdsHTTP2 = false
    /// Whether the origin took the hello.
    private var hasAnswer = false
    /// The client's bytes so far.
    private(set) var received: [UInt8]

    init(_ hello: ClientHello, route: Route, received: [UInt8]) {
        // A server name is a DNS name, never an address (RFC 6066 section 3).
        let asked = hello.serverName.flatMap(HostName.init).flatMap { $0.isAddress ? nil : $0 }
        self.route = route
        endpoint = Endpoint(host: asked ?? route.endpoint.host, port: route.endpoint.port)
        key = LeafKey(for: hello)
        offered = (hello.alpn ?? []).filter { !Self.isGREASE($0) }
        self.received = received
    }

    /// Keeps bytes that the client sends before its handshake goes on, such as early data.
    ///
    /// - Returns: Whether more may come.
    mutating func receive(_ bytes: [UInt8]) -> Bool {
        received += bytes
        return received.count < Self.limit
    }

    /// The name of `endpoint`.
    var name: HostName { endpoint.host }

    /// The protocols that the origin is offered: those of the client, but for HTTP/2 if that is withheld.
    var forOrigin: [[UInt8]] { withholdsHTTP2 ? offered.filter { $0 != Self.http2 } : offered }

    /// The same, once the origin took the hello.
    var answered: Handshaking {
        var answered = self
        answered.hasAnswer = true
        return answered
    }

    /// Offers the origin no HTTP/2 from now on; false if that changes nothing, or would leave no HTTP at all.
    mutating func withholdHTTP2() -> Bool {
        guard !withholdsHTTP2, [Self.http2, Self.http1].allSatisfy(offered.contains) else { return false }
        withholdsHTTP2 = true
        return true
    }

    /// Whether an origin that ended the handshake in this way may do better without the offer of HTTP/2.
    func mayWithholdHTTP2(after end: End) -> Bool {
        var next = self
        return !hasAnswer && end.mayBlameTheHello && next.withholdHTTP2()
    }

    /// The protocol for a page of ours: HTTP/2 if offered, else HTTP/1.1 if offered, else none.
    var pageProtocol: [UInt8]? {
        [Self.http2, Self.http1].first(where: offered.contains)
    }

    private static func isGREASE(_ name: [UInt8]) -> Bool {
        name.count == 2 && ClientHello.isGREASE(UInt16(name[0]) << 8 | UInt16(name[1]))
    }

    private static let http2 = Array("h2".utf8)
    private static let http1 = Array("http/1.1".utf8)
    /// A hello of the largest size and as much again.
    private static let limit = 128 * 1024
}

/// What is left to do before a connection is over.
struct Closing {
    /// The sides on which our direction is not flushed and ended yet.
    var unfinished: Set<Side>
    /// Whether the client's own end is awaited, so that a reset cannot overtake what it is still to read.
    let lingersForClient: Bool
}

/// Who ended first, where, and how each direction ended.
struct Ending {
    private var by: Party?
    private var phase: Phase?
    private var clientEnds: [End] = []
    private var originEnds: [End] = []

    /// How the client ended its direction: what came later is only how TCP ended.
    var client: End? { clientEnds.first }

    /// Keeps who was first.
    mutating func first(_ party: Party, _ phase: Phase) {
        guard by == nil else { return }
        (by, self.phase) = (party, phase)
    }

    /// Keeps how a peer ended; false if that is known already.
    mutating func note(_ side: Side, _ end: End, _ phase: Phase) -> Bool {
        first(side == .client ? .client : .origin, phase)
        guard !(side == .client ? clientEnds : originEnds).contains(end) else { return false }
        switch side {
        case .client: clientEnds.append(end)
        case .origin: originEnds.append(end)
        }
        return true
    }

    func summary(_ fallback: Phase) -> ConnectionEnd {
        ConnectionEnd(by: by ?? .proxy, phase: phase ?? fallback, client: client, origin: originEnds.first)
    }
}

extension Side {
    /// The other side.
    var opposite: Side { self == .client ? .origin : .client }
}

extension End {
    /// Whether the peer is gone: it neither sends nor receives any more.
    var isAbrupt: Bool {
        switch self {
        case .closeNotify, .fin: false
        case .reset, .alert, .timeout, .error, .proxy: true
        }
    }

    /// The end in plain words.
    package var explained: String {
        switch self {
        case .closeNotify: "it sent close_notify"
        case .fin: "it closed the connection"
        case .reset: "it reset the connection"
        case .alert(let code): "it sent the alert \(TLSNames.alert(code)) (\(code))"
        case .timeout: "it did not answer in time"
        case .error(let errno): "the socket failed (errno \(errno))"
        case .proxy: "the proxy ended it"
        }
    }
}

extension ConnectFailure {
    /// The failure as it is recorded, and the status that answers the CONNECT.
    func explained(for endpoint: Endpoint) -> (Failure, status: Int) {
        switch self {
        case .notResolved(let reason):
            (
                Failure(
                    party: .origin, code: .nameNotResolved, phase: .connecting,
                    detail: "the name \(endpoint.host) has no address: \(reason)",
                    hint: "check the name, or give the address with --resolve \(endpoint):ADDRESS"), 502
            )
        case .failed(let reason):
            (
                Failure(
                    party: .origin, code: .connectionFailed, phase: .connecting,
                    detail: "no connection to \(endpoint): \(reason)",
                    hint: "check that the origin is up and reachable from here"), 502
            )
        case .exhausted(let reason):
            (
                Failure(
                    party: .proxy, code: .outOfResources, phase: .connecting,
                    detail: "the proxy has no room for a connection to \(endpoint): \(reason)",
                    hint: "raise the limit of open files (ulimit -n), or lower --max-connections"), 503
            )
        case .timedOut:
            (
                Failure(
                    party: .origin, code: .timeout, phase: .connecting,
                    detail: "no connection to \(endpoint) within the time limit",
                    hint: "check that the origin is up, or raise --connect-timeout"), 504
            )
        case .ownListener:
            (
                Failure(
                    party: .client, code: .ownListener, phase: .connecting,
                    detail: "\(endpoint) is this proxy itself",
                    hint: "ask for the origin, not for the proxy"), 403
            )
        }
    }
}
