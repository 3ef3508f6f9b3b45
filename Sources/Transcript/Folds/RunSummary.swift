import Wire

/// Folds events into what a run came to, host by host.
///
/// It keeps a number for each open connection and a row for each host; both are bounded.
public struct RunSummary: Sendable {
    /// The row for connections that never named a host.
    public static let noHost = "(no host)"
    /// The row for the hosts beyond the limit.
    public static let others = "(others)"

    /// How many connections were opened.
    public private(set) var connections: UInt64 = 0
    /// How many events are missing.
    public private(set) var lost: UInt64 = 0

    private let hostLimit: Int
    private var rows: [HostSummary] = []
    private var rowsByHost: [HostName: Int] = [:]
    private var noHostRow = HostSummary(host: RunSummary.noHost)
    private var othersRow = HostSummary(host: RunSummary.others)
    private var open: OpenConnections<Connection>

    /// What is kept of an open connection.
    private struct Connection {
        var row = Row.pending
        /// What its tunnel holds as far as is known, if it is no TLS.
        var content: TunnelContent?
        /// Whether the proxy ended it: what the client says after that is about that.
        var endedByProxy = false
    }

    /// Where the events of a connection are counted.
    private enum Row {
        /// Not known yet: no target was named.
        case pending
        case host(Int)
        case noHost
        case others
    }

    /// Starts with nothing counted.
    ///
    /// - Parameters:
    ///   - hostLimit: How many hosts get a row of their own.
    ///   - openLimit: How many open connections are followed at most; of more, the oldest are forgotten.
    public init(hostLimit: Int = 10_000, openLimit: Int = 65_536) {
        self.hostLimit = hostLimit
        open = OpenConnections(limit: openLimit)
    }

    /// How many connections are open, as far as is known.
    public var openConnections: Int { open.count }

    /// How many hosts have a row of their own.
    public var hostCount: Int { rows.count }

    /// The hosts in the order in which they were first asked for; then, if anything was counted there, `noHost` and
    /// `others`.
    public var hosts: [HostSummary] {
        rows + [noHostRow, othersRow].filter { $0.connections > 0 }
    }

    /// Takes the next event into account.
    public mutating func add(_ event: Event) {
        guard let connection = event.connection else { return addToRun(event.kind) }
        switch event.kind {
        case .opened:
            connections &+= 1
            open.insert(Connection(), for: connection)
        case .requested(_, _, let endpoint):
            if let endpoint, isPending(connection) { assign(connection, to: row(for: endpoint.host)) }
        case .closed(let closed):
            if let content = open[connection]?.content {
                count(connection) { $0.contents[content, default: 0] &+= 1 }
            }
            count(connection) { row in
                row.clientBytes &+= closed.clientBytes
                row.originBytes &+= closed.originBytes
            }
            _ = open.remove(connection)
        case .decided(let decision, _):
            count(connection) { $0.add(decision) }
        case .notTLS(let content):
            open.update(connection) { $0.content = content }
        case .hello, .wire(.client, .received, _):
            // Whoever was silent has spoken, and it is TLS.
            open.update(connection) { $0.content = nil }
        case .withheldHTTP2:
            count(connection) { $0.withheldHTTP2 &+= 1 }
        case .alert(.client, .received, _, let code) where code != closeNotify:
            guard open[connection]?.endedByProxy != true else { break }
            count(connection) { $0.clientAlerts[code, default: 0] &+= 1 }
        case .secured(.client, _):
            count(connection) { $0.clientHandshakes &+= 1 }
        case .secured(.origin, _):
            count(connection) { $0.originHandshakes &+= 1 }
        case .forged(_, _, _, _, let mirrors):
            if !mirrors.isEmpty { count(connection) { $0.add(mirrors) } }
        case .identity(let exchange):
            count(connection) { $0.add(exchange) }
        case .answered:
            count(connection) { $0.answered &+= 1 }
        case .failed(let failure):
            if failure.party == .proxy { open.update(connection) { $0.endedByProxy = true } }
            count(connection) { $0.add(failure) }
        case .runStarted, .runEnded, .runContinued, .originHello, .serverHello, .traffic, .secret, .head, .contentEnded,
            .headsStopped,
            .data, .verdict,
            .gap, .acceptingPaused, .acceptingResumed, .commandStarted, .commandEnded,
            .phase, .connected, .wire, .message, .alert,
            .certificate, .chain, .issuerFetched, .framing,
            .firstData, .firstRequest, .ended:
            break
        }
    }

    private mutating func addToRun(_ kind: Event.Kind) {
        if case .gap(let lost) = kind { self.lost &+= lost }
        // The count at the end includes what was lost after the last gap was written.
        if case .runEnded(let run) = kind { lost = max(lost, run.lost) }
    }

    /// The row for a host: its own while there is room.
    private mutating func row(for host: HostName) -> Row {
        if let known = rowsByHost[host] { return .host(known) }
        guard rows.count < hostLimit else { return .others }
        rowsByHost[host] = rows.count
        rows.append(HostSummary(host: host.description))
        return .host(rows.count - 1)
    }

    /// Whether a connection is open and not counted in a row yet.
    private func isPending(_ connection: UInt64) -> Bool {
        if case .pending = open[connection]?.row { true } else { false }
    }

    /// Counts a connection in a row.
    private mutating func assign(_ connection: UInt64, to row: Row) {
        open.update(connection) { $0.row = row }
        change(row) { $0.connections &+= 1 }
    }

    /// Changes the row of a connection; one that has named no host by now is counted under `noHost`.
    private mutating func count(_ connection: UInt64, _ change: (inout HostSummary) -> Void) {
        if isPending(connection) { assign(connection, to: .noHost) }
        guard let row = open[connection]?.row else { return }
        self.change(row, change)
    }

    private mutating func change(_ row: Row, _ change: (inout HostSummary) -> Void) {
        switch row {
        case .pending: break
        case .host(let index): change(&rows[index])
        case .noHost: change(&noHostRow)
        case .others: change(&othersRow)
        }
    }
}

/// The alert with which a TLS session ends in good order (RFC 8446 section 6.1).
private let closeNotify: UInt8 = 0

extension HostSummary {
    fileprivate mutating func add(_ decision: Decision) {
        switch decision {
        case .intercept: intercepted &+= 1
        case .tunnel: tunnelled &+= 1
        case .refuse: refused &+= 1
        case .answer: answeredByRule &+= 1
        }
    }

    fileprivate mutating func add(_ faults: [OriginFault]) {
        mirrored &+= 1
        mirroredFaults.formUnion(faults)
    }

    fileprivate mutating func add(_ exchange: IdentityExchange) {
        let isGiven: UInt64 = exchange.chain.isEmpty ? 0 : 1
        switch exchange.side {
        case .origin:
            identityRequests &+= 1
            identitiesGiven &+= isGiven
        case .client:
            identitiesTaken &+= isGiven
        }
    }

    fileprivate mutating func add(_ failure: Failure) {
        let count = failures[failure.code]?.count ?? 0
        failures[failure.code] = FailureCount(count: count &+ 1, lastDetail: failure.detail.clipped)
    }
}
