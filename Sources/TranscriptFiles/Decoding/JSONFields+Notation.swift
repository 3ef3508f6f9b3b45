internal import Wire

/// The notations of a transcript: what `docs/events.md` calls number, hex, base64, protocol number and time.
extension JSONFields {
    /// Reads a string.
    func text(_ name: String) throws(LineFault) -> String {
        try member(name, "a string", Self.string)
    }

    /// Reads a string or null.
    func optionalText(_ name: String) throws(LineFault) -> String? {
        try optional(name, "a string or null", Self.string)
    }

    /// Reads an array of strings.
    func texts(_ name: String) throws(LineFault) -> [String] {
        try list(name, of: "a string", Self.string)
    }

    /// Reads true or false.
    func truth(_ name: String) throws(LineFault) -> Bool {
        try member(name, "true or false") { code in
            if code.elementsEqual("true".utf8) { return true }
            return code.elementsEqual("false".utf8) ? false : nil
        }
    }

    /// Reads a whole number that fits.
    func number<Number: FixedWidthInteger>(_ name: String) throws(LineFault) -> Number {
        let code = try code(name)
        guard let first = code.first, first == UInt8(ascii: "-") || JSONText.digits.contains(first) else {
            throw fault(name, "a number is expected")
        }
        guard let number: Number = JSONText.integer(code) else {
            throw fault(name, "a whole number from \(Number.min) to \(Number.max) is expected")
        }
        return number
    }

    /// Reads a whole number that fits, or null.
    func optionalNumber<Number: FixedWidthInteger>(_ name: String) throws(LineFault) -> Number? {
        try isNull(name) ? nil : try number(name)
    }

    /// Reads a name of Pinproof's own vocabulary.
    func term<Term: RawRepresentable<String>>(_ name: String) throws(LineFault) -> Term {
        guard let term = Term(rawValue: try text(name)) else { throw unknown(name) }
        return term
    }

    /// Reads a name of Pinproof's own vocabulary, or null.
    func optionalTerm<Term: RawRepresentable<String>>(_ name: String) throws(LineFault) -> Term? {
        try isNull(name) ? nil : try term(name)
    }

    /// Reads an array of names of Pinproof's own vocabulary.
    func terms<Term: RawRepresentable<String>>(_ name: String) throws(LineFault) -> [Term] {
        var terms: [Term] = []
        for (index, text) in try texts(name).enumerated() {
            guard let term = Term(rawValue: text) else { throw unknown("\(name)[\(index)]") }
            terms.append(term)
        }
        return terms
    }

    /// A word that is not in the vocabulary.
    func unknown(_ name: String) -> LineFault { fault(name, "the word is not known") }

    /// Reads bytes that are hexadecimal digits.
    func hexadecimal(_ name: String) throws(LineFault) -> [UInt8] {
        try member(name, "an even number of hexadecimal digits") { Self.plain($0).flatMap(Hex.decode) }
    }

    /// Reads bytes in base64.
    func base64(_ name: String) throws(LineFault) -> [UInt8] {
        try member(name, "base64") { Self.plain($0).flatMap(Base64.decode) }
    }

    /// Reads a protocol number: `0x1301`.
    func protocolNumber(_ name: String) throws(LineFault) -> UInt16 {
        try member(name, "a protocol number such as \"0x1301\"", Self.protocolNumber)
    }

    /// Reads a protocol number, or null.
    func optionalProtocolNumber(_ name: String) throws(LineFault) -> UInt16? {
        try optional(name, "a protocol number such as \"0x1301\", or null", Self.protocolNumber)
    }

    /// Reads an array of protocol numbers.
    func protocolNumbers(_ name: String) throws(LineFault) -> [UInt16] {
        try list(name, of: "a protocol number such as \"0x1301\"", Self.protocolNumber)
    }

    /// Reads wall-clock time, as microseconds since 1970.
    func wall(_ name: String) throws(LineFault) -> Int64 {
        try member(name, "a time such as \"2026-03-01T14:02:07.123456Z\"") { Self.plain($0).flatMap(WallTime.read) }
    }
}

/// Values, from where the scanner has found them.
extension JSONFields {
    private static func string(_ code: ArraySlice<UInt8>) -> String? {
        code.first == UInt8(ascii: "\"") ? JSONText.string(code) : nil
    }

    /// The characters of a string that needs no escapes; nil for any other value.
    private static func plain(_ code: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        code.first == UInt8(ascii: "\"") ? code.dropFirst().dropLast() : nil
    }

    private static func protocolNumber(_ code: ArraySlice<UInt8>) -> UInt16? {
        guard let text = plain(code), text.starts(with: "0x".utf8),
            let bytes = Hex.decode(text.dropFirst(2)), bytes.count == 2
        else { return nil }
        return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    }
}
