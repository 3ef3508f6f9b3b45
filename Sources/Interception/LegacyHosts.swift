public import Transcript
public import Wire

/// The hosts for which old and weak TLS is opened: versions below 1.2, small keys and groups, SHA-1, peers that do not
/// know RFC 5746.
public struct LegacyHosts: Sendable {
    private let patterns: [Side: [HostPattern]]

    /// Opens it to the clients, and to the origins, of these hosts.
    public init(clients: [HostPattern] = [], origins: [HostPattern] = []) {
        patterns = [.client: clients, .origin: origins]
    }

    /// Whether it is open on a side of the connections to an endpoint.
    public func isOpen(_ side: Side, for endpoint: Endpoint) -> Bool {
        patterns[side]?.contains { $0.matches(endpoint) } ?? false
    }
}
