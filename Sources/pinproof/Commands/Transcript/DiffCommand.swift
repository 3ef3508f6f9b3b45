internal import Report
internal import Transcript
internal import Wire

/// The options of `pinproof transcript diff`.
struct DiffOptions: OptionValues, Equatable {
    /// The two transcripts.
    var words: [String] = []
    /// The hosts that are looked at.
    var host: HostPattern?
    /// The connection of the first transcript.
    var first: Int?
    /// The connection of the second one.
    var second: Int?
    /// Whether to print JSON.
    var json = false
}

/// `pinproof transcript diff`: what changed between two handshakes of the same client.
enum DiffCommand {
    static let table = OptionTable<DiffOptions>(
        "transcript diff",
        summary: "Say what differs between two handshakes of the same client",
        discussion: [
            """
            For a client that worked in its last build: compares what was offered, agreed on, shown and answered in a \
            connection of transcript A and one of transcript B. Without numbers they are the first with a ClientHello at \
            the first host that both have. What is random by nature makes no difference, such as keys, GREASE, ports and \
            times; in brackets stands what is worth knowing and counts for nothing.
            """,
            """
            Exit codes: 0 if nothing differs; 1 if something does; 2 if a file cannot be read; 3 if there is nothing to \
            compare.
            """,
        ],
        groups: [
            .init(
                "Connections",
                [
                    .value("host", .pattern, \.host, "Compare connections to these hosts"),
                    .value("connection-a", .number("N", in: 0...Int.max), \.first, "Compare this connection of A"),
                    .value("connection-b", .number("N", in: 0...Int.max), \.second, "Compare this connection of B"),
                ]),
            .init("Output", [.flag("json", \.json, "Print JSON Lines, one for each difference")]),
        ],
        operands: .words(placeholders: ["A", "B"], required: 2, \.words),
        examples: [
            "pinproof transcript diff build-41.jsonl build-42.jsonl --host api.example.com",
            "pinproof transcript diff run.jsonl run.jsonl --connection-a 3 --connection-b 7",
        ],
        check: { (options) throws(CommandError) in
            try expectBoth(
                "connection-a", options.first.map(String.init), "connection-b", options.second.map(String.init))
            guard options.first == nil || options.host == nil else {
                throw CommandError("--host beside numbers", mend: "the numbers say which connections are compared")
            }
        })

    /// Compares two connections.
    static func run(_ options: DiffOptions) throws -> ExitCode {
        let (pathA, pathB) = (options.words[0], options.words[1])
        let (numberA, numberB) = try choose(options, pathA, pathB)
        let (a, b) = (
            try RecordedConnection(reading: pathA, connection: numberA),
            try RecordedConnection(reading: pathB, connection: numberB)
        )
        for (recorded, path) in [(a, pathA), (b, pathB)] where recorded.story.record.client.hello == nil {
            throw CommandError(
                "nothing to compare", at: "\(path): connection \(recorded.story.record.connection) has no ClientHello",
                code: .inconclusive)
        }
        let comparison = HandshakeComparison(
            a.story.record, b.story.record, certificates: a.certificates.merging(b.certificates) { first, _ in first })
        let output = StandardStream.output
        if options.json {
            try output.write(comparison.differences.map { JSONReport().line(for: $0) + "\n" }.joined())
        } else {
            let report = ComparisonReport(width: output.columns ?? 80, colour: output.takesColour)
            try output.write(report.text(for: comparison, a.story.record, b.story.record))
        }
        return comparison.isEqual ? .asExpected : .finding
    }

    /// The connections to compare: those that are named, or the first with a hello at a host that both have.
    private static func choose(
        _ options: DiffOptions, _ pathA: String, _ pathB: String
    ) throws(CommandError) -> (UInt64, UInt64) {
        if let first = options.first, let second = options.second { return (UInt64(first), UInt64(second)) }
        let (a, b) = (try candidates(in: pathA, options.host), try candidates(in: pathB, options.host))
        for (candidates, path) in [(a, pathA), (b, pathB)] where candidates.isEmpty {
            throw CommandError(
                "nothing to compare", at: "\(path): no such connection has a ClientHello", code: .inconclusive)
        }
        guard let pair = a.pair(with: b) else {
            throw CommandError(
                "nothing to compare", at: "no host is in both transcripts",
                mend: "name connections with --connection-a and --connection-b", code: .inconclusive)
        }
        return pair
    }

    private static func candidates(in path: String, _ host: HostPattern?) throws(CommandError) -> HandshakeChoice {
        var transcript = RecordedRun(from: path)
        var choice = HandshakeChoice(pattern: host)
        while let event = try transcript.next() { choice.add(event) }
        return choice
    }
}
