public import Wire

/// Picks connections of two transcripts that can be compared: the first with a hello at each host.
///
/// It keeps one number for each host, up to a limit.
public struct HandshakeChoice: Sendable {
    private let pattern: HostPattern?
    private let limit: Int
    private var asked: [UInt64: Endpoint] = [:]
    /// The first connection with a hello at each host, in their order.
    private var firsts: [(endpoint: Endpoint, connection: UInt64)] = []
    private var known: Set<Endpoint> = []

    /// Starts with none seen.
    ///
    /// - Parameters:
    ///   - pattern: The hosts that count; nil for all.
    ///   - limit: How many hosts, and how many connections without a hello, are kept.
    public init(pattern: HostPattern? = nil, limit: Int = 10_000) {
        self.pattern = pattern
        self.limit = limit
    }

    /// Takes the next event into account.
    public mutating func add(_ event: Event) {
        guard let connection = event.connection else { return }
        switch event.kind {
        case .requested(_, _, let endpoint?):
            guard pattern?.matches(endpoint) ?? true, !known.contains(endpoint), asked.count < limit else { return }
            asked[connection] = endpoint
        case .hello:
            guard let endpoint = asked[connection], known.count < limit, known.insert(endpoint).inserted else { return }
            firsts.append((endpoint, connection))
        case .closed: asked[connection] = nil
        default: break
        }
    }

    /// Whether a host of these was reached with a hello.
    public var isEmpty: Bool { firsts.isEmpty }

    /// The connections at the first host that two transcripts share; nil if they share none.
    ///
    /// A port may change from run to run, so that without the same host and port the same host is enough.
    public func pair(with other: HandshakeChoice) -> (first: UInt64, second: UInt64)? {
        let byEndpoint = Dictionary(uniqueKeysWithValues: other.firsts.map { ($0.endpoint, $0.connection) })
        for choice in firsts {
            if let match = byEndpoint[choice.endpoint] { return (choice.connection, match) }
        }
        let byHost = Dictionary(other.firsts.map { ($0.endpoint.host, $0.connection) }) { first, _ in first }
        for choice in firsts {
            if let match = byHost[choice.endpoint.host] { return (choice.connection, match) }
        }
        return nil
    }
}
