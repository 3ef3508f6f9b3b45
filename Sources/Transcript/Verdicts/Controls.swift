import Wire

/// Draws findings from what was counted, by the control rule: nothing is called pinned unless the client works without us
/// and is shown to trust the CA that it refuses.
struct Controls {
    private let tally: Tally
    private let baselineFailed: Bool
    private let commands: CommandConduct
    /// Where each client stack took the trusted CA after it had refused the other one; two hosts are enough, since one of
    /// them is not the host in question.
    private var trustedElsewhere: [String: [(host: HostName, connection: UInt64)]] = [:]
    /// Where a control took the trusted CA, and no other.
    private var controls: [Control] = []

    private struct Control {
        let host: HostName
        let connection: UInt64
        let stack: String?
        let isCommand: Bool
    }

    init(_ tally: Tally, controlHosts: Set<HostName>, baselineFailed: Bool, commands: CommandConduct) {
        self.tally = tally
        self.baselineFailed = baselineFailed
        self.commands = commands
        for unit in tally.unitOrder {
            guard let stack = unit.stack, let counted = tally.units[unit], let first = counted.firstTrusted,
                counted.tellsCAsApart, trustedElsewhere[stack, default: []].count < 2
            else { continue }
            trustedElsewhere[stack, default: []].append((unit.host, first))
        }
        for (host, control) in tally.controls where !control.acceptedUntrusted {
            // What takes anything shows nothing.
            controls += Self.controls(host, control.firstTrusted, isCommand: true)
        }
        for host in tally.hostOrder where controlHosts.contains(host) {
            guard let counted = tally.hosts[host], counted.accepted[.untrusted, default: 0] == 0 else { continue }
            controls += Self.controls(host, counted.firstTrusted, isCommand: false)
        }
        controls.sort { $0.connection < $1.connection }
    }

    private static func controls(_ host: HostName, _ firsts: [String?: UInt64], isCommand: Bool) -> [Control] {
        firsts.map { Control(host: host, connection: $0.value, stack: $0.key, isCommand: isCommand) }
    }

    /// A finding for every host and client stack, and one for every host at which no stack was seen.
    var findings: [Finding] {
        var stacks: [HostName: [Finding.Unit]] = [:]
        for unit in tally.unitOrder { stacks[unit.host, default: []].append(unit) }
        let all = tally.hostOrder.flatMap { host in
            var units = stacks[host] ?? [Finding.Unit(host: host, stack: nil)]
            // Connections that never came to a hello say nothing beside those that did.
            if units.contains(where: { $0.stack != nil }) { units.removeAll { $0.stack == nil } }
            return compared(units.map(finding))
        }
        // A command that fails elsewhere fails for that.
        let refuses = { (evidence: PhaseEvidence) in evidence.firm &+ evidence.silent > 0 }
        let failsElsewhere: [Conclusion.Proof: Bool] = [
            .notPinned: all.contains { refuses($0.trusted) }, .broken: all.contains { refuses($0.untrusted) },
        ]
        return all.map { finding in
            guard let proof = finding.conclusion.proof, failsElsewhere[proof] == true else { return finding }
            var finding = finding
            finding.candidateCauses.removeAll { $0 == .lateCheck }
            return finding
        }
    }

    /// Notes where the client stacks of one host differ in what is proved of them.
    private func compared(_ findings: [Finding]) -> [Finding] {
        let kinds = Set(findings.compactMap(\.conclusion.proof))
        guard kinds.count > 1 else { return findings }
        return findings.map { finding in
            var finding = finding
            finding.stacksDiffer = finding.conclusion.proof != nil
            return finding
        }
    }

    private func finding(_ unit: Finding.Unit) -> Finding {
        let host = tally.hosts[unit.host] ?? Tally.Host()
        let counted = tally.units[unit] ?? Tally.Unit()
        var finding = Finding(
            unit: unit, ports: host.ports.sorted(), conclusion: conclusion(unit, counted, host), stacksDiffer: false,
            baseline: host.baseline, untrusted: counted.untrusted, trusted: counted.trusted, candidateCauses: [])
        finding.candidateCauses = CandidateCause.remaining(finding, commands)
        return finding
    }

    /// The table of findings, row by row.
    private func conclusion(_ unit: Finding.Unit, _ counted: Tally.Unit, _ host: Tally.Host) -> Conclusion {
        let untrusted = conduct(.untrusted, counted.untrusted, host)
        let trusted = conduct(.trusted, counted.trusted, host)
        if let reason = notExercised(counted, untrusted, trusted) { return .notExercised(reason) }
        let works = baselineFailed ? false : host.worksWithoutProxy
        if works == false { return .inconclusive(.failsWithoutProxy) }
        // Whatever else it did: it gave data to somebody whom nothing vouched for.
        let takesAnything = untrusted == .accepts || counted.untrusted.accepted > 0 && counted.untrusted.firm > 0
        if takesAnything { return .brokenValidation(rejectsTrusted: trusted == .rejects) }
        if let reason = untrusted.doubt(in: .untrusted) { return .inconclusive(reason) }
        // From here on it rejects the CA that it was not given.
        if trusted == .accepts { return .notPinned }
        if let reason = trusted.doubt(in: .trusted) { return .inconclusive(reason) }
        if works == nil { return .inconclusive(.baselineMissing) }
        return trust(unit, counted).map(Conclusion.pinned) ?? .inconclusive(.trustNotShown)
    }

    private func conduct(_ phase: ExperimentPhase, _ evidence: PhaseEvidence, _ host: Tally.Host) -> Conduct {
        Conduct(
            evidence, hostAccepted: host.accepted[phase, default: 0] > 0, leavesUnused: host.leavesUnused,
            hasCrashed: commands.crashed.contains(phase))
    }

    /// By what the client is shown to trust the CA that it was given; nil if nothing shows it.
    ///
    /// A host where the client takes the untrusted CA as well shows nothing, and neither does one where that was not tried.
    private func trust(_ unit: Finding.Unit, _ counted: Tally.Unit) -> TrustEvidence? {
        let elsewhere = unit.stack.flatMap { trustedElsewhere[$0] }?.first { $0.host != unit.host }
        if let elsewhere { return .otherHost(elsewhere.host, connection: elsewhere.connection) }
        let others = controls.filter { $0.isCommand || $0.host != unit.host }
        // One of the same stack shows more than one of another.
        if let control = others.first(where: { $0.stack == unit.stack }) ?? others.first {
            return .control(
                control.host, connection: control.connection, isSameStack: control.stack == unit.stack)
        }
        return counted.trusted.refusesOtherwise(than: counted.untrusted) ? .otherRefusal : nil
    }

    private func notExercised(
        _ counted: Tally.Unit, _ untrusted: Conduct, _ trusted: Conduct
    ) -> NotExercisedReason? {
        guard untrusted == .untested, trusted == .untested else { return nil }
        let connections = counted.untrusted.connections &+ counted.trusted.connections
        if connections == 0 { return .neverConnected }
        let isAll = { (reason: NotTestedReason) in
            counted.untrusted.untested { $0 == reason } &+ counted.trusted.untested { $0 == reason } == connections
        }
        if isAll(.tunnelled) { return .tunnelled }
        if isAll(.refused) { return .refused }
        return .certificateNeverShown
    }
}

extension Tally.Unit {
    /// Whether the client took the trusted CA and turned away from the other one.
    fileprivate var tellsCAsApart: Bool {
        trusted.accepted > 0 && trusted.firm == 0 && untrusted.accepted == 0 && untrusted.firm &+ untrusted.silent > 0
    }
}

extension Conduct {
    /// Why this conduct in a phase decides nothing; nil if it does.
    fileprivate func doubt(in phase: ExperimentPhase) -> InconclusiveReason? {
        switch self {
        case .accepts, .rejects: nil
        case .originFailed: .originRefusesProxy
        case .mixed: .mixedConduct(phase)
        case .unused: .unusedConnections(phase)
        case .crashed: .commandCrashed(phase)
        case .suspected: .tooFewRepeats(phase)
        case .leftAfterSending: .leftAfterSending(phase)
        case .idle: .onlyIdle(phase)
        case .untested: .untested(phase)
        }
    }
}

extension Conclusion {
    /// What a conclusion proves of a client, for comparison.
    fileprivate enum Proof {
        case pinned, notPinned, broken
    }

    fileprivate var proof: Proof? {
        switch self {
        case .pinned: .pinned
        case .notPinned: .notPinned
        case .brokenValidation: .broken
        case .inconclusive, .notExercised: nil
        }
    }
}
