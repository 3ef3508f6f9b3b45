import Testing

/// A pcapng file, walked block by block as its specification says, without anything of what writes it.
struct CaptureReader {
    /// A packet with what its headers say.
    struct Packet {
        var place: Int
        var microseconds: UInt64
        var comment: String?
        var source: [UInt8]
        var destination: [UInt8]
        var sourcePort: Int
        var destinationPort: Int
        var sequence: UInt32
        var acknowledgement: UInt32
        var flags: UInt8
        var payload: [UInt8]
        /// Whether the checksums of the headers come out as they must.
        var isSound: Bool

        /// What names the conversation's direction.
        var way: String { "\(source):\(sourcePort)>\(destination):\(destinationPort)" }
        var wayBack: String { "\(destination):\(destinationPort)>\(source):\(sourcePort)" }
        var isSYN: Bool { flags & 0x02 != 0 }
        var isFIN: Bool { flags & 0x01 != 0 }
        var isRST: Bool { flags & 0x04 != 0 }
    }

    private(set) var packets: [Packet] = []
    /// The secrets, with the place of their block among all.
    private(set) var secrets: [(place: Int, lines: String)] = []
    /// The types of all blocks.
    private(set) var types: [UInt32] = []

    init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = Int(rest.little32(4))
            try #require(length >= 12 && length % 4 == 0 && length <= rest.count)
            #expect(rest.little32(length - 4) == UInt32(length), "the length stands at both ends")
            let type = rest.little32(0)
            types.append(type)
            try read(type, rest.dropFirst(8).prefix(length - 12))
            rest = rest.dropFirst(length)
        }
    }

    private mutating func read(_ type: UInt32, _ body: ArraySlice<UInt8>) throws {
        switch type {
        case 0x0A0D_0D0A:
            #expect(types.count == 1)
            #expect(body.little32(0) == 0x1A2B_3C4D && body.little32(4) == 1)
        case 1:
            #expect(types.count == 2)
            #expect(body.little32(0) == 101, "LINKTYPE_RAW")
            #expect(body.little32(4) >= 16_384 + 60)
            #expect(options(body.dropFirst(8))[9] == [6], "microseconds")
        case 10:
            #expect(body.little32(0) == 0x544C_534B)
            let length = Int(body.little32(4))
            try #require(length <= body.count - 8 && body.count - 8 - length < 4)
            secrets.append((types.count, String(decoding: body.dropFirst(8).prefix(length), as: UTF8.self)))
        case 6:
            let captured = Int(body.little32(12))
            #expect(body.little32(16) == UInt32(captured))
            let stamp = UInt64(body.little32(4)) << 32 | UInt64(body.little32(8))
            let padded = (captured + 3) / 4 * 4
            try #require(20 + padded <= body.count)
            let comment = options(body.dropFirst(20 + padded))[1].map { String(decoding: $0, as: UTF8.self) }
            packets.append(try packet(Array(body.dropFirst(20).prefix(captured)), stamp, comment))
        default:
            Issue.record("a block of type \(type)")
        }
    }

    private func options(_ bytes: ArraySlice<UInt8>) -> [UInt16: [UInt8]] {
        var options: [UInt16: [UInt8]] = [:]
        var rest = bytes
        while rest.count >= 4, rest.little32(0) != 0 {
            let code = UInt16(truncatingIfNeeded: rest.little32(0))
            let length = Int(rest.little32(0) >> 16)
            options[code] = Array(rest.dropFirst(4).prefix(length))
            rest = rest.dropFirst(4 + (length + 3) / 4 * 4)
        }
        return options
    }

    private func packet(_ bytes: [UInt8], _ stamp: UInt64, _ comment: String?) throws -> Packet {
        let isIPv4 = bytes[0] >> 4 == 4
        let header = isIPv4 ? 20 : 40
        let length = Int(bytes[isIPv4 ? 2 : 4]) << 8 | Int(bytes[isIPv4 ? 3 : 5])
        #expect(length == (isIPv4 ? bytes.count : bytes.count - header))
        #expect(bytes[isIPv4 ? 9 : 6] == 6, "TCP")
        let (source, destination) =
            isIPv4 ? (bytes[12..<16], bytes[16..<20]) : (bytes[8..<24], bytes[24..<40])
        let tcp = bytes[header...]
        let offset = Int(bytes[header + 12] >> 4) * 4
        let pseudo = Array(source) + destination + [0, 6, UInt8(tcp.count >> 8), UInt8(tcp.count & 0xFF)]
        return Packet(
            place: types.count, microseconds: stamp, comment: comment, source: Array(source),
            destination: Array(destination), sourcePort: Int(tcp.big32(0) >> 16),
            destinationPort: Int(tcp.big32(0) & 0xFFFF),
            sequence: tcp.big32(4), acknowledgement: tcp.big32(8), flags: bytes[header + 13],
            payload: Array(tcp.dropFirst(offset)),
            isSound: sum(pseudo + tcp) == 0xFFFF && (!isIPv4 || sum(Array(bytes[..<20])) == 0xFFFF))
    }

    /// The ones' complement sum, which is all ones over what holds its own checksum (RFC 1071 section 1).
    private func sum(_ bytes: [UInt8]) -> UInt32 {
        var total: UInt32 = 0
        for (index, byte) in bytes.enumerated() {
            total += index % 2 == 0 ? UInt32(byte) << 8 : UInt32(byte)
            total = (total & 0xFFFF) + (total >> 16)
        }
        return total
    }

    /// The octets that went one way, put together by their numbers; what is missing is a hole of zeros.
    ///
    /// Checks on the way that numbers go on where they ended, and that each is acknowledged.
    func stream(_ way: String) throws -> [UInt8] {
        let sent = packets.filter { $0.way == way }
        let first = try #require(sent.first { $0.isSYN })
        var stream: [UInt8] = []
        for packet in sent where !packet.payload.isEmpty {
            let place = Int(packet.sequence &- first.sequence &- 1)
            try #require(place >= stream.count && place < 1 << 24)
            stream += [UInt8](repeating: 0, count: place - stream.count) + packet.payload
            let answer = try #require(packets.first { $0.place > packet.place && $0.wayBack == way })
            #expect(answer.acknowledgement == packet.sequence &+ UInt32(packet.payload.count))
        }
        return stream
    }
}

extension Collection<UInt8> where Index == Int {
    fileprivate func little32(_ offset: Int) -> UInt32 {
        dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    fileprivate func big32(_ offset: Int) -> UInt32 {
        dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
