/// Takes curl's options apart: those of a configuration file (`-K`), or those of a command line.
struct CurlArguments {
    let context: LoadingContext
    private(set) var found: [CurlArgument] = []

    /// Reads a file.
    init(_ contents: [UInt8], _ context: LoadingContext) throws(PolicyFileError) {
        self.context = context
        if ByteOrderMark.isWideText(contents) {
            throw context.error("it is not UTF-8 but wider text", mend: "save it as UTF-8")
        }
        if contents.starts(with: ByteOrderMark.utf8) {
            throw context.error(
                "it begins with a byte order mark, which curl takes for part of an option", at: .line(1),
                mend: "save it without")
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
            let word = line.option
            if word.hasPrefix("--") { return CurlOptionTable.isKnown(Self.negation(String(word.dropFirst(2))).name) }
            if word.hasPrefix("-") { return word.count == 2 }
            return CurlOptionTable.isKnown(Self.negation(word).name)
        }
    }

    private static func isCommandLine(_ lines: [CurlLine]) -> Bool {
        guard let first = lines.first(where: { !$0.text.isEmpty && $0.text.first != "#" }) else { return false }
        let words = first.text.split(separator: " ").prefix(2)
        return words.first == "curl" || words.first?.hasSuffix("/curl") == true || Array(words) == ["$", "curl"]
    }

    private static func negation(_ name: String) -> (name: String, isNegated: Bool) {
        name.hasPrefix("no-") ? (String(name.dropFirst(3)), true) : (name, false)
    }

    // MARK: Configuration files

    private mutating func read(_ line: CurlLine, number: Int) throws(PolicyFileError) {
        guard !line.isComment else { return }
        let word = line.option
        let parameter = line.parameter
        if let garbage = line.garbage {
            context.remark(
                "\(garbage.quoted) is not read: a parameter with blanks needs quotation marks", at: .line(number))
        }
        if word.hasPrefix("-"), !word.hasPrefix("--") {
            var rest = parameter
            let isTaken = try letters(word, number) { rest.take() }
            if !isTaken, let parameter = rest { throw unsupported(parameter, word, number) }
            return
        }
        let long = word.hasPrefix("--") ? String(word.dropFirst(2)) : word
        if word.hasPrefix("--"), long.contains(where: { $0 == "=" }) {
            throw context.error(
                "curl has no option \(word.quoted), and goes on without it", at: .line(number),
                mend: "behind dashes a blank stands before the parameter; without dashes = and : will do")
        }
        let (name, isNegated) = Self.negation(long)
        if CurlOptionTable.takesValue(name), !isNegated {
            try append(name, parameter, number)
        } else if let parameter, CurlOptionTable.isKnown(name) {
            throw unsupported(parameter, word, number)
        } else {
            try append(name, isNegated: isNegated, number)
        }
    }

    private func unsupported(_ parameter: String, _ option: String, _ line: Int) -> PolicyFileError {
        context.error(
            "\(parameter.quoted) behind \(option), which takes no parameter", at: .line(line),
            mend: "write \(option) alone; --no-NAME switches an option off")
    }

    // MARK: Command lines

    private mutating func readCommandLine(_ contents: [UInt8]) throws(PolicyFileError) {
        var words = try ShellWords.read(contents, context)[...]
        if words.first?.text == "$" { words.removeFirst() }
        words = words.dropFirst()
        while let word = words.popFirst() {
            if word.text.hasPrefix("--") {
                let (name, isNegated) = Self.negation(String(word.text.dropFirst(2)))
                guard CurlOptionTable.takesValue(name), !isNegated else {
                    try append(name, isNegated: isNegated, word.line)
                    continue
                }
                try append(name, words.popFirst()?.text, word.line)
            } else if word.text.hasPrefix("-"), word.text != "-" {
                _ = try letters(word.text, word.line) { words.popFirst()?.text }
            }
        }
    }

    // MARK: Both

    /// Takes a word of letters apart; one that takes a value takes the rest of the word, or else what follows.
    ///
    /// - Returns: Whether what follows was taken.
    private mutating func letters(
        _ word: String, _ line: Int, next: () -> String?
    ) throws(PolicyFileError) -> Bool {
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
            let (name, takesValue) = CurlOptionTable.letter(letter)
            guard takesValue else {
                found.append(CurlArgument(name: name, line: line))
                continue
            }
            try append(name, rest.isEmpty ? next() : String(rest), line)
            return rest.isEmpty
        }
        return false
    }

    /// Takes an option without a value.
    ///
    /// curl passes over a line that it does not understand with no more than a warning, which leaves a transfer without
    /// its pin. So what may be meant for an option that counts is refused; older releases take the beginning of a name.
    private mutating func append(_ name: String, isNegated: Bool, _ line: Int) throws(PolicyFileError) {
        if !CurlOptionTable.isKnown(name), let meant = CurlOptionTable.meant(by: name) {
            throw context.error("curl has no option \(name.quoted)", at: .line(line), mend: "did you mean \(meant)?")
        }
        found.append(CurlArgument(name: name, isNegated: isNegated, line: line))
    }

    private mutating func append(_ name: String, _ value: String?, _ line: Int) throws(PolicyFileError) {
        guard let value else {
            throw context.error("\(name) without its parameter", at: .line(line))
        }
        found.append(CurlArgument(name: name, value: value, line: line))
    }
}

extension String? {
    /// The text, which is gone afterwards.
    fileprivate mutating func take() -> String? {
        defer { self = nil }
        return self
    }
}
