/// Base64 text with the standard alphabet and padding (RFC 4648 section 4), without line breaks.
public enum Base64 {
    /// Writes `bytes` as text.
    public static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: encodedLength(bytes.count)) { fill($0, with: bytes) }
    }

    /// Appends `bytes` as text to `output`.
    public static func encode(_ bytes: [UInt8], into output: inout [UInt8]) {
        let text = [UInt8](unsafeUninitializedCapacity: encodedLength(bytes.count)) { buffer, count in
            count = fill(buffer, with: bytes)
        }
        output.append(contentsOf: text)
    }

    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// How many characters `count` octets take.
    private static func encodedLength(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Writes the text into `buffer`, which has room for `encodedLength`, and returns how long it is.
    private static func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>, with bytes: [UInt8]) -> Int {
        let alphabet = Self.alphabet
        func character(_ bits: UInt32) -> UInt8 { alphabet[Int(bits & 63)] }
        var read = 0
        var written = 0
        while bytes.count - read >= 3 {
            let group = UInt32(bytes[read]) << 16 | UInt32(bytes[read + 1]) << 8 | UInt32(bytes[read + 2])
            buffer[written] = character(group >> 18)
            buffer[written + 1] = character(group >> 12)
            buffer[written + 2] = character(group >> 6)
            buffer[written + 3] = character(group)
            read += 3
            written += 4
        }
        let left = bytes.count - read
        guard left > 0 else { return written }
        let group = UInt32(bytes[read]) << 16 | (left == 2 ? UInt32(bytes[read + 1]) << 8 : 0)
        buffer[written] = character(group >> 18)
        buffer[written + 1] = character(group >> 12)
        buffer[written + 2] = left == 2 ? character(group >> 6) : padding
        buffer[written + 3] = padding
        return written + 4
    }
}
