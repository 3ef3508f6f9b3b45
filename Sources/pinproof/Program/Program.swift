internal import Authority
internal import Engine
internal import Glibc
internal import Reactor
internal import Wire

/// The program as a whole: finds the command, runs it, and turns whatever goes wrong into one line and an exit code.
enum Program {
    /// The commands, in the order of help.
    static let commands: [Command] = [
        Command(DemoCommand.table, run: DemoCommand.run),
        Command(ProxyCommand.table, run: ProxyCommand.run),
        Command(RunCommand.table, run: RunCommand.run),
        Command(ReportCommand.table, run: ReportCommand.run),
        TranscriptCommand.command,
        Command(CheckCommand.table, run: CheckCommand.run),
        CaCommand.command,
        Command(OriginCommand.table, run: OriginCommand.run),
    ]

    /// Runs the command line without the program's name.
    static func run(_ arguments: [String]) async -> ExitCode {
        do {
            return try await dispatch(arguments)
        } catch {
            let failure = explanation(of: error)
            // Nothing is left to do where standard error itself is broken; the exit code still tells.
            try? StandardStream.error.write("\(failure)\n")
            return failure.code
        }
    }

    private static func dispatch(_ arguments: [String]) async throws -> ExitCode {
        switch arguments.first {
        case "--version":
            try StandardStream.output.write("pinproof \(Version.number)\n")
            return .asExpected
        case "--help", "-h", "help":
            try StandardStream.output.write(try help(for: arguments.dropFirst()))
            return .asExpected
        case let word? where word.hasPrefix("-"):
            throw CommandError("unknown option", at: word, mend: "options follow the command; see 'pinproof help'")
        default:
            return try await run(arguments[...], in: commands, path: [])
        }
    }

    /// Follows the words of `arguments` to a command that runs.
    private static func run(
        _ arguments: ArraySlice<String>, in commands: [Command], path: [String]
    ) async throws -> ExitCode {
        guard let word = arguments.first else {
            try StandardStream.error.write(overview(of: commands, path: path))
            return .usage
        }
        if !path.isEmpty, word == "--help" || word == "-h" {
            try StandardStream.output.write(overview(of: commands, path: path))
            return .asExpected
        }
        let command = try find(word, in: commands, path: path)
        switch command.body {
        case .action(_, let run): return try await run(Array(arguments.dropFirst()))
        case .group(let members):
            return try await run(arguments.dropFirst(), in: members, path: path + [word])
        }
    }

    /// The help of the command that `words` name; the overview without any.
    private static func help(for words: ArraySlice<String>) throws(CommandError) -> String {
        var members = commands
        var path: [String] = []
        for word in words {
            let command = try find(word, in: members, path: path)
            path.append(word)
            switch command.body {
            case .group(let inner): members = inner
            case .action(let help, _):
                guard path.count == words.count else {
                    throw CommandError(
                        "unexpected argument", at: words[words.startIndex + path.count],
                        mend: "'pinproof help \(path.joined(separator: " "))' takes none")
                }
                return help
            }
        }
        return overview(of: members, path: path)
    }

    private static func find(_ word: String, in commands: [Command], path: [String]) throws(CommandError) -> Command {
        if let command = commands.first(where: { $0.name == word }) { return command }
        let place = (path + [word]).joined(separator: " ")
        let nearest = NearestName.of(word, among: commands.map(\.name) + (path.isEmpty ? ["help"] : []))
        let list = (["pinproof help"] + path).joined(separator: " ")
        throw CommandError(
            "unknown command", at: place, mend: nearest.map { "did you mean \($0)?" } ?? "'\(list)' lists them")
    }

    private static func explanation(of error: any Error) -> CommandError {
        switch error {
        case let error as CommandError: error
        case let error as AuthorityError: CommandError(error.message, mend: error.hint)
        case let error as EngineError: CommandError(error.message, mend: error.hint)
        case let error as ReactorError: CommandError("\(error)", mend: error.remedy)
        default: CommandError("internal error", at: "\(error)", code: .internalError)
        }
    }
}

extension ReactorError {
    /// How to mend what keeps a command from starting; nil if there is nothing to advise.
    fileprivate var remedy: String? {
        switch errno {
        case EADDRINUSE: "another program listens there; choose another port with --port, or 0 for any free one"
        case EADDRNOTAVAIL: "choose an address of this machine with --listen"
        case EACCES: "ports below 1024 need root; choose a higher one with --port"
        case EMFILE, ENFILE: "raise the limit of open files with ulimit -n"
        default: nil
        }
    }
}
