/// Walks over JSON (RFC 8259), checks it, and says where its values stand.
///
/// Foundation's reader takes one of two members of the same name without a word, and builds a tree of all that a line holds.
/// A transcript is evidence: what two readers may understand differently is refused here, and nothing is built, so that a
/// line costs no more memory than what is read of it.
struct JSONScanner {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    /// How deep arrays and objects may be nested; events need three levels.
    static let depthLimit = 32

    /// Starts at the beginning of a range of a line.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    // MARK: Values

    /// Walks over one value, blanks around it included.
    ///
    /// - Returns: Where it stands, without the blanks.
    mutating func value(depth: Int = 0) throws(LineFault) -> Range<Int> {
        skipBlanks()
        let start = position
        switch next {
        case UInt8(ascii: "{"): try object(depth: depth) { (_, _) throws(LineFault) in }
        case UInt8(ascii: "["): try array(depth: depth) { (_) throws(LineFault) in }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
        let range = start..<position
        skipBlanks()
        return range
    }

    /// Walks over an object; `body` takes where each key stands, quotation marks included, and its value.
    mutating func object(
        depth: Int = 0, _ body: (Range<Int>, Range<Int>) throws(LineFault) -> Void
    ) throws(LineFault) {
        guard depth < Self.depthLimit else { throw .value(nil, "it is nested too deeply") }
        skipBlanks()
        try expect("{")
        skipBlanks()
        if take("}") { return }
        repeat {
            skipBlanks()
            let key = try string()
            skipBlanks()
            try expect(":")
            try body(key, try value(depth: depth + 1))
        } while take(",")
        try expect("}")
    }

    /// Walks over an array; `body` takes where each of its values stands.
    mutating func array(depth: Int = 0, _ body: (Range<Int>) throws(LineFault) -> Void) throws(LineFault) {
        guard depth < Self.depthLimit else { throw .value(nil, "it is nested too deeply") }
        try expect("[")
        skipBlanks()
        if take("]") { return }
        repeat { try body(try value(depth: depth + 1)) } while take(",")
        try expect("]")
    }

    /// Throws unless everything was walked over, but for blanks.
    mutating func expectEnd() throws(LineFault) {
        skipBlanks()
        guard position == end else { throw .syntax("something follows the object") }
    }

    /// Walks over a string.
    private mutating func string() throws(LineFault) -> Range<Int> {
        let start = position
        try expect("\"")
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return start..<position
            case UInt8(ascii: "\\"): try escape()
            case ..<0x20: throw .syntax("a string holds a control code")
            default: break
            }
        }
        throw .syntax("a string does not end")
    }

    private mutating func escape() throws(LineFault) {
        guard let byte = next else { throw .syntax("a string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard let digit = next, JSONText.hexValue(digit) != nil else { throw .syntax("an escape is none") }
                position += 1
            }
        default: throw .syntax("an escape is none")
        }
    }

    /// Walks over a number (RFC 8259 section 6).
    private mutating func number() throws(LineFault) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(LineFault) {
        let start = position
        while let byte = next, JSONText.digits.contains(byte) { position += 1 }
        guard position > start else {
            throw .syntax(next == nil ? "it is cut off" : "a value is expected")
        }
    }

    private mutating func literal(_ text: StaticString) throws(LineFault) {
        let length = text.utf8CodeUnitCount
        let isThere = text.withUTF8Buffer { bytes[position..<min(end, position + length)].elementsEqual($0) }
        guard isThere else { throw .syntax("a value is expected") }
        position += length
    }

    // MARK: Octets

    private var next: UInt8? { position < end ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(LineFault) {
        guard take(character) else {
            throw .syntax(next == nil ? "it is cut off" : "'\(character)' is expected")
        }
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { position += 1 }
    }
}
