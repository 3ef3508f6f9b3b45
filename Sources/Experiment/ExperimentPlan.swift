package import Authority
package import Interception
internal import Transcript
internal import Wire

/// What to run, and how often.
package struct ExperimentPlan: Sendable {
    /// The program, found on the PATH, and its arguments.
    package var command: [String]
    /// Commands of the shell that show whether the CA is trusted; each runs once in every phase.
    package var controls: [String] = []
    /// Hosts that stand for the command's ordinary trust.
    package var controlHosts: [String] = []
    /// How often the command runs in each phase: two silent ends make a firm one.
    package var repeats = 2
    /// How long it may run each time.
    package var timeLimit = Duration.seconds(60)
    /// The homes of the runs; nil if the command keeps the user's own.
    package var homes: BrowserHomes?
    /// The variables that Pinproof itself was given.
    package var inherited: [String: String] = [:]

    /// Plans to run a command.
    package init(command: [String]) { self.command = command }

    /// One run of a command.
    struct Step: Sendable, Equatable {
        let phase: ExperimentPhase
        /// Counted from 1 in its phase, controls on their own.
        let run: Int
        let isControl: Bool
        let words: [String]
    }

    /// All runs in their order: phase by phase, the command first.
    var steps: [Step] {
        ExperimentPhase.allCases.flatMap { phase in
            (0..<repeats).map { Step(phase: phase, run: $0 + 1, isControl: false, words: command) }
                + controls.enumerated().map { index, control in
                    Step(phase: phase, run: index + 1, isControl: true, words: ["/bin/sh", "-c", control])
                }
        }
    }
}

/// The two CAs of an experiment, made for it: their keys are in memory only.
package struct ExperimentAuthorities: Sendable {
    /// The one that the command is given.
    package let trusted: CertificateAuthority
    /// The one that it is not given.
    package let untrusted: CertificateAuthority

    /// Makes both.
    ///
    /// - Parameter now: Seconds since 1970.
    /// - Throws: `AuthorityError`.
    package init(now: Int64) throws {
        trusted = try CertificateAuthority.ephemeral(name: "Pinproof trusted", now: now)
        untrusted = try CertificateAuthority.ephemeral(name: "Pinproof untrusted", now: now)
    }

    /// Who signs the leaves of a phase; nil where nothing is intercepted.
    func authority(_ phase: ExperimentPhase) -> CertificateAuthority? {
        switch phase {
        case .baseline: nil
        case .untrusted: untrusted
        case .trusted: trusted
        }
    }
}

extension RuleBook {
    /// The rules as the baseline has them: what would be intercepted or answered is relayed, what is refused stays refused.
    package static func baseline(_ rules: [Rule]) -> RuleBook {
        guard let everything = HostPattern("*") else { preconditionFailure("a valid pattern") }
        return RuleBook(
            [Rule(everything, .tunnel)] + rules.map { $0.decision == .refuse ? $0 : Rule($0.pattern, .tunnel) })
    }
}
