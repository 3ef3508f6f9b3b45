internal import Report
internal import Transcript
internal import Wire

/// What an experiment came to, whether it was run just now or recorded earlier: the findings, what was expected of them,
/// and the exit code.
struct ExperimentReport: Sendable {
    let findings: [Finding]
    let outcomes: [Expectations.Outcome]
    private let expectsAnything: Bool
    let exitCode: ExitCode
    private let baselineFailed: Bool
    private let isInterrupted: Bool
    private let label: String?
    private let doubt: String?
    private let seal: TranscriptSeal?

    /// Draws the findings and compares them with what is expected, if anything is.
    ///
    /// An experiment that was ended early has shown what it has shown, and no more: its findings are reported, and decide
    /// nothing.
    ///
    /// - Parameters:
    ///   - verdicts: What was seen.
    ///   - expectations: What is expected of it.
    ///   - only: The hosts that are reported on; all if there are none.
    ///   - isInterrupted: Whether the experiment was ended early.
    ///   - doubt: Why the whole proves nothing, besides that; nil if it may.
    ///   - seal: What stands for the transcript that holds it; nil without one.
    init(
        _ verdicts: ExperimentVerdicts, expectations: Expectations?, only: [HostPattern], isInterrupted: Bool,
        doubt: String? = nil, seal: TranscriptSeal? = nil
    ) {
        findings = verdicts.findings.filter { finding in
            only.isEmpty
                || finding.ports.contains { port in
                    only.contains { $0.matches(Endpoint(host: finding.unit.host, port: port)) }
                }
        }
        expectsAnything = expectations != nil
        outcomes = expectations?.compare(findings) ?? []
        baselineFailed = verdicts.baselineFailed
        self.isInterrupted = isInterrupted
        label = verdicts.label
        self.doubt = doubt
        self.seal = seal
        if isInterrupted || baselineFailed || doubt != nil {
            exitCode = .inconclusive
        } else if let expectations {
            exitCode =
                switch expectations.result(of: outcomes) {
                case .asExpected: .asExpected
                case .differs: .finding
                case .undecided: .inconclusive
                }
        } else {
            exitCode = findings.contains { $0.conclusion.isConclusive } ? .asExpected : .inconclusive
        }
    }

    /// Prints the table, or the JSON in its place, and writes the files that are asked for.
    ///
    /// - Parameters:
    ///   - options: Where it goes.
    ///   - listing: What single connections showed, to stand before the findings.
    /// - Throws: `CommandError` if something cannot be written.
    func write(_ options: FindingsOptions, listing: [ListedVerdict] = []) throws {
        let lines =
            JSONReport().lines(for: listing) + (seal.map { [JSONReport().line(for: $0)] } ?? [])
            + JSONReport().lines(
                for: findings, outcomes: outcomes, exitCode: exitCode.rawValue, baselineFailed: baselineFailed,
                isInterrupted: isInterrupted, label: label)
        let json = [UInt8](lines.map { $0 + "\n" }.joined().utf8)
        if let path = options.junit {
            let xml = FindingsJUnit().text(
                for: findings, outcomes: expectsAnything ? outcomes : nil, problem: problem, label: label,
                digest: seal?.digest)
            if path != "-" { try Files.create(path, [UInt8](xml.utf8)) }
            if path == "-" { try StandardStream.output.write(xml) }
        }
        if options.json == "-" { return try StandardStream.output.write(json) }
        if let path = options.json { try Files.create(path, json) }
        if options.junit == "-" { return }
        let output = StandardStream.output
        let (width, colour) = (output.columns ?? 120, output.takesColour)
        let list = VerdictsReport(width: width, colour: colour).text(for: listing)
        try output.write(
            list + (list.isEmpty ? "" : "\n")
                + FindingsReport(width: width, colour: colour).text(for: findings, outcomes: outcomes)
                + (seal.map { "\n" + $0.text } ?? ""))
    }

    /// Why findings prove nothing from which events are missing; nil if none are.
    static func doubt(lost: UInt64) -> String? { lost > 0 ? "\(lost) events are missing in the transcript" : nil }

    /// Why the whole proves nothing.
    private var problem: String? {
        if isInterrupted { return "the experiment was interrupted" }
        if let doubt { return doubt }
        return baselineFailed ? "the command fails without interception too" : nil
    }
}

extension Conclusion {
    /// Whether the evidence decides.
    fileprivate var isConclusive: Bool {
        switch self {
        case .pinned, .notPinned, .brokenValidation: true
        case .inconclusive, .notExercised: false
        }
    }
}
