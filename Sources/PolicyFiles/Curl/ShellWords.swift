/// Splits a command line into words as a POSIX shell does, without expanding anything.
enum ShellWords {
    struct Word {
        var text: String
        var line: Int
    }

    /// Reads the first command.
    ///
    /// - Parameters:
    ///   - contents: The file.
    ///   - context: For errors.
    /// - Returns: Its words; what follows `;`, `|` or `&` is another command's.
    /// - Throws: Where a quotation begins that does not end.
    static func read(_ contents: [UInt8], _ context: LoadingContext) throws(PolicyFileError) -> [Word] {
        var splitter = Splitter(contents)
        if let line = splitter.split() { throw context.error("a quotation does not end", at: .line(line)) }
        return splitter.words
    }

    private struct Splitter {
        private var rest: ArraySlice<UInt8>
        private var line = 1
        private var word: [UInt8]?
        private(set) var words: [Word] = []

        init(_ contents: [UInt8]) { rest = contents[...] }

        /// Splits.
        ///
        /// - Returns: The line in which a quotation begins that does not end; nil if all do.
        mutating func split() -> Int? {
            while let byte = next() {
                switch byte {
                case UInt8(ascii: "'"):
                    let start = line
                    if !single() { return start }
                case UInt8(ascii: "\""):
                    let start = line
                    if !double() { return start }
                case UInt8(ascii: "\\"):
                    // At the end of a line it is nothing: the command goes on.
                    if rest.starts(with: [0x0D, 0x0A]) { rest = rest.dropFirst() }
                    if let escaped = next(), escaped != 0x0A { append(escaped) }
                case UInt8(ascii: "#") where word == nil:
                    rest = rest.drop { $0 != 0x0A }
                case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"):
                    finish()
                    return nil
                case 0x0A where !words.isEmpty || word != nil:
                    finish()
                    return nil
                case 0x20, 0x09, 0x0D, 0x0A:
                    finish()
                default:
                    append(byte)
                }
            }
            finish()
            return nil
        }

        private mutating func single() -> Bool {
            word = word ?? []
            while let byte = next() {
                if byte == UInt8(ascii: "'") { return true }
                append(byte)
            }
            return false
        }

        private mutating func double() -> Bool {
            word = word ?? []
            while let byte = next() {
                switch byte {
                case UInt8(ascii: "\""): return true
                case UInt8(ascii: "\\"):
                    guard let escaped = next() else { return false }
                    // Only these are escaped; before others the backslash stays.
                    if !"\"\\$`\n".utf8.contains(escaped) { append(byte) }
                    if escaped != 0x0A { append(escaped) }
                default: append(byte)
                }
            }
            return false
        }

        private mutating func next() -> UInt8? {
            guard let byte = rest.popFirst() else { return nil }
            if byte == 0x0A { line += 1 }
            return byte
        }

        private mutating func append(_ byte: UInt8) {
            if word == nil { word = [] }
            word?.append(byte)
        }

        private mutating func finish() {
            guard let bytes = word else { return }
            words.append(Word(text: String(decoding: bytes, as: UTF8.self), line: line))
            word = nil
        }
    }
}
