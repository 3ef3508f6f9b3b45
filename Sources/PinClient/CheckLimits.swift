/// How long each phase of a check may take.
public struct CheckLimits: Sendable, Hashable {
    /// Looking the host up.
    public var resolving: Duration
    /// Making the TCP connection, all addresses together.
    public var connecting: Duration
    /// The proxy's answer to CONNECT.
    public var tunnelling: Duration
    /// The TLS handshake.
    public var handshake: Duration
    /// The head of the server's answer.
    public var answer: Duration
    /// Waiting for the server to end the connection too, so that it reads the last alert before it sees an error.
    public var farewell: Duration

    /// Sets the limits; those that are left out suit the internet.
    public init(
        resolving: Duration = .seconds(10), connecting: Duration = .seconds(10), tunnelling: Duration = .seconds(20),
        handshake: Duration = .seconds(20), answer: Duration = .seconds(20), farewell: Duration = .seconds(1)
    ) {
        self.resolving = resolving
        self.connecting = connecting
        self.tunnelling = tunnelling
        self.handshake = handshake
        self.answer = answer
        self.farewell = farewell
    }

    /// Gives every phase the same limit.
    public init(each limit: Duration) {
        self.init(
            resolving: limit, connecting: limit, tunnelling: limit, handshake: limit, answer: limit,
            farewell: min(limit, .seconds(1)))
    }

    func limit(of phase: CheckFailure.Phase) -> Duration {
        switch phase {
        case .resolving: resolving
        case .connecting: connecting
        case .tunnelling: tunnelling
        case .handshake: handshake
        case .answer: answer
        }
    }
}
