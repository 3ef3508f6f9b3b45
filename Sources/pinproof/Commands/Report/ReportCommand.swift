internal import Report
internal import Transcript

/// The options of `pinproof report`.
struct ReportOptions: FindingsValues, Equatable {
    /// The file with the transcript.
    var transcript = ""
    /// Whether to list what every connection showed.
    var listsConnections = false
    /// What becomes of the findings.
    var findings = FindingsOptions()
}

/// `pinproof report`: what a recorded experiment showed, from its transcript alone.
enum ReportCommand {
    static let table = OptionTable<ReportOptions>(
        "report",
        summary: "Say again what a recorded run showed, from its transcript alone",
        discussion: [
            """
            Computes the findings of 'pinproof run' and 'pinproof proxy --phases' from what --transcript recorded, and \
            prints what they printed: years later, on another machine, or with other expectations. Nothing is run and \
            nothing is connected to.
            """,
            """
            What the file cannot show is no evidence: if the run was not over when it ends, or events are missing, the \
            findings are printed and decide nothing.
            """,
            """
            Exit codes: 0 if everything is as expected, or without expectations if any host came to a conclusion; 1 if \
            something differs; 2 if the file cannot be read; 3 if nothing was decided, or TRANSCRIPT has no experiment.
            """,
        ],
        groups: [
            .expectations,
            .init(
                "Output",
                [
                    .findingsJSON,
                    .findingsJUnit,
                    .flag("connections", \.listsConnections, "List what every connection showed, before the findings"),
                ]),
        ],
        operands: .file(placeholder: "TRANSCRIPT", \.transcript),
        examples: [
            "pinproof report run.jsonl",
            "pinproof report run.jsonl --expect expectations.txt --junit report.xml",
        ])

    /// Reads the transcript and prints what it shows.
    static func run(_ options: ReportOptions) throws -> ExitCode {
        let expectations = try options.findings.readExpectations()
        try options.findings.expectRoom()
        let experiment = try RecordedExperiment(
            reading: options.transcript, listsConnections: options.listsConnections)
        for warning in experiment.warnings {
            try StandardStream.error.write("pinproof: warning: \(options.transcript.printable): \(warning)\n")
        }
        let report = ExperimentReport(
            experiment.verdicts, expectations: expectations, only: options.findings.only,
            isInterrupted: experiment.isInterrupted, doubt: experiment.doubt, seal: experiment.seal)
        try report.write(options.findings, listing: experiment.list.verdicts)
        guard let doubt = experiment.doubt else { return report.exitCode }
        throw CommandError(
            doubt, at: options.transcript,
            mend: experiment.holdsExperiment ? nil : "'run' and 'proxy --phases' record one with --transcript",
            code: .inconclusive)
    }
}
