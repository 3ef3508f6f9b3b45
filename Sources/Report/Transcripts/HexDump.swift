/// Octets as rows of sixteen in hexadecimal, with what is printable beside them.
enum HexDump {
    /// The rows, with a newline at the end of each.
    ///
    /// - Parameters:
    ///   - bytes: The octets.
    ///   - limit: How many are shown; how many more there are is said.
    /// - Returns: The text.
    static func text(_ bytes: [UInt8], limit: Int = 512) -> String {
        let shown = bytes.prefix(limit)
        var text = ""
        for start in stride(from: 0, to: shown.count, by: 16) {
            let row = shown[start..<min(start + 16, shown.count)]
            var digits = ""
            for (index, byte) in row.enumerated() { digits += (index == 8 ? "  " : " ") + hexadecimal(byte, digits: 2) }
            let blanks = String(repeating: " ", count: 49 - digits.count + 2)
            let characters = row.map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "." }
            text += "    \(hexadecimal(start, digits: 4))\(digits)\(blanks)\(String(characters))\n"
        }
        if bytes.count > limit { text += "    … and \(bytes.count - limit) octets more\n" }
        return text
    }

    private static func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
