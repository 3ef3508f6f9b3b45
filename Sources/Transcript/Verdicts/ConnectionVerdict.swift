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
    /// Whether the connection is over.
    var isOver: Bool
    var helloLength: UInt64?
    var wholeHandshakeLength: UInt64?
    /// Whether the client ended, if it did, right after the handshake: later ends, and those before which something else
    /// happened in the run, may be those of a connection that it did not need.
    var isPrompt: Bool

    /// Reads what a fold has found so far.
    init(_ fold: VerdictFold, connection: UInt64, phase: ExperimentPhase, isPrompt: Bool) {
        self.connection = connection
        self.phase = phase
        endpoint = fold.endpoint
        stack = fold.stack
        verdict = fold.verdict
        originFailed = fold.originFailed
        lacksProtocol = fold.lacksProtocol
        isAnsweredByRule = fold.decision == .answer
        tunnel = fold.tunnel
        isOver = fold.isOver
        helloLength = fold.hello?.length
        wholeHandshakeLength = fold.wholeHandshakeLength
        self.isPrompt = isPrompt
    }
}
