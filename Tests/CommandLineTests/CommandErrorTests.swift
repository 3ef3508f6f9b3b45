import Testing

@testable import pinproof

@Suite struct CommandErrorTests {
    @Test(arguments: [
        (CommandError("broken"), "pinproof: broken"),
        (CommandError("broken", at: "here"), "pinproof: broken: here"),
        (CommandError("broken", mend: "mend it"), "pinproof: broken; mend it"),
        (CommandError("broken", at: "here", mend: "mend it"), "pinproof: broken: here; mend it"),
        // Whatever is quoted, the message is one line that leaves the terminal alone.
        (CommandError("broken", at: "a\nb\r\tc"), #"pinproof: broken: a\nb\r\tc"#),
        (CommandError("broken", at: "\u{1B}[2J\u{7F}\u{9B}"), #"pinproof: broken: \u{1b}[2J\u{7f}\u{9b}"#),
        (CommandError("broken", at: "a\u{202E}b\u{2028}"), #"pinproof: broken: a\u{202e}b\u{2028}"#),
        (CommandError("broken", at: "schlüssel 🔑"), "pinproof: broken: schlüssel 🔑"),
    ])
    func line(error: CommandError, expected: String) {
        #expect(error.description == expected)
    }

    @Test func `the exit codes are those that are documented`() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 70])
        #expect(ExitCode.finding.rawValue == 1)
        #expect(ExitCode.usage.rawValue == 2)
        #expect(ExitCode.inconclusive.rawValue == 3)
        #expect(CommandError("broken").code == .usage)
    }
}
