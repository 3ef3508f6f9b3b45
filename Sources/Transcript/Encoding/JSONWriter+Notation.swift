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

    /// Writes the name of a protocol (RFC 7301 section 3.1), which is bytes: as text, `\xNN` for what is not printable
    /// ASCII and for the backslash itself.
    mutating func value(protocolName name: [UInt8]) {
        quoted { text in
            for byte in name {
                switch byte {
                case UInt8(ascii: "\\"):
                    // One backslash in the value is two in JSON.
                    text.append(contentsOf: #"\\x5c"#)
                case UInt8(ascii: "\""):
                    text.append(contentsOf: #"\""#)
                case 0x20...0x7E:
                    text.append(byte)
                default:
                    text.append(contentsOf: #"\\x"#)
                    text.append(hexadecimal: byte)
                }
            }
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
