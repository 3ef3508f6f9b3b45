/// Writes JSON objects into a byte buffer, without building strings on the way.
///
/// The output is ASCII: whatever else a string holds is written as `\u` escapes. So an object is valid UTF-8, stays one
/// line for every reader and carries no control code to a terminal, whatever a peer put into it.
///
/// **Ownership:** the writer holds the buffer while an object is written; it is not copied.
package struct JSONWriter: ~Copyable {
    /// What was written so far.
    var bytes: [UInt8]
    /// Whether the next value at this level stands after another one.
    private var needsComma = false

    /// Takes the buffer that is written into.
    private init(bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    /// Appends one object to `buffer`; `body` writes the members.
    package static func appendObject(to buffer: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter(bytes: [])
        swap(&writer.bytes, &buffer)
        writer.beginObject()
        body(&writer)
        writer.endObject()
        swap(&writer.bytes, &buffer)
    }

    // MARK: Structure

    /// Begins an object as the next value.
    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Ends the object that was begun last.
    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Begins an array as the next value.
    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Ends the array that was begun last.
    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the name of the member whose value comes next; it must need no escapes.
    package mutating func key(_ name: StaticString) {
        // The most frequent step by far: room is made once for all of it.
        name.withUTF8Buffer { name in
            bytes.append(addingCapacity: name.count + 4) { output in
                if needsComma { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "\""))
                for byte in name { output.append(byte) }
                output.append(UInt8(ascii: "\""))
                output.append(UInt8(ascii: ":"))
            }
        }
        needsComma = false
    }

    /// Writes the comma that is due before a value or a key.
    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    // MARK: Values

    /// Writes null.
    package mutating func null() {
        separate()
        bytes.append(contentsOf: StaticString("null"))
    }

    /// Writes a truth value.
    package mutating func value(_ truth: Bool) {
        separate()
        bytes.append(contentsOf: truth ? "true" : "false")
    }

    /// Writes an integer of at most 64 bits as a JSON number, which has no limit of its own.
    package mutating func value(_ number: some FixedWidthInteger) {
        separate()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(decimal: UInt64(number.magnitude), width: 1)
    }

    /// Writes a fixed text, which must need no escapes.
    package mutating func value(fixed text: StaticString) {
        separate()
        quote(text)
    }

    /// Writes a string, escaped as RFC 8259 section 7 has it.
    package mutating func value(_ text: String) {
        separate()
        let code = text.utf8.span
        guard code.isPlain else { return appendEscaped(text) }
        bytes.append(addingCapacity: code.count + 2) { output in
            output.append(UInt8(ascii: "\""))
            for index in code.indices { output.append(code[index]) }
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Writes a string of which something needs an escape.
    private mutating func appendEscaped(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars { append(escaping: scalar) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a text between quotation marks.
    private mutating func quote(_ text: StaticString) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes one scalar of a string.
    private mutating func append(escaping scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": bytes.append(contentsOf: #"\""#)
        case "\\": bytes.append(contentsOf: #"\\"#)
        case "\n": bytes.append(contentsOf: #"\n"#)
        case "\r": bytes.append(contentsOf: #"\r"#)
        case "\t": bytes.append(contentsOf: #"\t"#)
        case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        default:
            for unit in scalar.utf16 {
                bytes.append(contentsOf: #"\u"#)
                bytes.append(hexadecimal: UInt8(truncatingIfNeeded: unit >> 8))
                bytes.append(hexadecimal: UInt8(truncatingIfNeeded: unit))
            }
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether a JSON string may hold all of these as they are.
    fileprivate var isPlain: Bool {
        for index in indices {
            let byte = self[index]
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                return false
            }
        }
        return true
    }
}
