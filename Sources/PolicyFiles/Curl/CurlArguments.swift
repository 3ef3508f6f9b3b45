/// Takes curl's options apart: those of a configuration file (`-K`), or those of a command line.
struct CurlArguments {
    let context: LoadingContext
    private(set) var found: [CurlArgument] = []
    /// The first option with `=` behind its name; nil if there is none.
    private(set) var joined: CurlJoinedOption?

    /// Reads a file.
    init(_ contents: [UInt8], _ context: LoadingContext) throws(PolicyFileError) {
        self.context = context
        try context.expectUTF8(contents)
        if contents.starts(with: ByteOrderMark.utf8) {
            throw context.error(
                "it begins with a byte order mark, which curl takes for part of an option", at: .line(1),
                mend: ByteOrderMark.advice)
        }
        let lines = contents.split(separator: 0x0A, omittingEmptySubsequences: false).map(CurlLine.init)
        if Self.isCommandLine(lines) {
            try readCommandLine(contents)
        } else {
            for (index, line) in lines.enumerated() { try read(line, number: index + 1) }
        }
    }

    /// Whether a file looks like one of curl's: a command line, or a line with an option that curl has.
    static func recognises(_ contents: [UInt8]) -> Bool {
        let lines = contents.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(1000).map(CurlLine.init)
        if isCommandLine(lines) { return true }
        return lines.contains { line in
            guard !line.isComment else { return false }
            if line.option.hasPrefix("-"), !line.option.hasPrefix("--") { return line.option.count == 2 }
            return CurlOptionTable.isKnown(CurlLongOption(line.option).name)
        }
    }

    private static func isCommandLine(_ lines: [CurlLine]) -> Bool {
        lines.first { !$0.text.isEmpty && $0.text.first != "#" }.map(CurlCommand.begins) ?? false
    }

    // MARK: Configuration files

    private mutating func read(_ line: CurlLine, number: Int) throws(PolicyFileError) {
        guard !line.isComment else { return }
        if let garbage = line.garbage {
            context.remark(
                "\(garbage.quoted) is not read: a parameter with blanks needs quotation marks", at: .line(number))
        }
        var rest = line.parameter
        if line.option.hasPrefix("-"), !line.option.hasPrefix("--") {
            try letters(line.option, number) { rest.take() }
            if let rest { throw unsupported(rest, line.option, number) }
        } else {
            let option = CurlLongOption(line.option)
            try long(option, number) { rest.take() }
            // What is passed over may take a parameter.
            guard let rest, CurlOptionTable.isKnown(option.name) else { return }
            guard option.joined == nil else {
                throw context.error(
                    "\(rest.quoted) behind \(line.option.quoted) is one parameter too many", at: .line(number))
            }
            throw unsupported(rest, option.written, number)
        }
    }

    // MARK: Command lines

    private mutating func readCommandLine(_ contents: [UInt8]) throws(PolicyFileError) {
        var words = try ShellWords.read(contents, context)[...]
        guard let start = CurlCommand.position(in: words.map(\.text)) else {
            throw context.error("it is a command line without curl in it", mend: "let it begin with curl")
        }
        words = words.dropFirst(start + 1)
        while let word = words.popFirst() {
            // What follows are URLs, whatever they begin with.
            if word.text == "--" { return }
            if word.text.hasPrefix("--") {
                try long(CurlLongOption(word.text), word.line) { words.popFirst()?.text }
            } else if word.text.hasPrefix("-"), word.text != "-" {
                try letters(word.text, word.line) { words.popFirst()?.text }
            } else if let meant = CurlOptionTable.meant(byTypographic: word.text) {
                throw context.error(
                    "\(word.text.quoted) begins with a typographic dash, which makes it a URL to curl",
                    at: .line(word.line), mend: "write \(meant) with two hyphens")
            }
        }
    }

    // MARK: Both

    /// Takes a word of letters apart; one that takes a value takes the rest of the word, or else what follows.
    private mutating func letters(_ word: String, _ line: Int, next: () -> String?) throws(PolicyFileError) {
        if let meant = CurlOptionTable.meant(byLetters: word.dropFirst()) {
            throw context.error(
                "curl reads \(word.quoted) letter by letter", at: .line(line), mend: "did you mean --\(meant)?")
        }
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
            guard let option = CurlOptionTable.letter(letter) else {
                throw context.error("curl has no option \("-\(letter)".quoted)", at: .line(line))
            }
            if option.takesValue {
                return try append(option.name, rest.isEmpty ? next() : String(rest), line)
            }
            found.append(CurlArgument(name: option.name, line: line))
        }
    }

    /// Takes a long option, and what follows it if that is its parameter.
    ///
    /// curl passes over a line that it does not understand with no more than a warning, which leaves a transfer without
    /// its pin. So what may be meant for an option that counts is refused; older releases take the beginning of a name.
    private mutating func long(
        _ option: CurlLongOption, _ line: Int, next: () -> String?
    ) throws(PolicyFileError) {
        let place = PolicyFileError.Place.line(line)
        let name = option.name
        if option.joined != nil, joined == nil { joined = CurlJoinedOption(option: option.written, line: line) }
        if CurlOptionTable.takesValue(name) {
            if option.isNegated {
                throw context.error("\(name) takes a parameter and cannot be switched off with no-", at: place)
            }
            if option.isExpanded, CurlOptionTable.counts(name) {
                throw context.error(
                    "the variables behind \(option.written) are not expanded here", at: place,
                    mend: "write \(name) and its parameter without variables")
            }
            return try append(name, option.joined ?? next(), line)
        }
        if !CurlOptionTable.isKnown(name), let meant = CurlOptionTable.meant(by: name) {
            throw context.error("curl has no option \(name.quoted)", at: place, mend: "did you mean \(meant)?")
        }
        if let parameter = option.joined, CurlOptionTable.isKnown(name) {
            throw unsupported(parameter, option.written, line)
        }
        found.append(CurlArgument(name: name, isNegated: option.isNegated, line: line))
    }

    private mutating func append(_ name: String, _ value: String?, _ line: Int) throws(PolicyFileError) {
        guard let value else {
            throw context.error("\(name) without its parameter", at: .line(line))
        }
        found.append(CurlArgument(name: name, value: value, line: line))
    }

    private func unsupported(_ parameter: String, _ option: String, _ line: Int) -> PolicyFileError {
        context.error(
            "\(parameter.quoted) behind \(option), which takes no parameter", at: .line(line),
            mend: "write \(option) alone; --no-NAME switches an option off")
    }
}

extension String? {
    /// The text, which is gone afterwards.
    fileprivate mutating func take() -> String? {
        defer { self = nil }
        return self
    }
}
