internal import Wire

/// What a command line asks for.
enum Parsed<Values> {
    /// Its help.
    case help
    /// The command, with these options.
    case values(Values)
}

extension Parsed: Equatable where Values: Equatable {}

extension OptionTable {
    /// An option that was given, and where.
    private struct Assignment {
        let option: Option<Values>
        let value: String?
        /// Where it was given, for errors.
        let place: String
    }

    /// Reads the options of a command line, and of the configuration file that it names.
    ///
    /// The file's options come first: the command line replaces single values and adds to repeatable ones.
    ///
    /// - Parameters:
    ///   - arguments: The words after the command's.
    ///   - readFile: How the configuration file is read.
    /// - Returns: The options, or that help was asked for.
    /// - Throws: `CommandError` with what is wrong, and in which option or line.
    func parse(
        _ arguments: [String],
        readFile: (String) throws(CommandError) -> [UInt8] = { (path) throws(CommandError) in try Files.read(path) }
    ) throws(CommandError) -> Parsed<Values> {
        guard let (given, words) = try commandLine(arguments) else { return .help }
        var assignments: [Assignment] = []
        for assignment in given {
            guard case .configurationFile = assignment.option.argument, let path = assignment.value else { continue }
            assignments += try configuration(try readFile(path), path: path)
        }
        assignments += given
        var values = Values()
        for assignment in assignments { try apply(assignment, to: &values) }
        try operands?.apply(words, to: &values)
        try check(values)
        return .values(values)
    }

    /// The options of the command line and the words after them; nil if it asks for help.
    private func commandLine(
        _ arguments: [String]
    ) throws(CommandError) -> (assignments: [Assignment], words: [String])? {
        let options = options
        let items: [ArgumentScanner.Item]
        do {
            items = try ArgumentScanner.scan(
                arguments,
                names: options.map { .init(long: $0.name, takesValue: $0.placeholder != nil, letter: $0.letter) },
                endsAtOperand: operands?.endOptions ?? false)
        } catch {
            throw explanation(of: error)
        }
        var assignments: [Assignment] = []
        var words: [String] = []
        for item in items {
            switch item {
            case .help: return nil
            case .operand(let word) where words.count < operands?.limit ?? 0: words.append(word)
            case .operand(let word):
                throw CommandError("unexpected argument", at: word, mend: seeHelp)
            case .option(let index, let value):
                let option = options[index]
                let shown = option.isQuoted ? value : nil
                let place = shown.map { "--\(option.name): \($0)" } ?? "--\(option.name)"
                assignments.append(Assignment(option: option, value: value, place: place))
            }
        }
        return (assignments, words)
    }

    /// The options of a configuration file.
    private func configuration(_ bytes: [UInt8], path: String) throws(CommandError) -> [Assignment] {
        let entries: [ConfigurationFile.Entry]
        do {
            entries = try ConfigurationFile.parse(bytes)
        } catch {
            throw CommandError(error.what, at: "\(path):\(error.line)", mend: error.remedy)
        }
        var assignments: [Assignment] = []
        for entry in entries {
            let place = "\(path):\(entry.line): \(entry.name)"
            guard let option = options.first(where: { $0.name == entry.name && $0.isConfigurable }) else {
                let known = options.filter { $0.isConfigurable && !$0.isHidden }.map(\.name)
                let nearest = NearestName.of(entry.name, among: known)
                throw CommandError("unknown option", at: place, mend: nearest.map { "did you mean \($0)?" } ?? seeHelp)
            }
            let shown = (option.isQuoted ? entry.value : nil).map { "\(place): \($0)" } ?? place
            assignments.append(Assignment(option: option, value: entry.value, place: shown))
        }
        return assignments
    }

    private func apply(_ assignment: Assignment, to values: inout Values) throws(CommandError) {
        switch (assignment.option.argument, assignment.value) {
        case (.configurationFile, _): return
        case (.none(let apply), nil), (.none(let apply), "true"): apply(&values, true)
        case (.none(let apply), "false"): apply(&values, false)
        case (.none, _):
            throw CommandError("not true or false", at: assignment.place, mend: "give the name alone to switch it on")
        case (.value(let placeholder, _), nil):
            throw CommandError("missing value", at: assignment.place, mend: "write it as \(placeholder) after the name")
        case (.value(_, let apply), let text?):
            do {
                try apply(&values, text)
            } catch {
                throw CommandError(error.what, at: assignment.place, mend: error.remedy)
            }
        }
    }

    private func explanation(of fault: ArgumentScanner.Fault) -> CommandError {
        switch fault {
        case .unknown(let word):
            let nearest = NearestName.of(String(word.drop { $0 == "-" }), among: shownNames)
            return CommandError("unknown option", at: word, mend: nearest.map { "did you mean --\($0)?" } ?? seeHelp)
        case .ambiguous(let word):
            let meant = shownNames.filter { $0.hasPrefix(word.dropFirst(2)) }.map { "--\($0)" }
            return CommandError(
                "ambiguous option", at: word, mend: "it could be \(meant.joined(separator: " or "))")
        case .missingValue(let word):
            let option = options.first { "--\($0.name)" == word }
            return CommandError("missing value", at: word, mend: "write \(word) \(option?.placeholder ?? "VALUE")")
        case .unexpectedValue(let word):
            return CommandError("unexpected value", at: word, mend: "it is a switch and takes none")
        }
    }

    private var shownNames: [String] { options.filter { !$0.isHidden }.map(\.name) + ["help"] }

    private var seeHelp: String { "'pinproof \(command) --help' lists the options" }
}

extension OptionTable.Operands {
    /// Whether the first of them ends the options, because it may be followed by options of its own.
    fileprivate var endOptions: Bool {
        if case .command = self { true } else { false }
    }

    /// How many there may be.
    fileprivate var limit: Int {
        switch self {
        case .command, .files: .max
        case .file, .optionalFile: 1
        case .words(let placeholders, _, _): placeholders.count
        }
    }

    /// Puts the words where they belong.
    fileprivate func apply(_ words: [String], to values: inout Values) throws(CommandError) {
        switch self {
        case .command(let target): values[keyPath: target] = words
        case .file(let placeholder, let target):
            guard let word = words.first, !word.isEmpty else {
                throw CommandError("missing argument", at: placeholder, mend: "name the file")
            }
            values[keyPath: target] = word
        case .optionalFile(let placeholder, let target):
            guard words.first?.isEmpty != true else {
                throw CommandError("empty argument", at: placeholder, mend: "name the file")
            }
            values[keyPath: target] = words.first
        case .words(let placeholders, let required, let target):
            if let empty = words.firstIndex(of: "") {
                throw CommandError("empty argument", at: placeholders[empty], mend: "leave it out, or name it")
            }
            guard words.count >= required else {
                throw CommandError("missing argument", at: placeholders[words.count], mend: "name the file")
            }
            values[keyPath: target] = words
        case .files(let placeholder, let target):
            guard !words.isEmpty, !words.contains("") else {
                throw CommandError("missing argument", at: placeholder, mend: "name the file")
            }
            values[keyPath: target] = words
        }
    }
}
