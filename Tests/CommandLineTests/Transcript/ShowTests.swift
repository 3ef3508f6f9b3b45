import Foundation
import Testing
import Transcript
import Wire

@testable import pinproof

/// `pinproof transcript show` on transcripts that were made by hand.
@Suite struct ShowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func show(_ file: RecordedFile, rest: String = "", _ arguments: String...) throws -> Executable.Outcome {
        let path = try folder.file("run.jsonl", file.bytes + Array(rest.utf8)).path
        return try Executable.run(Executable.url, ["transcript", "show", path] + arguments)
    }

    private func twoConnections() throws -> RecordedFile {
        var file = RecordedFile()
        try file.addAccepting(1, "api.example.com:443")
        file.add(
            2, .opened(client: "127.0.0.1:50313", listener: "127.0.0.1:8080"),
            .closed(
                .init(
                    by: .client, phase: .greeting, client: .fin, origin: nil, clientBytes: 0, originBytes: 0,
                    nanoseconds: 1_000_000)))
        return file
    }

    @Test func `a list with what it comes to at its end`() throws {
        var file = try twoConnections()
        file.end(connections: 2)
        let outcome = try show(file)
        #expect(
            outcome.text == """
                  No UTC      Host             Client     TLS    What it shows       Bytes  Took
                   1 14:02:07 api.example.com  t12i010000 1.3 h1 accepted             1.0k   8ms
                   2 14:02:07 -                -          -      not tested: no Cli…     0   1ms

                2 connections: 1 accepted, 1 not tested
                100 B up, 900 B down
                The run ended; no event was lost while it was recorded.

                """)
        #expect(outcome.error.isEmpty)
        #expect(outcome.code == 0)
    }

    /// The further file is found by its name; one that begins another run is not taken for it.
    @Test func `a run in several files is shown from its first one`() throws {
        var first = RecordedFile(), second = RecordedFile(continuedAs: 2), foreign = RecordedFile()
        try first.addAccepting(1, "api.example.com:443")
        try second.addAccepting(2, "www.example.com:443")
        try foreign.addAccepting(3, "other.example.com:443")
        try folder.file("run.2.jsonl", second.bytes)
        try folder.file("run.3.jsonl", foreign.bytes)
        let list = try show(first)
        #expect(list.text.contains("\n   1 ") || list.text.hasPrefix("   1 "))
        #expect(list.text.contains("   2 14:02:07 www.example.com"))
        #expect(!list.text.contains("other.example.com"))
        #expect(list.text.contains("2 connections: 2 accepted\n"))
        let one = try show(first, "2")
        #expect(one.code == 0 && one.text.contains("www.example.com"), "\(one.error)")
        // A run that has ended goes on nowhere.
        first.end(connections: 1)
        #expect(try show(first).text.contains("1 connection: 1 accepted\n"))
    }

    @Test func `a list of some, and of a file that breaks off`() throws {
        let outcome = try show(
            try twoConnections(), rest: #"{"t":"#, "--verdict", "accepted", "--host", "*.example.com")
        #expect(
            outcome.text.split(separator: "\n").dropFirst() == [
                "   1 14:02:07 api.example.com  t12i010000 1.3 h1 accepted             1.0k   8ms",
                "1 connection: 1 accepted", "100 B up, 900 B down",
                "The transcript is not whole: the run was not over when it ends; its last line is",
                "broken (5 octets).",
            ])
        #expect(outcome.code == 0)
    }

    @Test func `one connection, and its parts alone`() throws {
        let whole = try show(try twoConnections(), "1")
        #expect(whole.text.hasPrefix("Connection 1: api.example.com:443, intercept, 14:02:07.001 UTC\n  accepted: 100"))
        #expect(whole.text.contains("│── connects ─────────────────────►│"))
        #expect(whole.text.contains("\nThe client's hello\n"))
        let hello = try show(try twoConnections(), "--connection", "1", "--hello")
        #expect(
            hello.text == """
                Connection 1: api.example.com:443, intercept, 14:02:07.001 UTC

                The client's hello
                  server name   none
                  versions      TLS 1.2
                  cipher suites TLS_AES_128_GCM_SHA256
                  GREASE        no
                  JA4           t12i010000_000000000001_000000000000
                  JA3           31

                """)
    }

    @Test func `JSON Lines are nothing but JSON Lines`() throws {
        let lines = try show(try twoConnections(), "--json").text.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test(arguments: [
        (["3"], "no such connection: PATH: 3; 'pinproof transcript show' lists those that there are"),
        (["x"], "not a connection: x; use the number in the first column of the list"),
        (["1", "--connection", "2"], "two connections: 1; name one, after the file or with --connection"),
        (["--hello"], "no connection is named; --hello, --chain and --messages need N, as in 'show run.jsonl 12'"),
        (
            ["1", "--follow"],
            "options of a list with one connection; --host, --verdict, --follow and --json are for the list"
        ),
    ])
    func `what cannot be shown is said in one line`(_ arguments: [String], _ complaint: String) throws {
        let path = try folder.file("run.jsonl", try twoConnections().bytes).path
        let outcome = try Executable.run(Executable.url, ["transcript", "show", path] + arguments)
        #expect(outcome.error == "pinproof: \(complaint.replacing("PATH", with: path))\n")
        #expect(outcome.code == 2)
    }

    @Test func `what could be read before a fault is listed`() throws {
        let outcome = try show(try twoConnections(), rest: "{}\n{}\n")
        #expect(outcome.text.contains("   2 14:02:07 -"))
        #expect(outcome.error.hasPrefix("pinproof: broken transcript: "))
        #expect(outcome.code == 2)
    }

    /// The origin's first byte is what is missing: the events that are left would show a leak.
    private func gapped(recorded: Bool = true) throws -> RecordedFile {
        var file = RecordedFile()
        file.add(
            1, .opened(client: "127.0.0.1:50312", listener: "127.0.0.1:8080"),
            .requested(method: "CONNECT", target: "a.example:443", endpoint: Endpoint("a.example:443")),
            .decided(.intercept, rule: nil), .hello(try RecordedFile.hello(1)),
            .secured(.client, RecordedFile.agreed(1)), .firstData(.client))
        file.add(nil, .gap(lost: 1))
        file.add(1, .ended(.client, .fin, .relay))
        if recorded {
            file.add(1, .verdict(RecordedVerdict(name: "accepted", text: "accepted: 122 bytes of data")))
        }
        file.add(
            1,
            .closed(
                .init(
                    by: .client, phase: .relay, client: .fin, origin: nil, clientBytes: 122, originBytes: 900,
                    nanoseconds: 1_000_000)))
        return file
    }

    @Test func `a verdict is no firmer than what is left of its events`() throws {
        let list = try show(try gapped()).text
        #expect(list.contains(" gap: accepted ") && list.contains("1 connection: 1 accepted\n"))
        #expect(list.contains("1 event missing") && !list.contains("leaked"))
        #expect(try show(try gapped(), "--json").text.contains(#""verdict":"accepted""#))
        #expect(try show(try gapped(), "--json").text.contains(#""evidence":"eventsMissing""#))
        let one = try show(try gapped(), "1").text
        #expect(one.contains("\n  accepted: 122 bytes of data\n") && !one.contains("something else"))
        #expect(try show(try gapped(recorded: false)).text.contains(" events missing "))
    }

    @Test func `lines that were cut out are noticed`() throws {
        var file = RecordedFile(isChained: true)
        try file.addAccepting(1, "api.example.com:443")
        file.end(connections: 1)
        #expect(try !show(file).text.contains("changed"))
        let lines = file.bytes.split(separator: UInt8(ascii: "\n"))
        let path = try folder.file("cut.jsonl", Array((lines[..<5] + lines[7...]).joined(separator: [10])) + [10]).path
        let cut = try Executable.run("transcript", "show", path).text.replacing("\n", with: " ")
        #expect(cut.contains("cut.jsonl: line 6 does not follow"), "\(cut)")
        #expect(cut.contains("'pinproof transcript verify' tells more."))
    }

    /// `--transcript-keep` deletes the oldest files.
    @Test func `the oldest file that is there is named, and reading goes on from it`() throws {
        var first = RecordedFile(continuedAs: 33), second = RecordedFile(continuedAs: 34)
        try first.addAccepting(40, "api.example.com:443")
        try second.addAccepting(41, "api.example.com:443")
        try folder.file("run.33.jsonl", first.bytes)
        try folder.file("run.34.jsonl", second.bytes)
        for arguments in [[], ["-f"], ["7"]] {
            let outcome = try Executable.run(
                Executable.url, ["transcript", "show", folder.path("run.jsonl")] + arguments)
            #expect(
                outcome.error.hasSuffix(
                    "; the oldest file of the run that is there is \(folder.path("run.33.jsonl")): --transcript-keep "
                        + "deletes those before it\n"))
            #expect(outcome.code == 2)
        }
        let list = try Executable.run("transcript", "show", folder.path("run.33.jsonl")).text
        #expect(list.contains("  40 ") && list.contains("  41 "))
    }

    @Test func `standard input is read, and a compressed file known`() throws {
        let path = try folder.file("run.jsonl", try twoConnections().bytes).path
        let piped = try Executable.run(
            URL(fileURLWithPath: "/bin/bash"), ["-c", #"cat "$FILE" | "$PINPROOF" transcript show -"#],
            environment: ["FILE": path, "PINPROOF": Executable.url.path])
        let direct = try Executable.run("transcript", "show", path)
        #expect(piped.text == direct.text, "\(piped.error)")
        let packed = try folder.file("run.jsonl.gz", [0x1F, 0x8B, 8, 0, 10, 0]).path
        #expect(
            try Executable.run("transcript", "show", packed).error
                == "pinproof: compressed transcript: \(packed): it is compressed with gzip; unpack it first, as in "
                + "'zcat FILE | pinproof transcript show -'\n")
    }
}
