/// Walks over JSON (RFC 8259), checks it, and says where its values stand.
///
/// Foundation's reader takes one of two members of the same name without a word, and builds a tree of all that a line holds.
/// Transcripts are evidence and policies are code: what two readers may understand differently is refused where they are
/// read. Nothing is built, so that a text costs no more memory than what is read of it.
public struct JSONScanner {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    /// How deep arrays and objects may be nested; the formats that are read need a dozen levels.
    public static let depthLimit = 32

    /// Starts at the beginning of a range of a text.
    public init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    // MARK: Values

    /// Walks over one value, blanks around it included.
    ///
    /// - Returns: Where it stands, without the blanks.
    public mutating func value(depth: Int = 0) throws(JSONFault) -> Range<Int> {
        skipBlanks()
        let start = position
        switch next {
        case UInt8(ascii: "{"): try object(depth: depth) { (_, _) throws(JSONFault) in }
        case UInt8(ascii: "["): try array(depth: depth) { (_) throws(JSONFault) in }
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
    public mutating func object(
        depth: Int = 0, _ body: (Range<Int>, Range<Int>) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        guard depth < Self.depthLimit else { throw JSONFault(.value, at: position, "it is nested too deeply") }
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
    public mutating func array(depth: Int = 0, _ body: (Range<Int>) throws(JSONFault) -> Void) throws(JSONFault) {
        guard depth < Self.depthLimit else { throw JSONFault(.value, at: position, "it is nested too deeply") }
        try expect("[")
        skipBlanks()
        if take("]") { return }
        repeat { try body(try value(depth: depth + 1)) } while take(",")
        try expect("]")
    }

    /// Throws unless everything was walked over, but for blanks.
    public mutating func expectEnd() throws(JSONFault) {
        skipBlanks()
        guard position == end else { throw fault("something follows the object") }
    }

    /// Walks over a string.
    private mutating func string() throws(JSONFault) -> Range<Int> {
        let start = position
        try expect("\"")
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return start..<position
            case UInt8(ascii: "\\"): try escape()
            case ..<0x20: throw fault("a string holds a control code")
            default: break
            }
        }
        throw fault("a string does not end")
    }

    private mutating func escape() throws(JSONFault) {
        guard let byte = next else { throw fault("a string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard let digit = next, JSONText.hexValue(digit) != nil else { throw fault("an escape is none") }
                position += 1
            }
        default: throw fault("an escape is none")
        }
    }

    /// Walks over a number (RFC 8259 section 6).
    private mutating func number() throws(JSONFault) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(JSONFault) {
        let start = position
        while let byte = next, JSONText.digits.contains(byte) { position += 1 }
        guard position > start else {
            throw fault(next == nil ? "it is cut off" : "a value is expected")
        }
    }

    private mutating func literal(_ text: StaticString) throws(JSONFault) {
        let length = text.utf8CodeUnitCount
        let isThere = text.withUTF8Buffer { bytes[position..<min(end, position + length)].elementsEqual($0) }
        guard isThere else { throw fault("a value is expected") }
        position += length
    }

    // MARK: Octets

    private func fault(_ reason: String) -> JSONFault { JSONFault(.syntax, at: position, reason) }

    private var next: UInt8? { position < end ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(JSONFault) {
        guard take(character) else {
            throw fault(next == nil ? "it is cut off" : "'\(character)' is expected")
        }
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { position += 1 }
    }
}
