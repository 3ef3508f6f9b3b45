public import Wire

/// One connection in short, as it was when it closed: what the live view prints.
public struct ConnectionLine: Sendable, Equatable {
    /// What a handshake agreed on, in short.
    public struct Session: Sendable, Equatable {
        /// The protocol version as on the wire.
        public var version: UInt16
        /// The application protocol, if one was agreed.
        public var alpn: String?

        /// Joins what a handshake agreed on.
        public init(version: UInt16, alpn: String?) {
            self.version = version
            self.alpn = alpn
        }
    }

    /// The number of the connection within the run.
    public var connection: UInt64
    /// When it closed: microseconds since 1970-01-01 UTC on the wall clock.
    public var wall: Int64
    /// How it ended, and what it carried.
    public var closed: Closed
    /// The client's address.
    public var client: String?
    /// The target as the client sent it, clipped if it is long.
    public var target: String?
    /// What the target was understood as.
    public var endpoint: Endpoint?
    /// What the rules decided.
    public var decision: Decision?
    /// The rule that decided.
    public var rule: String?
    /// The server name of the client's hello, if that is another one than the host that it asked the proxy for; clipped if
    /// it is long.
    public var serverName: String?
    /// The client stack: JA4 of the hello, clipped if it is long; nil without a hello.
    public var stack: String?
    /// Whether the origin was not offered HTTP/2, because it ends handshakes that do.
    public var withheldHTTP2 = false
    /// What is in the tunnel, if it is not TLS.
    public var content: TunnelContent?
    /// What the handshake with the client agreed on, if it finished.
    public var clientSession: Session?
    /// What the handshake with the origin agreed on, if it finished.
    public var originSession: Session?
    /// By what the origin's certificate was accepted, if it was.
    public var originProof: OriginProof?
    /// The faults of the origin's certificate that the leaf for the client was given too.
    public var mirroredFaults: [OriginFault] = []
    /// The status of the page with which the proxy itself answered, if it did.
    public var answered: Int?
    /// The first failure, from which the others follow; its texts clipped if they are long.
    public var failure: Failure?
    /// The phase of an experiment that it was for, if it was for one.
    public var phase: ExperimentPhase?
    /// What its events show of its client; nil if nothing is known of it.
    public var verdict: Verdict?
    /// What was recorded as its verdict when it ended, if anything was.
    public var recordedVerdict: RecordedVerdict?

    /// Starts from how the connection ended; what else is known of it is set afterwards.
    public init(connection: UInt64, wall: Int64, closed: Closed) {
        self.connection = connection
        self.wall = wall
        self.closed = closed
    }

    /// Whether events of it may be missing, so that those that are left decide nothing.
    public var lacksEvents: Bool { verdict == .notTested(.eventsMissing) }

    /// What it showed of its client, by name and in words: what its events show, or where they decide nothing, what was
    /// recorded when it ended.
    public var judgement: RecordedVerdict? {
        lacksEvents ? recordedVerdict ?? verdict.map(RecordedVerdict.init) : verdict.map(RecordedVerdict.init)
    }
}
