internal import Engine
internal import Experiment
internal import Foundation
internal import Report
internal import Synchronization
internal import Transcript

/// What `pinproof proxy --phases` shows: what is known of every host, kept up to date in place on a terminal, a line for
/// each change elsewhere; and the findings in the end.
final class PhasesOutput: ProxyOutput {
    private let options: ProxyOptions
    private let expectations: Expectations?
    private let scheduler: PhaseScheduler
    private let board: TerminalBoard?
    private let state = Mutex(State())

    private struct State {
        var lines = ConnectionFold()
        /// What was last said of each host and client stack.
        var said: [Finding.Unit: Conclusion] = [:]
    }

    /// Shows what a scheduler knows, which is given the same events before this is.
    init(_ options: ProxyOptions, expectations: Expectations?, scheduler: PhaseScheduler) {
        self.options = options
        self.expectations = expectations
        self.scheduler = scheduler
        board = StandardStream.output.isTerminal && !options.json ? TerminalBoard(.output) : nil
    }

    func consume(_ events: [Event]) {
        guard !options.quiet else { return }
        let findings = scheduler.verdicts.findings
        let lines = state.withLock { state in
            let lines = options.json ? events.compactMap { state.lines.add($0) } : []
            return lines.map { JSONReport().line(for: $0) }
                + (options.json || board != nil ? [] : changes(findings, &state))
        }
        // A reader that is gone must not end the recording.
        if let board {
            try? board.show(findings)
        } else {
            try? StandardStream.output.write(lines.map { $0 + "\n" }.joined())
        }
    }

    /// A line for each finding that is another one than before.
    private func changes(_ findings: [Finding], _ state: inout State) -> [String] {
        let changed = findings.filter { $0.conclusion.isWorthSaying && state.said[$0.unit] != $0.conclusion }
        for finding in changed { state.said[finding.unit] = finding.conclusion }
        let time = Int64(Date.now.timeIntervalSince1970 * 1_000_000)
        return changed.map {
            FindingsReport().line(for: $0, wall: time, secondsFromUTC: TimeZone.current.secondsFromGMT())
        }
    }

    func finish(lost: UInt64, seal: TranscriptSeal?) throws -> ExitCode {
        try board?.clear()
        let report = ExperimentReport(
            scheduler.verdicts, expectations: expectations, only: options.findings.only, isInterrupted: false,
            doubt: ExperimentReport.doubt(lost: lost), seal: seal)
        var findings = options.findings
        if options.json { findings.json = "-" }
        try report.write(findings)
        return report.exitCode
    }
}

extension Conclusion {
    /// Whether it is more than that the host's turn in some phase has not come yet.
    fileprivate var isWorthSaying: Bool {
        switch self {
        case .pinned, .notPinned, .brokenValidation: true
        case .notExercised(let reason): reason == .tunnelled || reason == .refused
        case .inconclusive(let reason):
            switch reason {
            case .untested, .baselineMissing, .failsWithoutProxy, .onlyIdle, .tooFewRepeats: false
            case .trustNotShown, .originRefusesProxy, .mixedConduct, .unusedConnections, .commandCrashed,
                .leftAfterSending:
                true
            }
        }
    }
}
