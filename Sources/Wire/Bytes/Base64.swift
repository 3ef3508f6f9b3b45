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
        // Transcripts hold every handshake as Base64, so this loop works on plain memory: six bits a character cannot
        // leave the alphabet, and three octets in never take more than four characters out.
        alphabet.withUnsafeBufferPointer { alphabet in
            bytes.withUnsafeBufferPointer { bytes in
                let whole = bytes.count - bytes.count % 3
                var written = 0
                for read in stride(from: 0, to: whole, by: 3) {
                    let group = Int(bytes[read]) << 16 | Int(bytes[read + 1]) << 8 | Int(bytes[read + 2])
                    buffer[written] = alphabet[group >> 18]
                    buffer[written + 1] = alphabet[group >> 12 & 63]
                    buffer[written + 2] = alphabet[group >> 6 & 63]
                    buffer[written + 3] = alphabet[group & 63]
                    written += 4
                }
                guard whole < bytes.count else { return written }
                let hasTwo = bytes.count - whole == 2
                let group = Int(bytes[whole]) << 16 | (hasTwo ? Int(bytes[whole + 1]) << 8 : 0)
                buffer[written] = alphabet[group >> 18]
                buffer[written + 1] = alphabet[group >> 12 & 63]
                buffer[written + 2] = hasTwo ? alphabet[group >> 6 & 63] : padding
                buffer[written + 3] = padding
                return written + 4
            }
        }
    }
}
