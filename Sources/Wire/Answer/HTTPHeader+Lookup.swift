extension [HTTPHeader] {
    /// Whether a field called `name` lists `token`, which is in lower case here and in any case there.
    ///
    /// Lists are comma-separated, with white space around the elements (RFC 9110 section 5.6.1).
    func list(_ name: String, contains token: String) -> Bool {
        values(named: name).contains { value in
            value.utf8.split(separator: UInt8(ascii: ",")).contains { element in
                element.trimmingSpace.lazy.map(\.asciiLowercased).elementsEqual(token.utf8)
            }
        }
    }
}

extension Substring.UTF8View {
    /// The text without the spaces and tabs around it.
    fileprivate var trimmingSpace: Substring.UTF8View {
        var text = drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        while let last = text.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { text = text.dropLast() }
        return text
    }
}
