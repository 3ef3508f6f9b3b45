/// The texts that bytes and numbers have in a transcript, appended to a buffer.
extension [UInt8] {
    /// Appends a fixed text.
    mutating func append(contentsOf text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends a number in decimal, with leading zeros up to `width` digits.
    mutating func append(decimal number: UInt64, width: Int) {
        // 2^64 - 1 has twenty digits.
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var first = digits.count
        var rest = number
        while rest > 0 {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        first = Swift.min(first, digits.count - width)
        digits.span.extracting(first...).withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends a byte as two hexadecimal digits.
    mutating func append(hexadecimal byte: UInt8) {
        append(hexDigit(byte >> 4))
        append(hexDigit(byte & 15))
    }
}

/// The digit for the value of four bits.
private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
}
