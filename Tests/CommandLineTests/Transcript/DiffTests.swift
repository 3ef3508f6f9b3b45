import Foundation
import Testing

@testable import pinproof

/// `pinproof transcript diff` on transcripts that were made by hand.
@Suite struct DiffTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ host: String, suites: [UInt8]) throws {
        var file = RecordedFile()
        for (index, suite) in suites.enumerated() {
            try file.addAccepting(UInt64(index + 1), "\(host):443", suite: suite)
        }
        try folder.file(name, file.bytes)
    }

    private func diff(_ arguments: String...) throws -> Executable.Outcome {
        try Executable.run(
            Executable.url, ["transcript", "diff", folder.path("a.jsonl"), folder.path("b.jsonl")] + arguments)
    }

    @Test func `what differs, and an exit code that says so`() throws {
        try file("a.jsonl", "api.example.com", suites: [1, 2])
        try file("b.jsonl", "api.example.com", suites: [3, 2])
        let outcome = try diff()
        #expect(
            outcome.text == """
                A: connection 1, api.example.com:443, accepted: 100 bytes of data
                B: connection 1, api.example.com:443, accepted: 100 bytes of data

                Client's hello
                What           A                                B
                -------------  -------------------------------  --------------------------------
                cipher suites  TLS_AES_128_GCM_SHA256           TLS_CHACHA20_POLY1305_SHA256
                JA4            t12i010000_000000000001_         t12i010000_000000000003_
                               000000000000                     000000000000
                JA3            31                               33

                Session with the client
                What          A                       B
                ------------  ----------------------  ----------------------------
                cipher suite  TLS_AES_128_GCM_SHA256  TLS_CHACHA20_POLY1305_SHA256

                """)
        #expect(outcome.code == 1)
        #expect(try diff("--json").text.split(separator: "\n").count == 4)

        let same = try diff("--connection-a", "2", "--connection-b", "2")
        #expect(same.text.hasSuffix("\n\nNo difference.\n"))
        #expect(same.code == 0)
    }

    @Test func `what cannot be compared is said in one line`() throws {
        try file("a.jsonl", "api.example.com", suites: [1])
        try file("b.jsonl", "www.example.com", suites: [1])
        let none = try diff()
        #expect(
            none.error == "pinproof: nothing to compare: no host is in both transcripts; "
                + "name connections with --connection-a and --connection-b\n")
        #expect(none.code == 3)
        let unknown = try diff("--host", "*.example.org")
        #expect(unknown.error.hasPrefix("pinproof: nothing to compare: "))
        #expect(unknown.code == 3)
        #expect(try diff("--connection-a", "1").code == 2)
        #expect(try diff("--connection-a", "1", "--connection-b", "9").code == 2)
        try folder.file("b.jsonl", Array("x\n".utf8))
        #expect(try diff().code == 2)
    }

    private func shell(_ command: String) throws -> Executable.Outcome {
        try Executable.run(
            URL(fileURLWithPath: "/bin/bash"), ["-c", command],
            environment: ["PINPROOF": Executable.url.path, "A": folder.path("a.jsonl"), "B": folder.path("b.jsonl")])
    }

    /// What a pipe holds can be read once.
    @Test func `each file is read once`() throws {
        try file("a.jsonl", "api.example.com", suites: [1, 2])
        try file("b.jsonl", "api.example.com", suites: [3, 2])
        let piped = try shell(#""$PINPROOF" transcript diff <(cat "$A") <(cat "$B")"#)
        let direct = try diff()
        #expect(piped.code == 1 && piped.text == direct.text, "\(piped.error)")
        let named = try shell(#""$PINPROOF" transcript diff - "$B" --connection-a 2 --connection-b 2 < "$A""#)
        #expect(named.code == 0, "\(named.error)")
        let twice = try shell(#"cat "$A" | "$PINPROOF" transcript diff - - --connection-a 1 --connection-b 2"#)
        #expect(twice.code == 1 && twice.text.contains("\nB: connection 2, "), "\(twice.error)")
    }
}
