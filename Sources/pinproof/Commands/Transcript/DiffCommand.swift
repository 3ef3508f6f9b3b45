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
            times; in brackets stands what is worth knowing and counts for nothing. A file named - is standard input.
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
        let (a, b) = try read(options)
        guard let (first, second) = a.candidates.pair(with: b.candidates) else { throw noPair(options, a, b) }
        for (record, path) in [(first, options.words[0]), (second, options.words[1])] where record.client.hello == nil {
            throw CommandError(
                "nothing to compare", at: "\(path): connection \(record.connection) has no ClientHello",
                code: .inconclusive)
        }
        let certificates = a.certificates.outlines(of: first.digests)
            .merging(b.certificates.outlines(of: second.digests)) { one, _ in one }
        let comparison = HandshakeComparison(first, second, certificates: certificates)
        let output = StandardStream.output
        if options.json {
            try output.write(comparison.differences.map { JSONReport().line(for: $0) + "\n" }.joined())
        } else {
            let report = ComparisonReport(width: output.columns ?? 80, colour: output.takesColour)
            try output.write(report.text(for: comparison, first, second))
        }
        return comparison.isEqual ? .asExpected : .finding
    }

    /// What one reading of a transcript finds.
    private struct Reading {
        var candidates: HandshakeCandidates
        var certificates = CertificateShelf()
    }

    /// Reads each file once, as what a pipe holds is there only once: a single one if both names are the same.
    private static func read(_ options: DiffOptions) throws(CommandError) -> (Reading, Reading) {
        let (pathA, pathB) = (options.words[0], options.words[1])
        var a = Reading(
            candidates: options.first.map { HandshakeCandidates(connection: UInt64($0)) }
                ?? HandshakeCandidates(pattern: options.host))
        let named = options.second.map { HandshakeCandidates(connection: UInt64($0)) }
        if pathA == pathB {
            let (candidates, certificates) = try read(pathA, [a.candidates, named ?? a.candidates])
            return (
                Reading(candidates: candidates[0], certificates: certificates),
                Reading(candidates: candidates[1], certificates: certificates)
            )
        }
        a = try reading(pathA, a.candidates)
        guard !a.candidates.isEmpty else { return (a, Reading(candidates: named ?? HandshakeCandidates())) }
        return (a, try reading(pathB, named ?? HandshakeCandidates(pattern: options.host, among: a.candidates)))
    }

    private static func reading(_ path: String, _ wanted: HandshakeCandidates) throws(CommandError) -> Reading {
        let (candidates, certificates) = try read(path, [wanted])
        return Reading(candidates: candidates[0], certificates: certificates)
    }

    private static func read(
        _ path: String, _ wanted: [HandshakeCandidates]
    ) throws(CommandError) -> ([HandshakeCandidates], CertificateShelf) {
        var (candidates, certificates) = (wanted, CertificateShelf())
        var transcript = RecordedRun(from: path)
        while !candidates.allSatisfy(\.isComplete), let event = try transcript.next() {
            certificates.add(event)
            for index in candidates.indices { candidates[index].add(event) }
        }
        return (candidates, certificates)
    }

    /// Why there are no two connections to compare.
    private static func noPair(_ options: DiffOptions, _ a: Reading, _ b: Reading) -> CommandError {
        let (path, number) =
            a.candidates.isEmpty ? (options.words[0], options.first) : (options.words[1], options.second)
        if let number {
            return CommandError(
                "no such connection", at: "\(path): \(number)",
                mend: "'pinproof transcript show' lists those that there are")
        }
        guard !a.candidates.isEmpty else {
            return CommandError(
                "nothing to compare", at: "\(path): no such connection has a ClientHello", code: .inconclusive)
        }
        return CommandError(
            "nothing to compare", at: "no host is in both transcripts",
            mend: "name connections with --connection-a and --connection-b", code: .inconclusive)
    }
}
