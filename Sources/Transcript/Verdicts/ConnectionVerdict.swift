public import Wire

/// What one connection of an experiment showed: the smallest piece of evidence.
public struct ConnectionVerdict: Sendable, Equatable {
    /// The number of the connection within the run.
    public var connection: UInt64
    /// The phase in which it was.
    public var phase: ExperimentPhase
    /// What the client asked for; nil if it never did.
    public var endpoint: Endpoint?
    /// The client stack, as JA4; nil without a hello, and in a tunnel, which nobody looks into.
    public var stack: String?
    /// What it showed.
    public var verdict: Verdict
    /// Whether the origin failed, or ended before the client did.
    public var originFailed: Bool
    /// Whether the handshake was done and no application protocol agreed on, though the client offered some.
    public var lacksProtocol: Bool
    /// Whether a rule has the proxy answer in the origin's place.
    var isAnsweredByRule: Bool
    var tunnel: TunnelTraffic?
    var helloLength: UInt64?

    /// Reads what a fold has found so far.
    init(_ fold: VerdictFold, connection: UInt64, phase: ExperimentPhase) {
        self.connection = connection
        self.phase = phase
        endpoint = fold.endpoint
        stack = fold.stack
        verdict = fold.verdict
        originFailed = fold.originFailed
        lacksProtocol = fold.lacksProtocol
        isAnsweredByRule = fold.decision == .answer
        tunnel = fold.tunnel
        helloLength = fold.hello?.length
    }
}
