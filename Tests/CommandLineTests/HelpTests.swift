import Testing

@testable import pinproof

/// Help as users read it, against texts that were written by hand.
@Suite struct HelpTests {
    static let texts = [
        ("proxy", ProxyCommand.table.help), ("run", RunCommand.table.help),
        ("report", ReportCommand.table.help), ("check", CheckCommand.table.help),
        ("origin", OriginCommand.table.help),
        ("demo", DemoCommand.table.help), ("ca-init", CaInitCommand.table.help), ("ca-show", CaShowCommand.table.help),
        ("ca-issue", CaIssueCommand.table.help), ("ca-export", CaExportCommand.table.help),
        ("transcript-verify", VerifyCommand.table.help), ("transcript-export", ExportCommand.table.help),
        ("transcript-show", ShowCommand.table.help), ("transcript-diff", DiffCommand.table.help),
    ]

    @Test(arguments: texts)
    func command(name: String, text: String) throws {
        #expect(text == (try Repository.golden(name)))
    }

    @Test(arguments: texts)
    func fitsTerminal(name: String, text: String) {
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(name): \(line)") }
    }

    @Test(arguments: [
        (["help"], "overview"), (["--help"], "overview"), (["-h"], "overview"), (["help", "ca"], "ca"),
        (["ca", "--help"], "ca"), (["ca", "-h"], "ca"), (["help", "ca", "init"], "ca-init"),
        (["ca", "init", "--help"], "ca-init"), (["ca", "show", "-h"], "ca-show"),
        (["help", "ca", "issue"], "ca-issue"),
        (["ca", "export", "--format", "der", "--help"], "ca-export"),
        (["transcript", "export", "--help"], "transcript-export"),
    ])
    func printed(arguments: [String], golden: String) throws {
        let outcome = try Executable.run(Executable.url, arguments)
        #expect(outcome.text == (try Repository.golden(golden)))
        #expect(outcome.error == "")
        #expect(outcome.code == 0)
    }

    @Test(arguments: [([String](), "overview"), (["ca"], "ca")])
    func withoutCommand(arguments: [String], golden: String) throws {
        let outcome = try Executable.run(Executable.url, arguments)
        #expect(outcome.error == (try Repository.golden(golden)))
        #expect(outcome.text == "")
        #expect(outcome.code == 2)
    }
}
