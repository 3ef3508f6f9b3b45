/// Reads the strings and numbers of JSON, of which a scanner has found the ends.
public enum JSONText {
    /// The decimal digits.
    public static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// The text of a string.
    ///
    /// - Parameter code: The string with its quotation marks, as the scanner has found it.
    /// - Returns: The text; nil if it is no valid Unicode: wrong UTF-8, or half of a surrogate pair (RFC 8259 section 8.2).
    public static func string(_ code: ArraySlice<UInt8>) -> String? {
        let inner = code.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return String(validating: inner, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(inner.count)
        var rest = inner
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let scalar = scalar(after: &rest) else { return nil }
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return String(validating: text, as: UTF8.self)
    }

    /// What an escape stands for, whose backslash is taken already; nil if it is half of a surrogate pair.
    private static func scalar(after rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        switch rest.popFirst() {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(&rest) else { return nil }
            guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
            guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
                let second = codeUnit(&rest), UTF16.isTrailSurrogate(second)
            else { return nil }
            return UTF16.decode(UTF16.EncodedScalar([unit, second]))
        case let byte?: return Unicode.Scalar(byte)
        case nil: return nil
        }
    }

    private static func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
        guard rest.count >= 4 else { return nil }
        var unit: UInt16 = 0
        for digit in rest.prefix(4) {
            guard let value = hexValue(digit) else { return nil }
            unit = unit << 4 | UInt16(value)
        }
        rest = rest.dropFirst(4)
        return unit
    }

    /// The value of a hexadecimal digit in either case.
    public static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case digits: digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// A whole number that fits.
    ///
    /// - Parameters:
    ///   - code: A value, as the scanner has found it.
    ///   - as: What it is to fit in.
    /// - Returns: The number; nil if it is none, has a fraction or an exponent, or does not fit.
    public static func integer<Number: FixedWidthInteger>(_ code: ArraySlice<UInt8>, as: Number.Type = Number.self)
        -> Number?
    {
        let isNegative = code.first == UInt8(ascii: "-")
        let text = isNegative ? code.dropFirst() : code
        guard !text.isEmpty else { return nil }
        var magnitude: UInt64 = 0
        for digit in text {
            guard digits.contains(digit) else { return nil }
            let (tens, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = tens.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            guard !isTooLarge, !isLarger else { return nil }
            magnitude = sum
        }
        guard isNegative else { return Number(exactly: magnitude) }
        // The least number has no positive counterpart.
        guard magnitude <= Int64.min.magnitude else { return nil }
        return Number(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    }
}
