internal import Engine
internal import Transcript
internal import Wire

/// Which phase comes next at each host, for clients that cannot be restarted: baseline, untrusted, trusted and again, each
/// for as long as it may still settle something.
///
/// Pure: what is still open is said by whoever counts the evidence.
struct PhaseOrder {
    private struct Host {
        var last: ExperimentPhase?
        var given: [ExperimentPhase: Int] = [:]
    }

    /// How many connections of a phase are given to a host for each client stack before they are taken to settle nothing.
    static let patience = 8
    /// How many stacks are waited for: browsers show a new one in every other connection.
    private static let stackLimit = 4

    private var hosts: [HostName: Host] = [:]
    private let hostLimit: Int

    /// Starts with no host known; of more than `hostLimit` the further ones are left alone.
    init(hostLimit: Int = 10_000) { self.hostLimit = hostLimit }

    /// The phase of the next connection to a host.
    mutating func next(at host: HostName, _ progress: HostProgress) -> PhaseAssignment {
        guard hosts[host] != nil || hosts.count < hostLimit else { return Self.leftAlone }
        var state = hosts[host] ?? Host()
        let limit = Self.patience * min(max(progress.stacks, 1), Self.stackLimit)
        let phase = Self.order(after: state.last).first { phase in
            progress.open.contains(phase) && state.given[phase, default: 0] < limit
        }
        guard let phase else { return Self.leftAlone }
        state.last = phase
        state.given[phase, default: 0] += 1
        hosts[host] = state
        return PhaseAssignment(phase, isEvidence: true)
    }

    /// Where nothing is left to be shown the client is to work.
    private static let leftAlone = PhaseAssignment(.baseline, isEvidence: false)

    private static func order(after last: ExperimentPhase?) -> [ExperimentPhase] {
        let all = ExperimentPhase.allCases
        guard let last, let index = all.firstIndex(of: last) else { return all }
        return Array(all[(index + 1)...] + all[...index])
    }
}
