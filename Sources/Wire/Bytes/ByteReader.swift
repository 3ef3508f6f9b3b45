/// A cursor over bytes that a peer sent: every step is checked, none can trap.
///
/// Integers are in network order, vectors carry their length in front (RFC 8446 section 3).
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// Starts at the first byte of `bytes`.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Whether every byte was read.
    var isAtEnd: Bool { position == bytes.endIndex }

    /// Reads one octet.
    mutating func uint8(_ field: String) throws(WireError) -> UInt8 {
        guard position < bytes.endIndex else { throw .truncated(field: field) }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a 16-bit integer.
    mutating func uint16(_ field: String) throws(WireError) -> UInt16 {
        let octets = try take(2, field)
        return UInt16(octets[octets.startIndex]) << 8 | UInt16(octets[octets.startIndex + 1])
    }

    /// Reads a 32-bit integer.
    mutating func uint32(_ field: String) throws(WireError) -> UInt32 {
        let high = try uint16(field)
        return UInt32(high) << 16 | UInt32(try uint16(field))
    }

    /// How many bytes were read.
    var offset: Int { position - bytes.startIndex }

    /// Reads exactly `count` bytes.
    mutating func take(_ count: Int, _ field: String) throws(WireError) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw .truncated(field: field) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads a vector whose length takes one octet.
    mutating func vector8(_ field: String) throws(WireError) -> ArraySlice<UInt8> {
        let length = try uint8(field)
        return try take(Int(length), field)
    }

    /// Reads a vector whose length takes two octets.
    mutating func vector16(_ field: String) throws(WireError) -> ArraySlice<UInt8> {
        let length = try uint16(field)
        return try take(Int(length), field)
    }

    /// Reads a vector whose length takes three octets.
    mutating func vector24(_ field: String) throws(WireError) -> ArraySlice<UInt8> {
        let high = try uint8(field)
        let low = try uint16(field)
        return try take(Int(high) << 16 | Int(low), field)
    }
}

extension ByteReader {
    /// Splits a vector's body into 16-bit integers.
    static func uint16List(_ body: ArraySlice<UInt8>, _ field: String) throws(WireError) -> [UInt16] {
        guard body.count.isMultiple(of: 2) else { throw .malformed(field: field) }
        var reader = ByteReader(body)
        var values: [UInt16] = []
        values.reserveCapacity(body.count / 2)
        while !reader.isAtEnd { values.append(try reader.uint16(field)) }
        return values
    }
}
