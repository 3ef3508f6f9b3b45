internal import Glibc
public import Wire

/// The numeric address and port of one end of a TCP connection.
///
/// An IPv4 address that came in IPv6's clothes (`::ffff:192.0.2.1`, as a socket for both families reports it) is that
/// IPv4 address, so that equal peers compare equal.
public struct SocketAddress: Hashable, Sendable {
    enum Family: Hashable {
        /// The four octets as one number, the first octet on top.
        case ipv4(UInt32)
        /// The sixteen octets as two numbers, and the interface of a link-local address (else 0).
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

    /// Reads a numeric address; no name is ever looked up.
    ///
    /// - Parameters:
    ///   - address: "192.0.2.1", "2001:db8::1" or, for a link-local address, "fe80::1%eth0".
    ///   - port: The TCP port.
    public init?(address: String, port: UInt16) {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, address, &ipv4) == 1 {
            self.init(.ipv4(UInt32(bigEndian: ipv4.s_addr)), port: port)
            return
        }
        let parts = address.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var ipv6 = in6_addr()
        guard inet_pton(AF_INET6, String(parts[0]), &ipv6) == 1 else { return nil }
        var scope: UInt32 = 0
        if parts.count == 2 {
            scope = UInt32(parts[1]) ?? if_nametoindex(String(parts[1]))
            guard scope != 0 else { return nil }
        }
        self.init(Family(ipv6, scope: scope), port: port)
    }

    /// Takes over a host that is an address; nil for a name.
    public init?(_ host: HostName, port: UInt16) {
        switch host.kind {
        case .dns:
            return nil
        case .ipv4(let octets):
            guard octets.count == 4 else { return nil }
            self.init(.ipv4(UInt32(truncatingIfNeeded: Family.number(octets[...]))), port: port)
        case .ipv6(let octets):
            guard octets.count == 16 else { return nil }
            let (high, low) = (Family.number(octets[..<8]), Family.number(octets[8...]))
            self.init(.ipv6(high: high, low: low, scope: 0), port: port)
        }
    }

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

    /// The address alone, as text, without brackets; an IPv6 address as RFC 5952 writes it.
    public var address: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch family {
        case .ipv4(let number):
            var address = in_addr(s_addr: number.bigEndian)
            inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        case .ipv6(let high, let low, _):
            var octets = (high.bigEndian, low.bigEndian)
            inet_ntop(AF_INET6, &octets, &text, socklen_t(text.count))
        }
        let digits = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        if case .ipv6(_, _, let scope) = family, scope != 0 { return "\(digits)%\(scope)" }
        return digits
    }
}

extension SocketAddress: CustomStringConvertible {
    /// "192.0.2.1:80" or "[2001:db8::1]:80".
    public var description: String {
        switch family {
        case .ipv4: "\(address):\(port)"
        case .ipv6: "[\(address)]:\(port)"
        }
    }
}

extension SocketAddress.Family {
    /// Takes over the octets of an `in6_addr`.
    init(_ address: in6_addr, scope: UInt32) {
        self = withUnsafeBytes(of: address) { bytes in
            .ipv6(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                scope: scope)
        }
    }

    /// The octets as one number, the first on top.
    static func number(_ octets: ArraySlice<UInt8>) -> UInt64 {
        octets.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
