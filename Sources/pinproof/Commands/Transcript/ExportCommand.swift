internal import Transcript
internal import Wire

/// The options of `pinproof transcript export`.
struct ExportOptions: OptionValues, Equatable {
    /// The transcript, or the files of one run in their order.
    var transcripts: [String] = []
    /// What to make of it; nil if it was not said.
    var format: ExportFormat?
    /// The file to write; nil for standard output.
    var output: String?
    /// The connections to convert; empty for all.
    var connections: [Int] = []
    /// Their hosts; empty for all.
    var hosts: [HostPattern] = []
    /// The side whose certificates are written; nil for both.
    var side: ExportSide?
}

/// What a transcript is converted to.
enum ExportFormat: String, Sendable, CaseIterable {
    /// A packet capture, with the secrets that open it.
    case pcapng
    /// The secrets of all sessions (RFC 9850, SSLKEYLOGFILE).
    case keylog
    /// An HTTP archive, version 1.2.
    case har
    /// Certificates (RFC 7468).
    case pem

    /// Whether a terminal cannot show it.
    var isBinary: Bool { self == .pcapng }

    /// What a transcript may be without.
    var missing: (what: String, remedy: String) {
        switch self {
        case .pcapng:
            (
                "no intercepted connection in the transcript",
                "bytes on the wire are recorded of intercepted connections only"
            )
        case .keylog: ("no secrets in the transcript", "--transcript records those of TLS 1.3, --capture wire all")
        case .har: ("no requests in the transcript", "'proxy' and 'run' record them with --capture heads")
        case .pem: ("no certificates in the transcript", "those of intercepted connections are recorded")
        }
    }
}

/// A side of a connection, as the command line has it.
enum ExportSide: String, Sendable, CaseIterable {
    case client
    case origin

    /// The side in events.
    var side: Side { self == .client ? .client : .origin }
}

/// `pinproof transcript export`: a transcript in a format of other programs.
enum ExportCommand {
    static let table = OptionTable<ExportOptions>(
        "transcript export",
        summary: "Convert a transcript for Wireshark, browsers and other tools",
        discussion: [
            """
            pcapng: both sessions of every intercepted connection as TCP conversations, with the recorded secrets \
            inside: Wireshark and tshark read them in the clear without a key file. keylog: these secrets alone, as \
            SSLKEYLOGFILE has them. har: requests and responses as an HTTP archive. pem: every certificate once, with \
            where it was seen.
            """,
            """
            How much is there depends on what was recorded: handshakes and the secrets of TLS 1.3 that open them \
            always; with --capture wire all bytes and all secrets; with --capture heads what an archive needs. What is \
            missing is said on standard error.
            """,
            """
            Where the run of a single file goes on in further ones beside it, they are read too, and named on standard \
            error; several files are read as they are given, those of one run in their order. A file named - is standard \
            input. A key log and a capture open what others recorded of \
            the same connections: treat them as the secrets that they are.
            """,
            """
            Exit codes: 0 if something was converted; 2 if a file cannot be read or written; 3 if the transcript has \
            nothing of what was asked for.
            """,
        ],
        groups: [
            .init(
                "Selection",
                [
                    .repeated(
                        "connection", .number("N", in: 1...Int.max), \.connections, standard: "all",
                        "The connection with this number"),
                    .repeated("host", .pattern, \.hosts, standard: "all", "Connections to this host"),
                    .value(
                        "side", .word, \.side, standard: "both", "Certificates of this session only, with --format pem"),
                ]),
            .init(
                "Output",
                [
                    .value("format", .word, \.format, "What to convert to; has to be given"),
                    .value(
                        "output", .path("FILE"), \.output, standard: "standard output",
                        "Write a new FILE, for its owner only; one that is there is left alone"),
                ]),
        ],
        operands: .files(placeholder: "TRANSCRIPT", \.transcripts),
        examples: [
            "pinproof transcript export --format pcapng run.jsonl --output run.pcapng",
            "pinproof transcript export --format har run.jsonl > run.har",
            "pinproof transcript export --format keylog run.jsonl run.2.jsonl",
            "pinproof transcript export --format pem --host api.example.com run.jsonl",
        ],
        check: { (options) throws(CommandError) in
            guard let format = options.format else {
                throw CommandError("missing option", at: "--format", mend: "use pcapng, keylog, har or pem")
            }
            guard options.side == nil || format == .pem else {
                throw CommandError(
                    "--side contradicts --format \(format.rawValue)", mend: "only --format pem takes one side")
            }
        })

    /// Converts the transcript.
    static func run(_ options: ExportOptions) throws -> ExitCode {
        guard let format = options.format else { return .usage }
        if format.isBinary, options.output == nil, StandardStream.output.isTerminal {
            throw CommandError(
                "refusing to write \(format.rawValue) to a terminal", mend: "name a file with --output")
        }
        let selection = ExportSelection(connections: Set(options.connections.map(UInt64.init)), hosts: options.hosts)
        let output = try ExportOutput(options.output)
        try TranscriptInput.check(options.transcripts)
        let isEmpty: Bool
        switch format {
        case .pcapng: isEmpty = try convert(options, selection, PcapngExport(), output)
        case .keylog: isEmpty = try convert(options, selection, KeyLogExport(), output)
        case .har: isEmpty = try convert(options, selection, HARExport(tool: Version.number), output)
        case .pem:
            let export = CertificateExport(
                side: options.side?.side, includesUnnamed: selection.isEverything)
            isEmpty = try convert(options, selection, export, output)
        }
        guard isEmpty else { return .asExpected }
        let (what, remedy) = format.missing
        throw CommandError(
            selection.isEverything ? what : "\(what), or none that is selected", at: options.transcripts.first,
            mend: remedy, code: .inconclusive)
    }

    /// Reads, converts and writes, piece by piece.
    ///
    /// - Returns: Whether nothing came of it; then nothing is written.
    private static func convert(
        _ options: ExportOptions, _ selection: ExportSelection, _ export: some TranscriptExport, _ output: ExportOutput
    ) throws(CommandError) -> Bool {
        var (selection, export) = (selection, export)
        let paths = options.transcripts
        var run = paths.count == 1 ? RecordedRun(from: paths[0]) : RecordedRun(paths)
        var bytes: [UInt8] = []
        export.begin(into: &bytes)
        while let event = try run.next() {
            for passed in selection.pass(event) { export.add(passed, into: &bytes) }
            guard bytes.count >= piece, !export.isEmpty else { continue }
            try output.write(bytes)
            bytes.removeAll(keepingCapacity: bytes.count < 2 * piece)
        }
        export.finish(into: &bytes)
        if !export.isEmpty {
            try output.write(bytes)
            try output.keep()
        }
        if run.paths.count > paths.count {
            let files = run.paths.map(\.printable).joined(separator: ", ")
            try StandardStream.error.write("pinproof: note: the run goes on in further files; read were \(files)\n")
        }
        for remark in run.remarks + export.remarks {
            try StandardStream.error.write("pinproof: warning: \(remark.printable)\n")
        }
        return export.isEmpty
    }

    /// What is made before it is written.
    private static let piece = 1 << 20
}
