public import Wire

/// Folds the events of a whole experiment into a verdict for every connection, and into findings.
///
/// It can be fed live or from a file: findings are a function of the events. It keeps a few hundred bytes for each open
/// connection and a few kilobytes for each host and client stack; both are bounded in number.
public struct RunVerdicts: Sendable {
    /// A connection that is open.
    private struct Open {
        var fold = VerdictFold()
        var phase: ExperimentPhase
        var isControl: Bool
        var departure = DepartureWatch()
        /// How often events were missing before it was opened.
        let missingBefore: UInt64

        /// What it shows, once events were missing so often.
        func verdict(_ connection: UInt64, missing: UInt64) -> ConnectionVerdict {
            var fold = fold
            if missing != missingBefore { fold.noteMissingEvents() }
            return ConnectionVerdict(fold, connection: connection, phase: phase, isPrompt: departure.isPrompt)
        }
    }

    private var open: OpenConnections<Open>
    private var tally: Tally
    private var missing = MissingEvents()
    /// How often a connection was opened, or ended by its client.
    private var activity: UInt64 = 0

    /// Starts with nothing counted.
    ///
    /// - Parameters:
    ///   - hostLimit: How many hosts are counted, and how many pairs of host and client stack.
    ///   - openLimit: How many open connections are followed at most; of more, the oldest are forgotten.
    public init(hostLimit: Int = 10_000, openLimit: Int = 65_536) {
        open = OpenConnections(limit: openLimit)
        tally = Tally(limit: hostLimit)
    }

    /// How many connections named no host, or came when there was room for no more hosts and stacks.
    public var uncounted: UInt64 { tally.uncounted }

    /// Whether the proxy answers for a host whose origin is not there: then a baseline in which that fails says nothing.
    var lacksOrigins: Bool { tally.hosts.values.contains(where: \.lacksOrigin) }

    /// Takes the next event into account.
    ///
    /// - Parameters:
    ///   - event: What happened; connections are numbered once over all phases.
    ///   - phase: The phase that the connection belongs to. Of several that are said, the last one counts: who chooses the
    ///     phase by the host knows it only once the client has asked.
    ///   - isControl: Whether the connection is one of a control command: then it can show that the CA is trusted, and
    ///     counts for no finding.
    /// - Returns: The connection's verdict if the event closed it.
    @discardableResult
    public mutating func add(
        _ event: Event, phase: ExperimentPhase, isControl: Bool = false
    ) -> ConnectionVerdict? {
        guard let connection = event.connection else {
            missing.add(event)
            return nil
        }
        if case .opened = event.kind {
            open.insert(
                Open(phase: phase, isControl: isControl, missingBefore: missing.places), for: connection)
        }
        open.update(connection) {
            $0.phase = phase
            $0.isControl = isControl
            $0.fold.add(event.kind)
            $0.departure.add(event, activity: activity)
        }
        if event.kind.isActivity { activity &+= 1 }
        guard case .closed = event.kind, let closed = open.remove(connection) else { return nil }
        let verdict = closed.verdict(connection, missing: missing.places)
        tally.add(verdict, isControl: closed.isControl)
        return verdict
    }

    /// What an open connection has shown so far; nil if none has this number.
    public func verdict(of connection: UInt64) -> ConnectionVerdict? {
        open[connection]?.verdict(connection, missing: missing.places)
    }

    /// What all connections so far prove, the open ones as far as they have come.
    ///
    /// - Parameters:
    ///   - controlHosts: Hosts that stand for the client's ordinary trust; each has a finding of its own too.
    ///   - baselineFailed: Whether it is known in another way, such as the status of a command, that the client does not
    ///     work without us.
    ///   - commands: How the client's commands ended, if it was run by commands.
    /// - Returns: A finding for each host and client stack, hosts in the order in which they were first counted.
    public func findings(
        controlHosts: Set<HostName> = [], baselineFailed: Bool = false, commands: CommandConduct = CommandConduct()
    ) -> [Finding] {
        var tally = tally
        for (connection, state) in open.all {
            tally.add(state.verdict(connection, missing: missing.places), isControl: state.isControl)
        }
        return Controls(tally, controlHosts: controlHosts, baselineFailed: baselineFailed, commands: commands).findings
    }

    /// What was counted at one host, its open connections as far as they have come.
    func tally(of host: HostName) -> Tally {
        var tally = tally.part(host)
        for (connection, state) in open.all where state.fold.endpoint?.host == host {
            tally.add(state.verdict(connection, missing: missing.places), isControl: state.isControl)
        }
        return tally
    }
}

extension Event.Kind {
    /// Whether a connection came or went.
    fileprivate var isActivity: Bool {
        switch self {
        case .opened, .ended(.client, _, _): true
        default: false
        }
    }
}
