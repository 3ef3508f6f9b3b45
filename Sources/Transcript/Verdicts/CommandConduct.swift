/// How the commands of an experiment ended, as far as that bears on what their connections showed.
public struct CommandConduct: Sendable, Equatable {
    /// The phases in which a command was ended by a signal: what its connections did then was not its will.
    public var crashed: Set<ExperimentPhase>
    /// The phases in which a command failed, by its own account.
    public var failed: Set<ExperimentPhase>

    /// Joins both; without commands there is nothing to know.
    public init(crashed: Set<ExperimentPhase> = [], failed: Set<ExperimentPhase> = []) {
        self.crashed = crashed
        self.failed = failed
    }
}

extension CommandEnded {
    /// Whether a signal ended the command: itself, or what a shell ran for it, which then exits with 128 and the signal's
    /// number (POSIX, Shell Command Language, 2.8.2).
    var isCrash: Bool {
        switch ending {
        case .signal: true
        case .exit(let status): (129...159).contains(status)
        case .timeLimit, .interrupted: false
        }
    }
}
