/// A list of numbers as ASCII text: what fingerprints are made of.
///
/// They are taken of every connection, so the text is written as octets, in one piece of memory.
struct FingerprintText {
    private(set) var octets: [UInt8] = []

    init() { octets.reserveCapacity(512) }

    /// Appends one character.
    mutating func append(_ character: Unicode.Scalar) {
        octets.append(UInt8(ascii: character))
    }

    /// Appends numbers in decimal with `separator` between.
    mutating func append(decimal values: some Sequence<UInt16>, separator: Unicode.Scalar) {
        append(values, separator: separator) { octets, value in
            var divisor: UInt16 = 10_000
            while divisor > 1, value < divisor { divisor /= 10 }
            while divisor > 0 {
                octets.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
                divisor /= 10
            }
        }
    }

    /// Appends numbers as four hexadecimal digits each with `separator` between.
    mutating func append(hexadecimal values: some Sequence<UInt16>, separator: Unicode.Scalar) {
        append(values, separator: separator) { octets, value in
            octets.append(Hex.digit(UInt8(value >> 12)))
            octets.append(Hex.digit(UInt8(value >> 8 & 15)))
            octets.append(Hex.digit(UInt8(value >> 4 & 15)))
            octets.append(Hex.digit(UInt8(value & 15)))
        }
    }

    private mutating func append(
        _ values: some Sequence<UInt16>, separator: Unicode.Scalar, write: (inout [UInt8], UInt16) -> Void
    ) {
        var isFirst = true
        for value in values {
            if !isFirst { append(separator) }
            isFirst = false
            write(&octets, value)
        }
    }
}
