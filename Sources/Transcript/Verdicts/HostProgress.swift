public import Wire

/// How far the evidence of a host has come: what a scheduler needs to know that cannot ask the client again.
public struct HostProgress: Sendable, Equatable {
    /// The phases in which another connection may still settle something.
    public var open: Set<ExperimentPhase>
    /// How many client stacks were seen at the host.
    public var stacks: Int

    /// Joins what is open with how many stacks there are.
    public init(open: Set<ExperimentPhase>, stacks: Int) {
        self.open = open
        self.stacks = stacks
    }
}

extension RunVerdicts {
    /// What is still open at a host, its open connections as far as they have come.
    ///
    /// The baseline is settled once the host is seen to work without interception; the other phases once every client
    /// stack that was seen there is known to accept, or to reject.
    public func progress(at host: HostName) -> HostProgress {
        let tally = tally(of: host)
        guard let counted = tally.hosts[host] else {
            return HostProgress(open: Set(ExperimentPhase.allCases), stacks: 0)
        }
        var open: Set<ExperimentPhase> = counted.worksWithoutProxy == true ? [] : [.baseline]
        // Connections that never came to a hello are no client stack.
        let units = tally.units.filter { $0.key.stack != nil }.values
        for (phase, evidence) in [(ExperimentPhase.untrusted, \Tally.Unit.untrusted), (.trusted, \.trusted)] {
            let hostAccepted = counted.accepted[phase, default: 0] > 0
            let isSettled = units.allSatisfy {
                Conduct(
                    $0[keyPath: evidence], hostAccepted: hostAccepted, leavesUnused: counted.leavesUnused
                ).isSettled
            }
            if units.isEmpty || !isSettled { open.insert(phase) }
        }
        return HostProgress(open: open, stacks: units.count)
    }
}

extension Conduct {
    /// Whether further connections add nothing.
    fileprivate var isSettled: Bool { self == .accepts || self == .rejects }
}
