package import Wire

/// Which connections of a transcript are converted.
package struct ExportSelection: Sendable {
    private let connections: Set<UInt64>
    private let hosts: [HostPattern]
    /// Connections whose host is not known yet, with how they were opened.
    private var undecided = OpenConnections<Event>(limit: openLimit)
    /// Connections that were chosen by their host.
    private var chosen = OpenConnections<Void>(limit: openLimit)

    /// Selects connections.
    ///
    /// - Parameters:
    ///   - connections: Their numbers; empty for any.
    ///   - hosts: The hosts that they asked for; empty for any.
    package init(connections: Set<UInt64> = [], hosts: [HostPattern] = []) {
        self.connections = connections
        self.hosts = hosts
    }

    /// Whether all connections are selected.
    package var isEverything: Bool { connections.isEmpty && hosts.isEmpty }

    /// The events that pass, once the next one is known: none if it does not, more if earlier ones waited for it.
    ///
    /// Events of the run pass. A connection says which host it asks for only after it was opened.
    ///
    /// - Parameter event: What happened.
    /// - Returns: What passes, in order.
    package mutating func pass(_ event: Event) -> [Event] {
        guard let connection = event.connection else { return [event] }
        guard connections.isEmpty || connections.contains(connection) else { return [] }
        guard !hosts.isEmpty else { return [event] }
        switch event.kind {
        case .opened:
            undecided.insert(event, for: connection)
            return []
        case .requested(_, _, let endpoint?) where hosts.contains { $0.matches(endpoint) }:
            guard let opened = undecided.remove(connection) else { return [] }
            chosen.insert((), for: connection)
            return [opened, event]
        case .closed:
            _ = undecided.remove(connection)
            return chosen.remove(connection) == nil ? [] : [event]
        default:
            return chosen[connection] == nil ? [] : [event]
        }
    }
}

/// How many open connections an export follows at most: a file may say that any number is open.
let openLimit = 65_536
