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

    /// Reads "host:port" (RFC 9110 section 7.2, the authority form of a CONNECT target).
    ///
    /// The last colon splits, so that an IPv6 address without brackets is understood too ("fd00::1:443", as iOS sends
    /// it). The port must be there and is 1 to 65535 in decimal.
    ///
    /// - Parameter authority: The host and the port; nothing else may stand there, user information included.
    public init?(_ authority: String) {
        guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        guard let host = HostName(String(authority[..<colon])) else { return nil }
        guard let port = Self.port(authority[authority.utf8.index(after: colon)...]) else { return nil }
        self.init(host: host, port: port)
    }

    /// Reads a port: one to five decimal digits, not zero.
    static func port(_ text: Substring) -> UInt16? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        guard let port = UInt16(text), port != 0 else { return nil }
        return port
    }
}

extension Endpoint: CustomStringConvertible {
    /// "host:port", with brackets around an IPv6 address.
    public var description: String { "\(host):\(port)" }
}
