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
                if end < rest.endIndex, rest[end] == UInt8(ascii: "[") { hasInternalSubset = true }
                rest = rest[end...].dropFirst()
                if hasInternalSubset { rest = rest[rest.endIndex...] }
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

    private static func after(_ mark: StaticString, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        mark.withUTF8Buffer { mark in
            var rest = text
            while !rest.isEmpty, !rest.starts(with: mark) { rest = rest.dropFirst() }
            return rest.dropFirst(mark.count)
        }
    }
}

/// The marks with which some programs begin text files.
enum ByteOrderMark {
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let utf16: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE]]

    /// Whether a file is UTF-16 or UTF-32: by its mark, or by the zeros that such text is full of.
    static func isWideText(_ contents: [UInt8]) -> Bool {
        utf16.contains { contents.starts(with: $0) } || contents.prefix(4).contains(0)
    }
}
