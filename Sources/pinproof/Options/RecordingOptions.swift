internal import Authority
internal import Transcript
internal import Wire

/// What commands with a proxy in them record, and where.
struct RecordingOptions: Sendable, Equatable {
    /// The file for the transcript; nil for none.
    var transcript: String?
    /// How large a file of it may become before it goes on in the next one, in octets; nil for any size.
    var size: Int?
    /// How many of its files stay; nil for all.
    var kept: Int?
    /// What of connections it holds beyond their handshakes, each part as it was asked for.
    var captures: [Capture] = []
    /// The file for the sessions' secrets; nil for none.
    var keyLog: String?
    /// The file for what was on the wire; nil for none.
    var pcapng: String?
    /// Who signs the transcript; nil for nobody.
    var signer: IdentitySource.Location?
    /// Where the password of that file is read.
    var signerPassword: PasswordSource?

    /// What the transcript holds beyond handshakes.
    var capture: Capture { captures.reduce(Capture()) { $0.union($1) } }
}

/// The options of a command that records.
protocol RecordingValues: OptionValues {
    /// What is recorded.
    var recording: RecordingOptions { get set }
}

extension OptionTable.Group where Values: RecordingValues {
    /// What is recorded, and where.
    static var recording: Self {
        .init(
            "Recording",
            [
                .value(
                    "transcript", .path("FILE"), \.recording.transcript, "Record every event to FILE as JSON Lines"),
                .repeated(
                    "capture", .capture, \.recording.captures,
                    """
                    Record more than handshakes in it: 'heads' of HTTP messages without known secrets, 'bytes=SIZE' of \
                    data from each side in the clear, 'wire', all bytes as they were sent and the secrets to them, or \
                    'all'
                    """),
                .value(
                    "transcript-size", .size(in: 65_536...1_099_511_627_776), \.recording.size, standard: "any",
                    "Go on in further files of this size: run.2.jsonl, run.3.jsonl and so on after run.jsonl"),
                .value(
                    "transcript-keep", .number("N", in: 1...1_000_000), \.recording.kept, standard: "all",
                    "Keep the last N of these files"),
                .value(
                    "sign", .identity, \.recording.signer,
                    "Sign the transcript with what FILE holds (PKCS#12 or PEM): detached CMS in FILE.p7s"),
                .value(
                    "sign-password", .passwordSource, \.recording.signerPassword,
                    "Read the password of that file there, not from the terminal"
                ).unquoted,
                .value(
                    "keylog", .path("FILE"), \.recording.keyLog,
                    "Write the secrets of all sessions to FILE, for Wireshark (SSLKEYLOGFILE)"),
                .value(
                    "pcapng", .path("FILE"), \.recording.pcapng,
                    "Write what is on the wire of both sessions to FILE, for Wireshark, with the secrets in it"),
            ])
    }
}

extension RecordingOptions {
    /// Refuses options that mean nothing without others.
    func check() throws(CommandError) {
        let needing: [(name: String, isGiven: Bool)] = [
            ("capture", !captures.isEmpty), ("transcript-size", size != nil), ("transcript-keep", kept != nil),
            ("sign", signer != nil), ("sign-password", signerPassword != nil),
        ]
        if transcript == nil, let (name, _) = needing.first(where: { $0.isGiven }) {
            throw CommandError("--\(name) needs --transcript", mend: "name the file that it is about")
        }
        if kept != nil, size == nil {
            throw CommandError("--transcript-keep needs --transcript-size", mend: "one file is never full")
        }
        if signerPassword != nil, signer == nil {
            throw CommandError("--sign-password needs --sign", mend: "name the file that it opens")
        }
    }
}

extension ValueFormat<Capture> {
    /// What is recorded beyond handshakes; several parts may be joined by commas.
    static var capture: ValueFormat {
        ValueFormat(
            placeholder: "WHAT",
            parse: { (text) throws(ValueError) in
                var capture = Capture()
                for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                    capture = capture.union(try Self.part(String(part)))
                }
                return capture
            })
    }

    private static func part(_ text: String) throws(ValueError) -> Capture {
        switch text {
        case "heads": return Capture(heads: true)
        case "wire": return Capture(wire: true, secrets: true)
        case "all": return .all
        case _ where text.hasPrefix("bytes="):
            let size = try ValueFormat<Int>.size(in: 1...1_099_511_627_776).parse(String(text.dropFirst(6)))
            return Capture(bytes: UInt64(size))
        default:
            throw ValueError(
                what: "not a part of a connection", remedy: "use heads, bytes=SIZE (such as bytes=4K), wire or all")
        }
    }
}
