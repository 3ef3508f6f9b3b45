/// What stands before the first element of an XML file, read without a parser.
struct MarkupProlog {
    /// The name of the first element; nil if there is none.
    let rootName: String?
    /// The line of a document type declaration; nil if there is none.
    let documentTypeLine: Int?
    /// Whether that declaration holds declarations of its own, such as of entities.
    let hasInternalSubset: Bool

    /// Looks at a file; nil if it does not begin as XML does.
    init?(_ contents: [UInt8]) {
        var rest = contents[...]
        if rest.starts(with: ByteOrderMark.utf8) { rest = rest.dropFirst(3) }
        rest = rest.drop(while: Self.isBlank)
        guard rest.first == UInt8(ascii: "<") else { return nil }
        var documentTypeLine: Int?
        var hasInternalSubset = false
        while rest.first == UInt8(ascii: "<") {
            if rest.starts(with: "<?".utf8) {
                rest = Self.after("?>", in: rest)
            } else if rest.starts(with: "<!--".utf8) {
                rest = Self.after("-->", in: rest.dropFirst(4))
            } else if rest.starts(with: "<!".utf8) {
                if documentTypeLine == nil {
                    documentTypeLine = contents[..<rest.startIndex].count { $0 == 0x0A } + 1
                }
                let end = rest.firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") } ?? rest.endIndex
                let hasSubset = end < rest.endIndex && rest[end] == UInt8(ascii: "[")
                hasInternalSubset = hasInternalSubset || hasSubset
                rest = rest[end...].dropFirst()
                if hasSubset { rest = Self.afterSubset(rest) }
            } else {
                break
            }
            rest = rest.drop(while: Self.isBlank)
        }
        let name = rest.dropFirst().prefix { !Self.isBlank($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        rootName = name.isEmpty ? nil : String(decoding: name.prefix(100), as: UTF8.self)
        self.documentTypeLine = documentTypeLine
        self.hasInternalSubset = hasInternalSubset
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// What follows the declarations in a document type declaration: `]`, blanks and `>`.
    private static func afterSubset(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while let byte = rest.first, byte != UInt8(ascii: "]") {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): rest = rest.dropFirst().drop { $0 != byte }.dropFirst()
            case UInt8(ascii: "<") where rest.starts(with: "<!--".utf8): rest = after("-->", in: rest.dropFirst(4))
            default: rest = rest.dropFirst()
            }
        }
        return rest.drop { $0 != UInt8(ascii: ">") }.dropFirst()
    }

    private static func after(_ mark: StaticString, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        mark.withUTF8Buffer { mark in
            var rest = text
            while !rest.isEmpty, !rest.starts(with: mark) { rest = rest.dropFirst() }
            return rest.dropFirst(mark.count)
        }
    }
}
