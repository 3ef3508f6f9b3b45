import Wire

/// An address and a port as packets carry them.
struct PacketAddress: Sendable, Equatable {
    /// Four octets, or sixteen.
    var octets: [UInt8]
    var port: UInt16

    init(octets: [UInt8], port: UInt16) {
        self.octets = octets
        self.port = port
    }

    /// Reads an address as events have it: `127.0.0.1:8080`, `[::1]:8080`; nil if it is none.
    init?(_ text: String) {
        // The zone of a link-local address (RFC 4007 section 11) is no part of what packets carry.
        var text = text
        if let zone = text.firstIndex(of: "%"), let end = text.firstIndex(of: "]"), zone < end {
            text.removeSubrange(zone..<end)
        }
        guard let endpoint = Endpoint(text), let octets = endpoint.host.addressBytes else { return nil }
        self.init(octets: octets, port: endpoint.port)
    }

    /// What stands for an address that is not recorded: one of those that are kept for documentation (RFC 5737,
    /// RFC 3849), so that nobody takes it for a real one.
    ///
    /// - Parameters:
    ///   - connection: The connection, so that no two that are open at once are given the same.
    ///   - attempt: Which of its conversations on the side it is.
    ///   - size: How many octets the address has: as many as the other end's.
    /// - Returns: The address.
    static func standIn(connection: UInt64, attempt: Int, size: Int) -> PacketAddress {
        let ports = UInt64(UInt16.max) - firstPort
        let number = connection / ports &+ UInt64(attempt)
        let port = UInt16(firstPort + connection % ports)
        guard size == 4 else {
            let octets: [UInt8] = [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0]
            return PacketAddress(
                octets: octets + (0..<8).map { UInt8(truncatingIfNeeded: (number &+ 1) >> (56 - 8 * $0)) }, port: port)
        }
        return PacketAddress(octets: [192, 0, 2, UInt8(1 + number % 254)], port: port)
    }

    /// Ports below are for services.
    private static let firstPort: UInt64 = 1024
}
