internal import Report
internal import Wire

/// The options of `pinproof transcript show`.
struct ShowOptions: OptionValues, Equatable {
    /// A kind of verdict, as `--verdict` names it.
    enum VerdictName: String, CaseIterable, Sendable {
        case accepted, rejected, rejectedSilently, abandoned, leaked, notTested, idle
    }

    /// The transcript, and the number of a connection.
    var words: [String] = []
    /// The number of a connection, by its option.
    var connection: Int?
    /// The hosts that are listed.
    var host: HostPattern?
    /// The verdicts that are listed; none for all.
    var verdicts: [VerdictName] = []
    /// Whether to wait for more.
    var follows = false
    /// Whether to print JSON.
    var json = false
    /// Which parts of a connection are asked for; nothing for the usual ones.
    var showsHello = false
    var showsChain = false
    var showsMessages = false

    /// The transcript.
    var file: String { words.first ?? "" }

    /// The connection that is shown; nil for a list of all.
    var number: UInt64? { connection.map(UInt64.init) ?? words.dropFirst().first.flatMap { UInt64($0) } }

    /// What of it.
    var parts: ConnectionReport.Parts {
        var parts: ConnectionReport.Parts = []
        if showsHello { parts.insert(.hellos) }
        if showsChain { parts.insert(.chains) }
        if parts.isEmpty { parts = .standard }
        if showsMessages { parts.insert(.messages) }
        return parts
    }
}

/// `pinproof transcript show`: a transcript for people to look at.
enum ShowCommand {
    static let table = OptionTable<ShowOptions>(
        "transcript show",
        summary: "Show a transcript: its connections, or one of them as a ladder diagram",
        discussion: [
            """
            Lists the connections that FILE has, or with N draws connection N: each handshake message between client, \
            proxy and origin, both chains, the hellos decoded, and what it all shows. docs/TRANSCRIPTS.md explains how to \
            read that. A FILE named - is standard input; where the run goes on in further files beside FILE, so does this.
            """,
            """
            Exit codes: 0 if it was shown; 2 if the file cannot be read or has no connection N.
            """,
        ],
        groups: [
            .init(
                "List",
                [
                    .value("host", .pattern, \.host, "List the connections to these hosts alone"),
                    .repeated(
                        "verdict", .init(placeholder: "NAME", parse: ValueFormat<ShowOptions.VerdictName>.word.parse),
                        \.verdicts,
                        "List those that showed this alone: accepted, rejected, rejectedSilently, abandoned, "
                            + "leaked, notTested, idle"),
                    .flag(
                        "follow", \.follows,
                        "Wait for more, print connections as they close, and go on to further files of the run, until "
                            + "it ends"
                    ).called("f"),
                    .flag("json", \.json, "Print JSON Lines, one for each connection"),
                ]),
            .init(
                "One connection",
                [
                    .value("connection", .number("N", in: 0...Int.max), \.connection, "The same as N after FILE"),
                    .flag("hello", \.showsHello, "Show the hellos alone"),
                    .flag("chain", \.showsChain, "Show the chains alone"),
                    .flag("messages", \.showsMessages, "Show the octets of each handshake message too"),
                ]),
        ],
        operands: .words(placeholders: ["FILE", "N"], required: 1, \.words),
        examples: [
            "pinproof transcript show run.jsonl --verdict accepted",
            "pinproof transcript show run.jsonl 12",
            "pinproof transcript show -f run.jsonl",
        ],
        check: check)

    @Sendable private static func check(_ options: ShowOptions) throws(CommandError) {
        if let word = options.words.dropFirst().first {
            guard UInt64(word) != nil, word.isDigits else {
                throw CommandError("not a connection", at: word, mend: "use the number in the first column of the list")
            }
            guard options.connection == nil else {
                throw CommandError("two connections", at: word, mend: "name one, after the file or with --connection")
            }
        }
        let isPart = options.showsHello || options.showsChain || options.showsMessages
        if options.follows, options.file == TranscriptInput.standard {
            throw CommandError(
                "--follow with standard input", mend: "name the file; what comes through a pipe is followed anyway")
        }
        let isList = options.follows || options.json || options.host != nil || !options.verdicts.isEmpty
        if options.number != nil, isList {
            throw CommandError(
                "options of a list with one connection", mend: "--host, --verdict, --follow and --json are for the list"
            )
        }
        if options.number == nil, isPart {
            throw CommandError(
                "no connection is named", mend: "--hello, --chain and --messages need N, as in 'show run.jsonl 12'")
        }
    }

    /// Shows a list or a connection.
    static func run(_ options: ShowOptions) throws -> ExitCode {
        guard let number = options.number else { return try list(options) }
        let recorded = try RecordedConnection(reading: options.file, connection: number)
        let output = StandardStream.output
        let report = ConnectionReport(width: output.columns ?? 80, colour: output.takesColour)
        try output.write(
            report.text(for: recorded.story, certificates: recorded.certificates, parts: options.parts))
        return .asExpected
    }

    private static func list(_ options: ShowOptions) throws -> ExitCode {
        var listing = ConnectionListing(options)
        if options.follows {
            let interruption = try Interruption()
            let transcript = FollowedTranscript(
                path: options.file, warn: { (text) throws(CommandError) in try warn(text) },
                isInterrupted: { interruption.count > 0 })
            try listing.print(transcript.next, state: { transcript.state })
        } else {
            var transcript = RecordedRun(from: options.file, followsDigests: !options.json)
            try listing.print({ try transcript.next() }, state: { transcript.state })
            // The end of a list for people tells all that.
            if options.json { try transcript.remarks.forEach { try warn($0) } }
        }
        return .asExpected
    }

    private static func warn(_ text: String) throws(CommandError) {
        try StandardStream.error.write("pinproof: warning: \(text.printable)\n")
    }
}
