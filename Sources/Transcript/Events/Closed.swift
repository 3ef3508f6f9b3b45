/// The end of a connection.
public struct Closed: Sendable, Equatable {
    /// Who ended it first.
    public var by: Party
    /// The phase in which that was.
    public var phase: Phase
    /// How the client's direction ended; nil if it never did.
    public var client: End?
    /// How the origin's direction ended; nil if it never did or there was no origin.
    public var origin: End?
    /// Application bytes from the client (plaintext on an intercepted connection, raw bytes in a tunnel).
    public var clientBytes: UInt64
    /// Application bytes from the origin.
    public var originBytes: UInt64
    /// How long the connection lived, in nanoseconds.
    public var nanoseconds: UInt64

    /// Joins how a connection ended.
    public init(
        by: Party, phase: Phase, client: End?, origin: End?, clientBytes: UInt64, originBytes: UInt64,
        nanoseconds: UInt64
    ) {
        self.by = by
        self.phase = phase
        self.client = client
        self.origin = origin
        self.clientBytes = clientBytes
        self.originBytes = originBytes
        self.nanoseconds = nanoseconds
    }
}
