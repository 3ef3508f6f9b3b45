/// How a client behaved in one phase, as far as its connections to one host tell.
enum Conduct: Equatable {
    /// It sent application data and stayed: whatever else there is was unused.
    case accepts
    /// It turned away: firmly, or silently and repeatedly while nobody's connection to the host was accepted.
    case rejects
    /// It did both.
    case mixed
    /// One silent end, which may be anything.
    case suspected
    /// It turned away silently, and that may be what it does with connections that it does not need.
    case unused
    /// It turned away silently, and a command of the phase crashed.
    case crashed
    /// It sent data and left before any answer, which may be a refusal or all that it wanted.
    case leftAfterSending
    /// Only idle connections.
    case idle
    /// Nothing but connections that the origin spoilt.
    case originFailed
    /// Nothing that tells.
    case untested

    /// How often a client must turn away silently: one may be a spare connection that was dropped.
    static let repeatsNeeded: UInt64 = 2

    /// Judges the connections of a phase.
    ///
    /// A client that sent data and then left before any answer, without an alert, is never taken to accept, nor, on that
    /// ground alone, to reject: one that only ever delivers something looks the same. An alert settles it.
    ///
    /// - Parameters:
    ///   - evidence: What the client stack did.
    ///   - hostAccepted: Whether any client stack's connection to the host was accepted in the phase: then silent ends
    ///     prove nothing, since browsers drop spare connections, and their hellos differ from one connection to the next.
    ///   - leavesUnused: Whether connections to the host are left unused in the baseline too.
    ///   - hasCrashed: Whether a command of the phase crashed.
    init(
        _ evidence: PhaseEvidence, hostAccepted: Bool, leavesUnused: Bool = false, hasCrashed: Bool = false
    ) {
        self =
            if evidence.accepted > 0 {
                // As often as not it left after it had sent something: what it does then may be what counts.
                evidence.firm > 0 || evidence.leftAfterSending >= evidence.accepted ? .mixed : .accepts
            } else if evidence.firm > 0 {
                .rejects
            } else if evidence.leftAfterSending > 0 {
                .leftAfterSending
            } else if evidence.silent > 0 {
                if hostAccepted {
                    .mixed
                } else if hasCrashed {
                    .crashed
                } else if leavesUnused {
                    .unused
                } else {
                    evidence.silent >= Self.repeatsNeeded ? .rejects : .suspected
                }
            } else if evidence.excused > 0 || evidence.untested(\.isOriginFailure) > 0 {
                .originFailed
            } else {
                evidence.idle > 0 ? .idle : .untested
            }
    }
}

extension NotTestedReason {
    /// Whether the origin could not be reached.
    var isOriginFailure: Bool {
        if case .originUnreachable = self { true } else { false }
    }
}

extension PhaseEvidence {
    /// Whether turning away in this phase looks different from turning away in another one.
    ///
    /// A client that refuses an unknown CA in one way and this CA in another has told the two apart, so it took this CA
    /// for one that it trusts: curl and OkHttp alert in the first case, and close after Finished in the second. What
    /// counts is the alert's number, or that there was none. Where in the handshake it came, and whether a silent end was
    /// a FIN or a reset, may differ between two runs of the same refusal, so neither counts. Silent ends beside alerts are
    /// dropped spare connections.
    ///
    /// An alert that by its name is about the CA or about the leaf's own quality (43 unsupported, 44 revoked, 45 expired,
    /// 48 unknown CA, 51 a signature that does not verify, 113 an OCSP response) shows no trust, even if it is another one.
    func refusesOtherwise(than other: PhaseEvidence) -> Bool {
        let own = Set(alerts.keys)
        guard own.isDisjoint(with: [43, 44, 45, 48, 51, 113]) else { return false }
        if own.isEmpty { return silent > 0 && other.firm > 0 }
        return other.firm > 0 ? own.isDisjoint(with: other.alerts.keys) : other.silent > 0
    }
}
