/// A command of an experiment is about to start: the connections that are accepted from here on, up to the next event of
/// this kind, are its own.
public struct CommandStarted: Sendable, Equatable {
    /// The phase that it runs in.
    public var phase: ExperimentPhase
    /// The digest of the CA that signs the leaves of the phase; nil where nothing is intercepted.
    public var authority: String?
    /// Which of the phase's runs it is, counted from 1.
    public var run: Int
    /// Whether it is a control: it can show that the CA is trusted, and counts for no finding.
    public var isControl: Bool
    /// Where its proxy listens.
    public var listener: String
    /// Hosts that stand for the client's ordinary trust.
    public var controlHosts: [String]

    /// Joins what describes a run of a command.
    public init(
        phase: ExperimentPhase, authority: String?, run: Int, isControl: Bool, listener: String, controlHosts: [String]
    ) {
        self.phase = phase
        self.authority = authority
        self.run = run
        self.isControl = isControl
        self.listener = listener
        self.controlHosts = controlHosts
    }
}

/// A command of an experiment is over, and so are its connections.
public struct CommandEnded: Sendable, Equatable {
    /// How a command ended.
    public enum Ending: Sendable, Equatable {
        /// Of its own accord, with this status.
        case exit(Int32)
        /// By a signal that was not ours.
        case signal(Int32)
        /// It was ended when its time was up.
        case timeLimit
        /// It was ended because the experiment was.
        case interrupted
    }

    /// How it ended.
    public var ending: Ending
    /// How long it ran.
    public var nanoseconds: UInt64

    /// Joins how a command ended with how long it ran.
    public init(ending: Ending, nanoseconds: UInt64) {
        self.ending = ending
        self.nanoseconds = nanoseconds
    }

    /// Whether the command itself says that it failed.
    public var isFailure: Bool {
        switch ending {
        case .exit(let status): status != 0
        case .signal: true
        // What never ends by itself, as an app with a window, says nothing by that.
        case .timeLimit, .interrupted: false
        }
    }
}
