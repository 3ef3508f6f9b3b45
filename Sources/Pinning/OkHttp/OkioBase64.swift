internal import Wire

/// Base64 as okio reads it, which is how OkHttp reads pins (PS-4-1).
enum OkioBase64 {
    /// Reads text of the standard or the URL alphabet; blanks count for nothing, and padding may be missing.
    ///
    /// - Parameter text: The text.
    /// - Returns: The octets; nil if the text is none.
    static func decode(_ text: String) -> [UInt8]? {
        let isFiller: (UInt8) -> Bool = { isBlank($0) || $0 == UInt8(ascii: "=") }
        let characters = text.utf8.reversed().drop(while: isFiller).reversed()
        var bytes: [UInt8] = []
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for character in characters where !isBlank(character) {
            guard let value = sextet(of: character) else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: group >> bits))
            group &= (1 << bits) - 1
        }
        // One character left over holds no octet. What stands beside the last octet is not looked at.
        return bits < 6 ? bytes : nil
    }

    private static func isBlank(_ character: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(character) }

    private static func sextet(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: Base64.sextet(of: character)
        }
    }
}
