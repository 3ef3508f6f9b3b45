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
    /// - Throws: Where a quotation begins that does not end, and where options follow that are no longer the command's.
    static func read(_ contents: [UInt8], _ context: LoadingContext) throws(PolicyFileError) -> [Word] {
        var splitter = Splitter(contents)
        if let line = splitter.split() { throw context.error("a quotation does not end", at: .line(line)) }
        // What is lost here may be the pin.
        if let last = splitter.words.last, ["^", "`"].contains(last.text) {
            throw context.error(
                "\(last.text.quoted) at the end of a line is of another shell", at: .line(last.line),
                mend: "end lines that go on with \\")
        }
        if let line = splitter.lineOfAmpersand {
            throw context.error(
                "a shell ends the command at the &", at: .line(line), mend: "put the URL into quotation marks")
        }
        if let line = splitter.lineOfStrayOption {
            throw context.error(
                "an option that belongs to no command", at: .line(line), mend: "end the line before it with \\")
        }
        return splitter.words
    }

    private struct Splitter {
        private var rest: ArraySlice<UInt8>
        private var line = 1
        private var word: [UInt8]?
        private var start = 1
        private(set) var words: [Word] = []
        /// The line of an `&` within what looks like one word; nil if there is none.
        private(set) var lineOfAmpersand: Int?

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
                case UInt8(ascii: "&") where isRedirection:
                    append(byte)
                case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"):
                    if byte == UInt8(ascii: "&"), word != nil, let next = rest.first, next != byte,
                        !MarkupProlog.isBlank(next)
                    {
                        lineOfAmpersand = line
                    }
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

        /// The line of an option that stands where another command would; nil if there is none.
        var lineOfStrayOption: Int? {
            let blanks = rest.prefix(while: MarkupProlog.isBlank)
            guard rest.dropFirst(blanks.count).first == UInt8(ascii: "-") else { return nil }
            return line + blanks.count { $0 == 0x0A }
        }

        /// Whether an `&` that was just read belongs to a redirection, such as `2>&1` and `&>file`.
        private var isRedirection: Bool {
            let isArrow: (UInt8?) -> Bool = { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
            return isArrow(word?.last) || word == nil && isArrow(rest.first)
        }

        private mutating func single() -> Bool {
            begin()
            while let byte = next() {
                if byte == UInt8(ascii: "'") { return true }
                append(byte)
            }
            return false
        }

        private mutating func double() -> Bool {
            begin()
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

        private mutating func begin() {
            guard word == nil else { return }
            word = []
            start = line
        }

        private mutating func append(_ byte: UInt8) {
            begin()
            word?.append(byte)
        }

        private mutating func finish() {
            guard let bytes = word else { return }
            words.append(Word(text: String(decoding: bytes, as: UTF8.self), line: start))
            word = nil
        }
    }
}
