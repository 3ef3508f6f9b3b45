internal import PinClient
internal import Transcript
internal import Wire

/// The options of `pinproof run`.
struct RunOptions: InterceptingValues, FindingsValues, RecordingValues, Equatable {
    /// The program and its arguments.
    var command: [String] = []
    /// How often it runs in each phase: two silent ends make a firm one.
    var repeats = 2
    /// Whether it is a browser, which keeps what it trusts in its home.
    var isBrowser = false
    /// How long it may run each time.
    var timeLimit = Duration.seconds(60)
    /// Commands of the shell that show whether the CA is trusted.
    var controls: [String] = []
    /// What the command fetches itself to show that.
    var controlURLs: [CheckURL] = []
    /// What is recorded.
    var recording = RecordingOptions()
    /// The folder for what the command prints; nil for none.
    var output: String?
    /// Whether to leave the progress out.
    var quiet = false
    /// What becomes of the findings.
    var findings = FindingsOptions()
    /// How connections are served.
    var interception = InterceptionOptions()
}

/// `pinproof run`: any client behind the proxy, phase by phase.
enum RunCommand {
    static let table = OptionTable<RunOptions>(
        "run",
        summary: "Run a client behind the proxy, phase by phase, and say what it shows",
        discussion: [
            """
            Runs COMMAND in three phases: its connections are relayed untouched; intercepted with a CA that it is not \
            given; intercepted with one that it is given. Its environment points it at the proxy and at what to trust \
            (docs/CLIENTS.md); PINPROOF_PROXY, PINPROOF_CA and PINPROOF_PHASE tell those that must be told. Both CAs \
            are made for the run, and nothing outside a temporary folder is written.
            """,
            """
            PATTERN is a host, '*.example.com' for every name below example.com, or '*'; each may end in ':PORT'. The \
            most specific pattern decides; of equal ones the last.
            """,
            """
            Exit codes: 0 if everything is as expected, or without expectations if any host came to a conclusion; 1 if \
            something differs; 3 if nothing was decided, the command fails without us too, or Ctrl-C ended it.
            """,
        ],
        groups: [
            .init(
                "Running",
                [
                    .value("repeat", .number("N", in: 1...100), \.repeats, "Runs in each phase"),
                    .flag(
                        "browser", \.isBrowser,
                        "COMMAND is a browser: give each run a new HOME, whose NSS database trusts the phase's CA"),
                    .value("timeout", .seconds, \.timeLimit, "End a run that takes longer"),
                    .repeated(
                        "control", .shellCommand, \.controls,
                        "Run this in a shell too, in every phase, to show that the CA is trusted"),
                    .repeated(
                        "control-url", .url, \.controlURLs,
                        "COMMAND fetches this unpinned URL itself, to show that"),
                    .label,
                ]),
            .expectations,
            .origins(),
            .clientCertificates,
            .oldPeers,
            .hosts,
            .init(
                "Output",
                [
                    .findingsJSON,
                    .findingsJUnit,
                    .value("output", .path("DIR"), \.output, "Keep what COMMAND prints in new files there"),
                    .flag("quiet", \.quiet, "Leave out the progress"),
                ]),
            .recording,
            .timeLimits(),
        ],
        operands: .command(\.command),
        readsConfiguration: true,
        examples: [
            "pinproof run -- curl https://example.com/",
            """
            pinproof run --expect expectations.txt --control-url https://example.org/ \\
                -- ./my-app --self-test
            """,
        ],
        check: { (options) throws(CommandError) in
            try options.recording.check()
            guard options.command.isEmpty else { return }
            throw CommandError(
                "no command to run", mend: "write it after --: pinproof run -- curl https://example.com/")
        })

    /// Reads the options of the command line and the configuration file.
    static func options(from arguments: [String]) throws(CommandError) -> Parsed<RunOptions> {
        try table.parse(arguments)
    }
}

extension ValueFormat<String> {
    /// A command of the shell.
    fileprivate static var shellCommand: ValueFormat {
        ValueFormat(
            placeholder: "COMMAND",
            parse: { (text) throws(ValueError) in
                guard text.contains(where: { !$0.isWhitespace }) else {
                    throw ValueError(what: "no command", remedy: "write it as the shell reads it, in quotes")
                }
                return text
            })
    }
}
