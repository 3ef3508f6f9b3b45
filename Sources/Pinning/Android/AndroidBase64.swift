internal import Wire

/// Base64 as `android.util.Base64` reads it with its default flags, which is how the platform reads pins (PS-5-3).
enum AndroidBase64 {
    /// Reads text; whatever is neither of the alphabet nor padding counts for nothing, and padding may be missing.
    ///
    /// - Parameter text: The text.
    /// - Returns: The octets; nil if a character or padding stands where it cannot.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var group: UInt32 = 0
        var bits: UInt32 = 0
        var padding = 0
        for character in text.utf8 {
            if character == UInt8(ascii: "=") {
                padding += 1
            } else if let value = Base64.sextet(of: character) {
                guard padding == 0 else { return nil }
                group = group << 6 | UInt32(value)
                bits += 6
                guard bits >= 8 else { continue }
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> bits))
                group &= (1 << bits) - 1
            }
        }
        // Four bits stand beside one octet, which takes two characters of padding if any; two bits beside two, one.
        switch bits {
        case 0: return padding == 0 ? bytes : nil
        case 4: return padding == 0 || padding == 2 ? bytes : nil
        case 2: return padding < 2 ? bytes : nil
        default: return nil
        }
    }
}
