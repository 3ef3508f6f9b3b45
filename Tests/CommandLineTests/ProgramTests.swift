import Foundation
import Testing

@testable import pinproof

/// The program as a process: exit codes, and what goes to which stream.
@Suite struct ProgramTests {
    @Test func version() throws {
        let outcome = try Executable.run("--version")
        #expect(outcome.text == "pinproof 0.1.0\n")
        #expect(outcome.error == "")
        #expect(outcome.code == 0)
    }

    /// Command lines, and what is printed about them.
    static let complaints: [([String], String)] = [
        (["cq"], "pinproof: unknown command: cq; did you mean ca?"),
        (["halp"], "pinproof: unknown command: halp; did you mean help?"),
        (["fetch"], "pinproof: unknown command: fetch; 'pinproof help' lists them"),
        ([""], "pinproof: unknown command: ; 'pinproof help' lists them"),
        (["ca", "exprot"], "pinproof: unknown command: ca exprot; did you mean export?"),
        (["ca", "remove"], "pinproof: unknown command: ca remove; 'pinproof help ca' lists them"),
        (["ca", "--json"], "pinproof: unknown command: ca --json; 'pinproof help ca' lists them"),
        (["help", "fetch"], "pinproof: unknown command: fetch; 'pinproof help' lists them"),
        (["help", "ca", "init", "now"], "pinproof: unexpected argument: now; 'pinproof help ca init' takes none"),
        (["--json"], "pinproof: unknown option: --json; options follow the command; see 'pinproof help'"),
        (
            ["ca", "init", "--dyas", "1"],
            "pinproof: unknown option: --dyas; did you mean --days?"
        ),
        (["report"], "pinproof: missing argument: TRANSCRIPT; name the file"),
        (["report", ""], "pinproof: missing argument: TRANSCRIPT; name the file"),
        (
            ["report", "a.jsonl", "b.jsonl"],
            "pinproof: unexpected argument: b.jsonl; 'pinproof report --help' lists the options"
        ),
        (["report", "--only", "*", "/none"], "pinproof: cannot read file: /none: No such file or directory"),
        (
            ["report", "/dev/null"],
            "pinproof: not a transcript: /dev/null: it is empty; --transcript FILE of 'pinproof run' writes one"
        ),
        (
            ["ca", "show", "--ca", "a\nb"],
            #"pinproof: cannot open file: a\nb: No such file or directory"#
        ),
    ]

    @Test(arguments: complaints)
    func complains(arguments: [String], expected: String) throws {
        let outcome = try Executable.run(Executable.url, arguments)
        #expect(outcome.error == expected + "\n")
        #expect(outcome.text == "")
        #expect(outcome.code == 2)
    }

    @Test func `output that cannot be written is an error of its own`() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let outcome = try Executable.run("help", output: full)
        #expect(outcome.error == "pinproof: cannot write to standard output: No space left on device\n")
        #expect(outcome.code == 2)
    }
}
