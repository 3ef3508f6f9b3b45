/// Hexadecimal text, two lower-case digits an octet.
public enum Hex {
    /// Writes `bytes` as text.
    public static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            var end = 0
            for byte in bytes {
                buffer[end] = digit(byte >> 4)
                buffer[end + 1] = digit(byte & 15)
                end += 2
            }
            return end
        }
    }

    /// Appends `bytes` as text to `output`.
    public static func encode(_ bytes: [UInt8], into output: inout [UInt8]) {
        output.reserveCapacity(output.count + bytes.count * 2)
        for byte in bytes {
            output.append(digit(byte >> 4))
            output.append(digit(byte & 15))
        }
    }

    /// The ASCII digit of a value below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
    }
}
