internal import Experiment
internal import Transcript

/// What `pinproof run` says on standard error while it runs.
struct RunProgress: Sendable {
    let isQuiet: Bool
    let repeats: Int

    /// Says that a run begins; on a terminal only, where its end takes the same line.
    func starting(_ run: CommandStarted) throws {
        guard StandardStream.error.isTerminal, !isQuiet else { return }
        try StandardStream.error.write("\(name(run)) ...\r")
    }

    /// Says how it ended, and what the command complained of if it failed without us.
    func finished(_ outcome: Experiment.Outcome) throws {
        let count = outcome.connections
        try say(
            "\(name(outcome.started)): \(outcome.ended.text), \(count) connection\(count == 1 ? "" : "s")")
        // Once is enough: what it says the next time is the same.
        guard outcome.started.phase == .baseline, outcome.started.run == 1, outcome.ended.isFailure else { return }
        let what = outcome.started.isControl ? "the control" : "the command"
        try StandardStream.error.write(
            "pinproof: warning: \(what) fails without interception too; "
                + (outcome.started.isControl ? "it can show nothing" : "no finding can rest on that") + "\n")
        let said = outcome.error.isEmpty ? outcome.output : outcome.error
        for line in String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(Self.linesShown) {
            try StandardStream.error.write("    \(String(line.prefix(Self.lineLength)).printable)\n")
        }
    }

    /// Says something in a line of its own.
    func say(_ text: String) throws {
        guard !isQuiet else { return }
        try StandardStream.error.write("\(text)\n")
    }

    private func name(_ run: CommandStarted) -> String {
        run.isControl
            ? "\(run.phase.rawValue), control \(run.run)" : "\(run.phase.rawValue), run \(run.run) of \(repeats)"
    }

    private static let linesShown = 10
    private static let lineLength = 400
}

extension CommandEnded {
    /// How a command ended, in words.
    fileprivate var text: String {
        let tenths = nanoseconds / 100_000_000
        let time = "\(tenths / 10).\(tenths % 10) s"
        return switch ending {
        case .exit(let status): "exit \(status) after \(time)"
        case .signal(let number): "ended by signal \(number) after \(time)"
        case .timeLimit: "ended by us when its time was up, after \(time)"
        case .interrupted: "interrupted after \(time)"
        }
    }
}
