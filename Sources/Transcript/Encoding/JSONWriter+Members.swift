/// Whole members: a key and its value, null where there is no value.
extension JSONWriter {
    /// Writes a member that is a string or null.
    package mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// Writes a member that is a name of Pinproof's own vocabulary, or null.
    package mutating func member(_ name: StaticString, _ term: (some RawRepresentable<String>)?) {
        member(name, term?.rawValue)
    }

    /// Writes a member that is a number or null.
    package mutating func member(_ name: StaticString, _ number: (some FixedWidthInteger)?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    /// Writes a member that is true or false.
    package mutating func member(_ name: StaticString, _ truth: Bool) {
        key(name)
        value(truth)
    }

    /// Writes a member that is an array of strings.
    mutating func member(_ name: StaticString, _ texts: [String]) {
        key(name)
        beginArray()
        for text in texts { value(text) }
        endArray()
    }

    /// Writes a member that is an array of names of Pinproof's own vocabulary.
    package mutating func member(_ name: StaticString, _ terms: [some RawRepresentable<String>]) {
        member(name, terms.map(\.rawValue))
    }

    /// Writes a member that is bytes as hexadecimal digits.
    mutating func member(_ name: StaticString, hexadecimal source: [UInt8]) {
        key(name)
        value(hexadecimal: source)
    }

    /// Writes a member that is bytes in base64.
    mutating func member(_ name: StaticString, base64 source: [UInt8]) {
        key(name)
        value(base64: source)
    }
}
