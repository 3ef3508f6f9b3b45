import Wire

/// One TCP segment in an IP packet: what a conversation is made of.
struct TCPSegment {
    /// The control bits that are used here (RFC 9293 section 3.1).
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let fin = Flags(rawValue: 0x01)
        static let syn = Flags(rawValue: 0x02)
        static let reset = Flags(rawValue: 0x04)
        static let push = Flags(rawValue: 0x08)
        static let acknowledgement = Flags(rawValue: 0x10)
    }

    /// Whose it is and for whom; both addresses are of one family.
    var source: PacketAddress
    var destination: PacketAddress
    var sequence: UInt32
    var acknowledgement: UInt32
    var flags: Flags
    var payload: ArraySlice<UInt8> = []

    /// How many octets of a stream one segment carries at most.
    static let payloadLimit = 16_384

    /// The packet: IPv4 (RFC 791) or IPv6 (RFC 8200), and TCP (RFC 9293), with the checksums that belong there.
    var packet: [UInt8] {
        let tcp = tcpBytes
        var packet: [UInt8] = []
        packet.reserveCapacity(40 + tcp.count)
        if source.octets.count == 4 {
            packet += [0x45, 0]  // version 4, a header of five words
            packet.append(bigEndian: UInt16(truncatingIfNeeded: 20 + tcp.count))
            packet += [0, 0, 0x40, 0, Self.hops, Self.tcpNumber, 0, 0]  // not to be fragmented
            packet += source.octets + destination.octets
            packet.set(checksum: InternetChecksum.of(packet), at: 10)
        } else {
            packet += [0x60, 0, 0, 0]  // version 6
            packet.append(bigEndian: UInt16(truncatingIfNeeded: tcp.count))
            packet += [Self.tcpNumber, Self.hops]
            packet += source.octets + destination.octets
        }
        return packet + tcp
    }

    private var tcpBytes: [UInt8] {
        // The largest segment that is accepted goes with a SYN.
        let options: [UInt8] =
            flags.contains(.syn)
            ? [2, 4, UInt8(Self.payloadLimit >> 8), UInt8(Self.payloadLimit & 0xFF)] : []
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + options.count + payload.count)
        bytes.append(bigEndian: source.port)
        bytes.append(bigEndian: destination.port)
        bytes.append(bigEndian: sequence)
        bytes.append(bigEndian: acknowledgement)
        bytes.append(UInt8(20 + options.count) << 2)
        bytes.append(flags.rawValue)
        bytes.append(bigEndian: UInt16.max)  // the window
        bytes += [0, 0, 0, 0]
        bytes += options
        bytes += payload
        // The sum goes over a pseudo-header too (RFC 9293 section 3.1, RFC 8200 section 8.1); whether its length has
        // 16 bits or 32 makes no difference to it.
        var pseudoHeader = source.octets + destination.octets
        pseudoHeader.append(bigEndian: UInt16(Self.tcpNumber))
        pseudoHeader.append(bigEndian: UInt16(truncatingIfNeeded: bytes.count))
        bytes.set(checksum: InternetChecksum.of(pseudoHeader, bytes), at: 16)
        return bytes
    }

    private static let hops: UInt8 = 64
    private static let tcpNumber: UInt8 = 6
}

/// The checksum of IP and TCP (RFC 1071).
enum InternetChecksum {
    /// The checksum over parts, of which all but the last have an even length.
    static func of(_ parts: [UInt8]...) -> UInt16 {
        var sum: UInt64 = 0
        for part in parts {
            let bytes = part.span
            let even = bytes.count & ~1
            for index in stride(from: 0, to: even, by: 2) {
                sum += UInt64(bytes[index]) << 8 | UInt64(bytes[index + 1])
            }
            if even < bytes.count { sum += UInt64(bytes[even]) << 8 }
        }
        while sum > 0xFFFF { sum = (sum & 0xFFFF) + (sum >> 16) }
        return ~UInt16(sum)
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func set(checksum: UInt16, at index: Int) {
        self[index] = UInt8(checksum >> 8)
        self[index + 1] = UInt8(checksum & 0xFF)
    }
}
