extension Hex {
    /// Reads text of two digits an octet, in either case.
    ///
    /// - Parameter text: ASCII; nothing else may stand in it.
    /// - Returns: The octets; nil if the text is none.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            guard let digit = character.hexDigitValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
