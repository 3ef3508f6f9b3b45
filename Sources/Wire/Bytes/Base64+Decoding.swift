extension Base64 {
    /// Reads text with the standard alphabet and padding (RFC 4648 section 4).
    ///
    /// Only what `encode` writes is taken: no line breaks, and no bits beside the octets (section 3.5), so that two texts
    /// never stand for the same octets.
    ///
    /// - Parameter text: ASCII.
    /// - Returns: The octets; nil if the text is none.
    public static func decode(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var bits = 0
        for character in text.dropLast(padding) {
            guard let value = sextet(of: character) else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            group &= (1 << UInt32(bits)) - 1
        }
        // One character left over holds no octet; four and two bits stand beside one and two octets.
        return bits < 6 && group == 0 ? bytes : nil
    }

    /// The six bits that a character of the standard alphabet stands for (RFC 4648 section 4); nil for any other.
    ///
    /// Readers that take more than `decode` does share it.
    public static func sextet(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
