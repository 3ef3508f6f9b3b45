import Foundation
import Testing
import Transcript

@testable import pinproof

/// Which files `pinproof transcript export` reads.
@Suite struct ExportFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func export(_ paths: String...) throws -> Executable.Outcome {
        try Executable.run(Executable.url, ["transcript", "export", "--format", "keylog"] + paths)
    }

    private func withSecret(_ file: RecordedFile, _ octet: UInt8) -> [UInt8] {
        var file = file
        file.add(
            UInt64(octet), .opened(client: "", listener: ""),
            .secret(.client, SessionSecret(label: "CLIENT_RANDOM", clientRandom: [octet], secret: [octet])))
        return file.bytes
    }

    @Test func `the run goes on in further files, which are named`() throws {
        let first = try folder.file("run.jsonl", withSecret(RecordedFile(), 1)).path
        let second = try folder.file("run.2.jsonl", withSecret(RecordedFile(continuedAs: 2), 2)).path
        let outcome = try export(first)
        #expect(outcome.text == "CLIENT_RANDOM 01 01\nCLIENT_RANDOM 02 02\n")
        #expect(outcome.error == "pinproof: note: the run goes on in further files; read were \(first), \(second)\n")
        #expect(try export(first, second).error.isEmpty)
    }

    /// The fault of the first file would be found by reading it.
    @Test func `a file that is missing is noticed before any is read`() throws {
        let broken = try folder.file("broken.jsonl", Array("x\n".utf8)).path
        let outcome = try export(broken, folder.path("nosuch.jsonl"))
        #expect(
            outcome.error
                == "pinproof: cannot read file: \(folder.path("nosuch.jsonl")): No such file or directory\n")
        #expect(outcome.code == 2)
    }
}
