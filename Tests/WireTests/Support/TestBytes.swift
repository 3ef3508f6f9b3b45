/// Reads hexadecimal text; white space is skipped.
///
/// It traps on anything else: the text is part of the test.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue!) }
    precondition(digits.count.isMultiple(of: 2), "half an octet")
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The octets of a text.
func bytes(of text: String) -> [UInt8] { [UInt8](text.utf8) }

/// A number in network order.
func bytes16(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }

/// A vector with one octet of length.
func vector8(_ body: [UInt8]) -> [UInt8] { [UInt8(body.count)] + body }

/// A vector with two octets of length.
func vector16(_ body: [UInt8]) -> [UInt8] { bytes16(body.count) + body }
