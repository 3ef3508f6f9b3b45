import Wire

/// The notations of a transcript: what `docs/events.md` calls hex, base64, number and time.
extension JSONWriter {
    /// Writes bytes as hexadecimal digits.
    package mutating func value(hexadecimal source: [UInt8]) {
        quoted { Hex.encode(source, into: &$0) }
    }

    /// Writes bytes in base64.
    mutating func value(base64 source: [UInt8]) {
        quoted { Base64.encode(source, into: &$0) }
    }

    /// Writes a protocol number in the way of the registries: `0x1301`.
    mutating func value(protocolNumber number: UInt16) {
        quoted {
            $0.append(contentsOf: "0x")
            $0.append(hexadecimal: UInt8(truncatingIfNeeded: number >> 8))
            $0.append(hexadecimal: UInt8(truncatingIfNeeded: number))
        }
    }

    /// Writes wall-clock time, given in microseconds since 1970, in UTC (RFC 3339 section 5.6).
    package mutating func value(wall microseconds: Int64) {
        quoted { $0.append(wall: microseconds) }
    }

    /// Writes what `body` appends between quotation marks; it must need no escapes.
    private mutating func quoted(_ body: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        body(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}
