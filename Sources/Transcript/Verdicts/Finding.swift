public import Wire

/// What all connections of one host and client stack, with their controls, prove.
///
/// A client *rejects* in a phase if it turned away with an alert about certificates once, or silently at least twice while
/// no connection to the host was accepted. One that leaked is never taken to accept: with an alert it rejected and leaked,
/// and the leak is counted; without one it may have refused, or said all that it wanted, so the phase stays open. What the
/// origin's failure may have brought about is never held against the client.
public struct Finding: Sendable, Equatable {
    /// What it is about: one client stack at one host.
    public struct Unit: Sendable, Hashable {
        /// The host, whatever the port.
        public var host: HostName
        /// The client stack, as JA4; nil for connections without a hello.
        public var stack: String?

        /// Joins a host and a client stack.
        public init(host: HostName, stack: String?) {
            self.host = host
            self.stack = stack
        }
    }

    /// What it is about.
    public var unit: Unit
    /// The ports that were asked for at the host, in ascending order; the first few if there are many.
    public var ports: [UInt16]
    /// What is proved, or why nothing is.
    public var conclusion: Conclusion
    /// Whether another client stack at the host came to another conclusion, such as an unpinned web view beside a pinned
    /// API client.
    public var stacksDiffer: Bool
    /// The tunnels to the host: of whichever client stack, since nobody looks into a tunnel.
    public var baseline: PhaseEvidence
    /// What the client did with a CA that it was not given.
    public var untrusted: PhaseEvidence
    /// What the client did with the CA that it was given.
    public var trusted: PhaseEvidence
    /// What else may be the cause of the refusals, as far as the evidence does not rule it out; the likeliest first.
    public var candidateCauses: [CandidateCause]

    /// The evidence of a phase.
    public func evidence(_ phase: ExperimentPhase) -> PhaseEvidence {
        switch phase {
        case .baseline: baseline
        case .untrusted: untrusted
        case .trusted: trusted
        }
    }
}

/// What the evidence of a host and client stack proves.
public enum Conclusion: Sendable, Equatable {
    /// The client refuses a certificate of a CA that it trusts.
    case pinned(TrustEvidence)
    /// The client takes what a CA that it trusts signs: ordinary validation only.
    case notPinned
    /// The client takes anything; it may still refuse the CA that it was given.
    case brokenValidation(rejectsTrusted: Bool)
    /// The evidence does not decide.
    case inconclusive(InconclusiveReason)
    /// There is no evidence.
    case notExercised(NotExercisedReason)
}

/// By what it is shown that the client trusts the CA that it was given.
public enum TrustEvidence: Sendable, Equatable {
    /// The same client stack took it, and refused the other one, on this other host; one of those connections.
    case otherHost(HostName, connection: UInt64)
    /// A control took it; one of those connections, and whether its client stack is the one in question.
    case control(HostName, connection: UInt64, isSameStack: Bool = true)
    /// The client refuses the two CAs in different ways.
    case otherRefusal
}

/// Why the evidence does not decide.
public enum InconclusiveReason: Sendable, Equatable, Hashable {
    /// The client may not trust the CA that it was given.
    case trustNotShown
    /// The origin fails, or refuses the proxy, though the client works without it.
    case originRefusesProxy
    /// The client does not work without us either.
    case failsWithoutProxy
    /// It was not seen whether the client works without us.
    case baselineMissing
    /// Some connections to the host were accepted in this phase, and some not.
    case mixedConduct(ExperimentPhase)
    /// The client left silently, and it leaves connections to the host unused without interception too.
    case unusedConnections(ExperimentPhase)
    /// The client left silently in this phase, and a command of it crashed.
    case commandCrashed(ExperimentPhase)
    /// One silent end in this phase is only suspected.
    case tooFewRepeats(ExperimentPhase)
    /// In this phase the client sent data and left before any answer.
    case leftAfterSending(ExperimentPhase)
    /// In this phase there were only connections on which the client did nothing.
    case onlyIdle(ExperimentPhase)
    /// In this phase nothing was shown of how the client takes a certificate.
    case untested(ExperimentPhase)
}

/// Why there is no evidence.
public enum NotExercisedReason: String, Sendable, Equatable, CaseIterable {
    /// The client never connected to the host, except in the baseline.
    case neverConnected
    /// A rule relays the host untouched.
    case tunnelled
    /// A rule refuses the host.
    case refused
    /// Nothing came to where a certificate is shown.
    case certificateNeverShown
}

/// What may be behind a refusal other than a pin.
public enum CandidateCause: String, Sendable, Equatable, CaseIterable {
    /// The client does not trust the CA.
    case untrustedCA
    /// The CA has expired, or is not valid yet, by the client's clock.
    case authorityValidity
    /// The leaf is valid for longer than the client allows, or not yet or no longer by the client's clock.
    case leafLifetime
    /// The client wants proof of certificate transparency.
    case missingTransparency
    /// The client did not get the protocol or version that it wants.
    case protocolOrVersion
    /// The client's rule for names: wildcards, addresses, underscores, the common name.
    case namingRule
    /// The origin failed.
    case originFailure
    /// Sessions were resumed, so that no certificate was shown.
    case resumption
    /// The client trusts other CAs at this host than where it took this one, or it is another program on the same TLS
    /// library.
    case separateTrust
    /// The client ended for a reason of its own: it crashed, or did not need the connection.
    case otherEnding
    /// The client looks at its pins after it has sent data.
    case lateCheck
}
