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

    /// Appends the packet: IPv4 (RFC 791) or IPv6 (RFC 8200), and TCP (RFC 9293), with the checksums that belong there.
    func appendPacket(to output: inout [UInt8]) {
        let header = tcpHeader
        output.append(contentsOf: ipHeader(length: header.count + payload.count))
        output.append(contentsOf: header)
        output.append(contentsOf: payload)
    }

    private func ipHeader(length: Int) -> [UInt8] {
        var header: [UInt8] = []
        header.reserveCapacity(40)
        if source.octets.count == 4 {
            header += [0x45, 0]  // version 4, a header of five words
            header.append(bigEndian: UInt16(truncatingIfNeeded: 20 + length))
            header += [0, 0, 0x40, 0, Self.hops, Self.tcpNumber, 0, 0]  // not to be fragmented
            header += source.octets + destination.octets
            var checksum = InternetChecksum()
            checksum.add(header[...])
            header.set(checksum, at: 10)
        } else {
            header += [0x60, 0, 0, 0]  // version 6
            header.append(bigEndian: UInt16(truncatingIfNeeded: length))
            header += [Self.tcpNumber, Self.hops]
            header += source.octets + destination.octets
        }
        return header
    }

    private var tcpHeader: [UInt8] {
        // The largest segment that is accepted goes with a SYN.
        let options: [UInt8] =
            flags.contains(.syn)
            ? [2, 4, UInt8(Self.payloadLimit >> 8), UInt8(Self.payloadLimit & 0xFF)] : []
        var header: [UInt8] = []
        header.reserveCapacity(20 + options.count)
        header.append(bigEndian: source.port)
        header.append(bigEndian: destination.port)
        header.append(bigEndian: sequence)
        header.append(bigEndian: acknowledgement)
        header.append(UInt8(20 + options.count) << 2)
        header.append(flags.rawValue)
        header.append(bigEndian: UInt16.max)  // the window
        header += [0, 0, 0, 0]
        header += options
        // The sum goes over a pseudo-header too (RFC 9293 section 3.1, RFC 8200 section 8.1); whether its length has
        // 16 bits or 32 makes no difference to it.
        var pseudoHeader = source.octets + destination.octets
        pseudoHeader.append(bigEndian: UInt16(Self.tcpNumber))
        pseudoHeader.append(bigEndian: UInt16(truncatingIfNeeded: header.count + payload.count))
        var checksum = InternetChecksum()
        for part in [pseudoHeader[...], header[...], payload] { checksum.add(part) }
        header.set(checksum, at: 16)
        return header
    }

    private static let hops: UInt8 = 64
    private static let tcpNumber: UInt8 = 6
}

/// The checksum of IP and TCP (RFC 1071).
struct InternetChecksum {
    private var sum: UInt64 = 0

    /// What belongs into the header, in network order.
    var value: UInt16 {
        var folded = sum
        while folded > 0xFFFF { folded = (folded & 0xFFFF) + (folded >> 16) }
        return ~UInt16(folded).byteSwapped
    }

    /// Adds a part; all parts but the last have an even length.
    ///
    /// The order of octets within a word does not matter until the end, and words may be added two at a time (RFC 1071
    /// section 2).
    mutating func add(_ part: ArraySlice<UInt8>) {
        let octets = part.span.bytes
        let whole = octets.byteCount & ~3
        for offset in stride(from: 0, to: whole, by: 4) {
            sum += UInt64(UInt32(littleEndian: octets.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        for offset in whole..<octets.byteCount {
            sum += UInt64(octets.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) << (8 * (offset & 1))
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func set(_ checksum: InternetChecksum, at index: Int) {
        self[index] = UInt8(checksum.value >> 8)
        self[index + 1] = UInt8(checksum.value & 0xFF)
    }
}
