/// What is known of one of the two sessions of a connection: the facts that are shown and compared.
///
/// An origin may be connected to twice; then this is the second session.
public struct SessionRecord: Sendable, Equatable {
    /// The hello that asked for the session: the client's on the client side, ours on the origin side.
    public var hello: HelloRecord?
    /// The hello that answered: ours on the client side, the origin's on the origin side.
    public var serverHello: ServerHelloRecord?
    /// Whether the server asked for another hello first (RFC 8446 section 4.1.4).
    public var hadRetryRequest = false
    /// What was agreed on, if the handshake finished.
    public var agreed: TLSParameters?
    /// The chain that the server showed, as digests, leaf first.
    public var chain: [String] = []
    /// When it did: microseconds since 1970-01-01 UTC.
    public var chainTime: Int64?
    /// That a client certificate was asked for, and what came of it; of several requests the first.
    public var identity: IdentityExchange?
    /// The alerts that the peer sent, close_notify and user_canceled apart.
    public var peerAlerts: [UInt8] = []
    /// The alerts that we sent, in the same way.
    public var ownAlerts: [UInt8] = []
    /// How the peer first ended.
    public var end: End?
    /// How long the handshake took, in nanoseconds, if it finished.
    public var handshakeTime: UInt64?

    /// Nothing known.
    public init() {}
}
