public import Wire

/// The connections of a transcript that may be compared with those of another, found in one reading: the one with a
/// number, or the first with a hello at each host.
///
/// It keeps the facts of one connection for each host, up to a limit, and a few hundred bytes for each that is open.
public struct HandshakeCandidates: Sendable {
    private enum Wanted: Sendable {
        case connection(UInt64)
        case hosts(HostPattern?, among: Set<HostName>?)
    }

    private struct Candidate: Sendable {
        var record: HandshakeRecord
        /// How often events were missing before it was opened.
        let missingBefore: UInt64

        /// Takes the connection's next event into account.
        mutating func add(_ event: Event, missing: UInt64) {
            record.add(event)
            if case .closed = event.kind { settle(missing: missing) }
        }

        /// Notes whether events were missing by now.
        mutating func settle(missing: UInt64) {
            if missing != missingBefore { record.noteMissingEvents() }
        }
    }

    private let wanted: Wanted
    private let limit: Int
    private var missing = MissingEvents()
    /// Open connections that sent no hello yet.
    private var open = OpenConnections<Candidate>(limit: openLimit)
    private var chosen: [UInt64: Candidate] = [:]
    /// The chosen connections with their hosts, in the order of their hellos.
    private var firsts: [(endpoint: Endpoint, connection: UInt64)] = []
    private var known: Set<Endpoint> = []

    /// Looks for one connection.
    ///
    /// - Parameter connection: Its number.
    public init(connection: UInt64) {
        wanted = .connection(connection)
        limit = 1
    }

    /// Looks for the first connection with a hello at each host.
    ///
    /// - Parameters:
    ///   - pattern: The hosts that count; nil for all.
    ///   - other: What was found in the other transcript: only hosts of these count; nil for all.
    ///   - limit: How many hosts are kept.
    public init(pattern: HostPattern? = nil, among other: HandshakeCandidates? = nil, limit: Int = 2000) {
        wanted = .hosts(pattern, among: other.map { Set($0.known.map(\.host)) })
        self.limit = limit
    }

    /// Takes the next event into account.
    public mutating func add(_ event: Event) {
        guard let connection = event.connection else {
            missing.add(event)
            return
        }
        if case .connection(let number) = wanted {
            guard connection == number, !isComplete else { return }
            if chosen[number] == nil { chosen[number] = begin(number) }
        } else if case .opened = event.kind {
            open.insert(begin(connection), for: connection)
        }
        if chosen[connection] != nil {
            chosen[connection]?.add(event, missing: missing.places)
        } else {
            open.update(connection) { $0.add(event, missing: missing.places) }
            choose(connection, by: event.kind)
        }
    }

    /// Whether the connection that was looked for is over: nothing that follows makes a difference.
    public var isComplete: Bool {
        guard case .connection(let number) = wanted else { return false }
        return chosen[number]?.record.closed != nil
    }

    /// Whether nothing was found.
    public var isEmpty: Bool { chosen.isEmpty }

    /// The connections at the first host that two transcripts share, or those that were looked for; nil if there are none.
    ///
    /// A port may change from run to run, so that without the same host and port the same host is enough.
    ///
    /// - Parameter other: What was found in the other transcript.
    /// - Returns: The facts of both.
    public func pair(with other: HandshakeCandidates) -> (first: HandshakeRecord, second: HandshakeRecord)? {
        guard let (mine, others) = numbers(with: other), let first = record(mine), let second = other.record(others)
        else { return nil }
        return (first, second)
    }

    private func numbers(with other: HandshakeCandidates) -> (UInt64, UInt64)? {
        if case .connection(let mine) = wanted, case .connection(let others) = other.wanted { return (mine, others) }
        let byEndpoint = Dictionary(other.firsts.map { ($0.endpoint, $0.connection) }) { first, _ in first }
        for choice in firsts {
            if let match = byEndpoint[choice.endpoint] { return (choice.connection, match) }
        }
        let byHost = Dictionary(other.firsts.map { ($0.endpoint.host, $0.connection) }) { first, _ in first }
        for choice in firsts {
            if let match = byHost[choice.endpoint.host] { return (choice.connection, match) }
        }
        return nil
    }

    private func record(_ connection: UInt64) -> HandshakeRecord? {
        guard var candidate = chosen[connection] else { return nil }
        if candidate.record.closed == nil { candidate.settle(missing: missing.places) }
        return candidate.record
    }

    private func begin(_ connection: UInt64) -> Candidate {
        Candidate(record: HandshakeRecord(connection: connection), missingBefore: missing.places)
    }

    /// Chooses a connection, or forgets it, where an event decides that.
    private mutating func choose(_ connection: UInt64, by kind: Event.Kind) {
        switch kind {
        case .requested(_, _, let endpoint?):
            if !counts(endpoint) { _ = open.remove(connection) }
        case .hello:
            guard let candidate = open.remove(connection), let endpoint = candidate.record.endpoint,
                counts(endpoint)
            else { return }
            known.insert(endpoint)
            firsts.append((endpoint, connection))
            chosen[connection] = candidate
        case .closed: _ = open.remove(connection)
        default: break
        }
    }

    /// Whether the first connection with a hello at a host is wanted, and not found yet.
    private func counts(_ endpoint: Endpoint) -> Bool {
        guard case .hosts(let pattern, let others) = wanted else { return false }
        return chosen.count < limit && !known.contains(endpoint) && pattern?.matches(endpoint) ?? true
            && others?.contains(endpoint.host) ?? true
    }
}
