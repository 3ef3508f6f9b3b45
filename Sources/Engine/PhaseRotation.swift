public import Authority
public import Transcript
public import Wire

/// How a proxy deals out its connections to the phases of an experiment, for clients that cannot be restarted.
///
/// The proxy's own CA is the one that the client was given.
public struct PhaseRotation: Sendable {
    /// The CA that the client was not given.
    public var untrusted: CertificateAuthority
    /// How long a connection may carry nothing that is only there for its evidence: a client that keeps one open asks for
    /// no other.
    public var idle = Duration.seconds(5)
    /// Chooses the phase for the next connection to an endpoint; called on the proxy's loops, so it must not wait.
    public var assign: @Sendable (Endpoint) -> PhaseAssignment

    /// Joins the CA with who chooses.
    public init(untrusted: CertificateAuthority, assign: @escaping @Sendable (Endpoint) -> PhaseAssignment) {
        self.untrusted = untrusted
        self.assign = assign
    }
}

/// What a connection is for.
public struct PhaseAssignment: Sendable, Equatable {
    /// The phase.
    public var phase: ExperimentPhase
    /// Whether the connection is there for its evidence; otherwise all is known of its host, and it is left alone.
    public var isEvidence: Bool

    /// Joins a phase with why it was chosen.
    public init(_ phase: ExperimentPhase, isEvidence: Bool) {
        self.phase = phase
        self.isEvidence = isEvidence
    }
}
