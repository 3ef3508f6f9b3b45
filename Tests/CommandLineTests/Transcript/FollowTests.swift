import Foundation
import Testing

@testable import pinproof

/// `pinproof transcript show --follow` on files that grow.
@Suite struct FollowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func follow() throws -> ChildProcess {
        try ChildProcess(Executable.url, ["transcript", "show", "-f", folder.path("run.jsonl")])
    }

    private func append(_ bytes: some Sequence<UInt8>, to name: String = "run.jsonl") throws {
        let handle = try #require(FileHandle(forWritingAtPath: folder.path(name)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    private func wait(for number: Int, in process: ChildProcess) async throws {
        let start = String(repeating: " ", count: 4 - String(number).count) + "\(number) "
        _ = try await process.wait(for: "connection \(number)") { progress in
            progress.lines.first { $0.hasPrefix(start) }
        }
    }

    @Test func `connections are printed as they close, over a line that comes in two pieces, until the run ends`()
        async throws
    {
        var file = RecordedFile()
        try file.addAccepting(1, "api.example.com:443")
        try folder.file("run.jsonl", file.bytes)
        let process = try follow()
        try await wait(for: 1, in: process)

        let before = file.bytes.count
        try file.addAccepting(2, "api.example.com:443")
        let added = file.bytes[before...]
        // The line of the end is cut in its middle.
        try append(added.dropLast(40))
        try append(added.suffix(40))
        try await wait(for: 2, in: process)

        let end = file.bytes.count
        file.end(connections: 2)
        try append(file.bytes[end...])
        let progress = try await process.end()
        #expect(progress.ending == .exit(0))
        #expect(progress.outputText.hasSuffix("\nThe run ended; no event was lost while it was recorded.\n"))
    }

    @Test func `reading goes on in the further files of the run`() async throws {
        var first = RecordedFile()
        try first.addAccepting(1, "api.example.com:443")
        try folder.file("run.jsonl", first.bytes)
        let process = try follow()
        try await wait(for: 1, in: process)

        var second = RecordedFile(continuedAs: 2)
        try second.addAccepting(2, "api.example.com:443")
        second.end(connections: 2)
        try folder.file("run.2.jsonl", second.bytes)
        let progress = try await process.end()
        #expect(progress.lines.contains { $0.hasPrefix("   2 ") })
        #expect(progress.outputText.hasSuffix("\nThe run ended; no event was lost while it was recorded.\n"))
    }

    @Test func `an interruption ends it with what there is`() async throws {
        var file = RecordedFile()
        try file.addAccepting(1, "api.example.com:443")
        try folder.file("run.jsonl", file.bytes)
        let process = try follow()
        try await wait(for: 1, in: process)
        process.signal(SIGINT)
        let progress = try await process.end()
        #expect(progress.ending == .exit(0))
        #expect(
            progress.outputText.hasSuffix(
                """

                1 connection: 1 accepted
                100 B up, 900 B down
                The transcript is not whole: the run was not over when it ends.

                """))
    }

    /// Three files were begun and two of them deleted before they were looked at; one of a run before has such a name too.
    @Test func `reading goes on over files that are gone`() async throws {
        var first = RecordedFile()
        try first.addAccepting(1, "api.example.com:443")
        try folder.file("run.3.jsonl", RecordedFile(continuedAs: 3, earlierBy: 60_000_000).bytes)
        try folder.file("run.9.jsonl", RecordedFile().bytes)
        try folder.file("run.jsonl", first.bytes)
        let process = try follow()
        try await wait(for: 1, in: process)

        var fourth = RecordedFile(continuedAs: 4)
        try fourth.addAccepting(7, "api.example.com:443")
        fourth.end(connections: 7)
        try folder.file("run.4.jsonl", fourth.bytes)
        let progress = try await process.end()
        #expect(progress.ending == .exit(0))
        #expect(progress.lines.contains { $0.hasPrefix("   7 ") })
        #expect(
            progress.errorText
                == "pinproof: warning: \(folder.path("run.4.jsonl")): files 2 to 3 of the run, which come "
                + "before it, are not there or not given\n")
        #expect(progress.outputText.contains("\nThe transcript is not whole: files 2 to 3 are missing"))
    }
}
