public import Wire

/// Folds the events of an experiment into verdicts and findings, from the events alone: which connection belongs to which
/// phase, what was a control, and whether the command works without us are all in them.
public struct ExperimentVerdicts: Sendable {
    /// The verdicts of the connections so far.
    public private(set) var run: RunVerdicts
    /// Whether the command failed in the baseline, by its own account, and not for want of an origin that the proxy answers
    /// for.
    public var baselineFailed: Bool { commands.failed.contains(.baseline) && !run.lacksOrigins }
    private var commands = CommandConduct()
    /// The name that the user gave the run.
    public private(set) var label: String?
    /// Whether every connection says its own phase.
    private var rotatesPhases = false
    /// Whether the experiment was ended before it was over.
    public private(set) var isInterrupted = false
    /// The hosts that stand for the client's ordinary trust.
    public private(set) var controlHosts: Set<HostName> = []
    /// The command that runs, or ran last; nil before the first.
    public private(set) var current: CommandStarted?
    /// For each open connection, the phase that it began in; bounded as the verdicts' own connections are.
    private var owners: OpenConnections<Owner>

    private struct Owner {
        var phase: ExperimentPhase
        let isControl: Bool
    }

    /// Starts with nothing counted.
    ///
    /// - Parameters:
    ///   - hostLimit: How many hosts are counted, and how many pairs of host and client stack.
    ///   - openLimit: How many open connections are followed at most; of more, the oldest are forgotten.
    public init(hostLimit: Int = 10_000, openLimit: Int = 65_536) {
        run = RunVerdicts(hostLimit: hostLimit, openLimit: openLimit)
        owners = OpenConnections(limit: openLimit)
    }

    /// How many connections are open.
    public var openConnections: Int { owners.count }

    /// Takes the next event into account.
    ///
    /// - Parameter event: What happened. Connections before the first command are nobody's, and count for nothing.
    /// - Returns: The connection's verdict if the event closed it.
    @discardableResult
    public mutating func add(_ event: Event) -> ConnectionVerdict? {
        guard let connection = event.connection else {
            note(event.kind)
            // The phase of an event that is no connection's makes no difference.
            return run.add(event, phase: current?.phase ?? .baseline)
        }
        switch event.kind {
        case .opened:
            if let current {
                owners.insert(Owner(phase: current.phase, isControl: current.isControl), for: connection)
            } else if rotatesPhases {
                // Its own phase is said once it has named a host, and without one it counts for nothing.
                owners.insert(Owner(phase: .baseline, isControl: false), for: connection)
            }
        case .phase(let phase, _): owners.update(connection) { $0.phase = phase }
        default: break
        }
        guard let owner = owners[connection] else { return nil }
        if case .closed = event.kind { _ = owners.remove(connection) }
        return run.add(event, phase: owner.phase, isControl: owner.isControl)
    }

    /// What all connections so far prove.
    ///
    /// - Returns: A finding for each host and client stack, hosts in the order in which they were first counted.
    public var findings: [Finding] {
        run.findings(controlHosts: controlHosts, baselineFailed: baselineFailed, commands: commands)
    }

    private mutating func note(_ kind: Event.Kind) {
        switch kind {
        case .runStarted(let run):
            label = run.label
            rotatesPhases = run.rotatesPhases
        case .commandStarted(let command):
            current = command
            controlHosts.formUnion(command.controlHosts.compactMap { HostName($0) })
        case .commandEnded(let command):
            if command.ending == .interrupted { isInterrupted = true }
            guard let current, !current.isControl else { return }
            if command.isCrash { commands.crashed.insert(current.phase) }
            if command.isFailure { commands.failed.insert(current.phase) }
        default: break
        }
    }
}
