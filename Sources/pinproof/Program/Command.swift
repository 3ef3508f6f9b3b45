/// A word of the command line, with what it does or with the words that may follow it.
struct Command: Sendable {
    /// What the word leads to.
    enum Body: Sendable {
        /// It runs with the arguments that follow.
        case action(help: String, run: @Sendable ([String]) async throws -> ExitCode)
        /// One of these follows.
        case group([Command])
    }

    /// The word.
    let name: String
    /// What it does, in one line.
    let summary: String
    /// What it leads to.
    let body: Body

    /// A command that runs with the options of its table.
    init<Values>(_ table: OptionTable<Values>, run: @escaping @Sendable (Values) async throws -> ExitCode) {
        name = table.command.split(separator: " ").last.map(String.init) ?? table.command
        summary = table.summary
        body = .action(help: table.help) { arguments in
            switch try table.parse(arguments) {
            case .help:
                try StandardStream.output.write(table.help)
                return .asExpected
            case .values(let values): return try await run(values)
            }
        }
    }

    /// A word that others follow.
    init(_ name: String, summary: String, commands: [Command]) {
        self.name = name
        self.summary = summary
        body = .group(commands)
    }
}
