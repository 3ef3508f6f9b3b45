internal import Glibc
public import Wire

/// The numeric address and port of one end of a TCP connection.
///
/// An IPv4 address that came in IPv6's clothes (`::ffff:192.0.2.1`, as a socket for both families reports it) is that
/// IPv4 address, so that equal peers compare equal.
public struct SocketAddress: Hashable, Sendable {
    /// The address as numbers: a peer's costs no memory of its own.
    enum Family: Hashable {
        /// The four octets, the first on top.
        case ipv4(UInt32)
        /// The sixteen octets, the first on top, and the interface of a link-local address (else 0).
        case ipv6(high: UInt64, low: UInt64, scope: UInt32)
    }

    let family: Family
    /// The TCP port.
    public let port: UInt16

    init(_ family: Family, port: UInt16) {
        if case .ipv6(high: 0, let low, scope: _) = family, low >> 32 == 0xffff {
            self.family = .ipv4(UInt32(truncatingIfNeeded: low))
        } else {
            self.family = family
        }
        self.port = port
    }

    /// Takes over a host that is an address; nil for a name.
    public init?(_ host: HostName, port: UInt16) {
        self.init(host, scope: 0, port: port)
    }

    /// Reads a numeric address; no name is ever looked up.
    ///
    /// - Parameters:
    ///   - address: "192.0.2.1", "2001:db8::1" or, with the interface of a link-local address, "fe80::1%eth0".
    ///   - port: The TCP port.
    public init?(address: String, port: UInt16) {
        let parts = address.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let host = HostName(parts[0]) else { return nil }
        guard parts.count == 2 else {
            self.init(host, port: port)
            return
        }
        let scope = UInt32(parts[1]) ?? if_nametoindex(parts[1])
        guard scope != 0, case .ipv6 = host.kind else { return nil }
        self.init(host, scope: scope, port: port)
    }

    private init?(_ host: HostName, scope: UInt32, port: UInt16) {
        switch host.kind {
        case .dns:
            return nil
        case .ipv4(let octets):
            self.init(.ipv4(UInt32(truncatingIfNeeded: Self.number(octets[...]))), port: port)
        case .ipv6(let octets):
            let family = Family.ipv6(
                high: Self.number(octets.prefix(8)), low: Self.number(octets.dropFirst(8)), scope: scope)
            self.init(family, port: port)
        }
    }

    /// The address alone.
    public var host: HostName {
        let octets =
            switch family {
            case .ipv4(let number): Self.octets(number)
            case .ipv6(let high, let low, _): Self.octets(high) + Self.octets(low)
            }
        guard let host = HostName(addressBytes: octets) else { preconditionFailure("four or sixteen octets") }
        return host
    }

    /// The same address with another port.
    public func withPort(_ port: UInt16) -> SocketAddress { SocketAddress(family, port: port) }

    /// Whether the address can only be reached from this machine: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        switch family {
        case .ipv4(let number): number >> 24 == 127
        case .ipv6(let high, let low, _): high == 0 && low == 1
        }
    }

    /// Whether the address stands for every address of this machine, as a listener's may: 0.0.0.0 or ::.
    public var isUnspecified: Bool {
        switch family {
        case .ipv4(let number): number == 0
        case .ipv6(let high, let low, _): high == 0 && low == 0
        }
    }

    private static func number(_ octets: ArraySlice<UInt8>) -> UInt64 {
        octets.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func octets(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// "192.0.2.1:80" or "[2001:db8::1]:80".
    public var description: String {
        switch family {
        case .ipv6(_, _, let scope) where scope != 0: "[\(host.text)%\(scope)]:\(port)"
        case .ipv4: "\(host.text):\(port)"
        case .ipv6: "[\(host.text)]:\(port)"
        }
    }
}
