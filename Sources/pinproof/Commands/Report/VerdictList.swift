internal import Report
internal import Transcript

/// What every connection of a transcript showed, whether it belongs to an experiment or not.
struct VerdictList {
    /// The verdicts so far; in the order of their numbers once the list is finished.
    private(set) var verdicts: [ListedVerdict] = []
    private let isKept: Bool
    /// Those that are in no phase are folded all the same; which phase is said then makes no difference to a verdict.
    private var others = RunVerdicts()
    private var open: Set<UInt64> = []

    /// Starts an empty list, which stays empty if it is not kept.
    init(isKept: Bool) { self.isKept = isKept }

    /// Takes the next event into account.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - closed: The verdict that the experiment has of the connection that the event closed; nil if it has none.
    mutating func add(_ event: Event, closed: ConnectionVerdict?) {
        guard isKept else { return }
        let other = others.add(event, phase: .untrusted)
        guard let connection = event.connection else { return }
        if case .opened = event.kind { open.insert(connection) }
        guard case .closed = event.kind, open.remove(connection) != nil else { return }
        append(closed, or: other)
    }

    /// Adds the connections that never closed, as far as they have come.
    mutating func finish(_ experiment: ExperimentVerdicts) {
        for connection in open {
            append(experiment.run.verdict(of: connection), or: others.verdict(of: connection))
        }
        open = []
        verdicts.sort { $0.verdict.connection < $1.verdict.connection }
    }

    private mutating func append(_ own: ConnectionVerdict?, or other: ConnectionVerdict?) {
        if let own {
            verdicts.append(ListedVerdict(own, phase: own.phase))
        } else if let other {
            verdicts.append(ListedVerdict(other, phase: nil))
        }
    }
}
