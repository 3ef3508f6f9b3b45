internal import Engine
internal import Foundation
internal import Report
internal import Synchronization
internal import Transcript

/// What `pinproof proxy` shows while it runs, and when it is over.
protocol ProxyOutput: EventConsumer {
    /// Prints what the run came to.
    ///
    /// - Parameters:
    ///   - lost: How many events are missing.
    ///   - seal: What stands for the transcript; nil without one.
    /// - Returns: The exit code that stands for it.
    /// - Throws: `CommandError` if it cannot be written.
    func finish(lost: UInt64, seal: TranscriptSeal?) throws -> ExitCode
}

/// A line for every connection that closed, and a summary for every host.
final class LiveOutput: ProxyOutput {
    private let json: Bool
    private let quiet: Bool
    private let view: LiveView
    private let state = Mutex(State())

    private struct State {
        var lines = ConnectionFold()
        var summary = RunSummary()
    }

    init(json: Bool, quiet: Bool) {
        self.json = json
        self.quiet = quiet
        view = LiveView(
            colour: StandardStream.output.takesColour, secondsFromUTC: TimeZone.current.secondsFromGMT())
    }

    func consume(_ events: [Event]) {
        let text = state.withLock { state in
            var text = ""
            for event in events {
                state.summary.add(event)
                let line = state.lines.add(event)
                guard !quiet else { continue }
                if let line { text += (json ? JSONReport().line(for: line) : view.line(for: line)) + "\n" }
                if let line = json ? JSONReport().line(for: event) : view.line(for: event) { text += line + "\n" }
            }
            return text
        }
        // A reader that is gone must not end the recording.
        try? StandardStream.output.write(text)
    }

    func finish(lost: UInt64, seal: TranscriptSeal?) throws -> ExitCode {
        let summary = state.withLock { $0.summary }
        if json {
            let lines = seal.map { [JSONReport().line(for: $0)] } ?? []
            try StandardStream.output.write((lines + JSONReport().lines(for: summary)).map { $0 + "\n" }.joined())
        } else {
            try StandardStream.output.write(
                SummaryReport(colour: StandardStream.output.takesColour).text(for: summary) + (seal?.text ?? ""))
        }
        return .asExpected
    }
}
