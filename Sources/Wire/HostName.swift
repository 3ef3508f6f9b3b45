/// A host as one canonical value: a DNS name in lower case without a trailing dot, or an IP address.
///
/// Every part of Pinproof that compares hosts (rules, cache, server name, report) compares this.
public struct HostName: Hashable, Sendable {
    /// What the host is written as.
    public enum Kind: Hashable, Sendable {
        /// A DNS name in canonical form.
        case dns(String)
        /// The four octets of an IPv4 address.
        case ipv4([UInt8])
        /// The sixteen octets of an IPv6 address.
        case ipv6([UInt8])
    }

    /// What the host is written as.
    public let kind: Kind
    /// The canonical text, without brackets around an IPv6 address.
    public let text: String
}

/// A host and a port, as in a CONNECT request.
public struct Endpoint: Hashable, Sendable {
    /// The host.
    public let host: HostName
    /// The TCP port.
    public let port: UInt16

    /// Joins a host and a port.
    public init(host: HostName, port: UInt16) {
        self.host = host
        self.port = port
    }
}
