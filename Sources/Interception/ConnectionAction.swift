public import Transcript
public import Wire

/// What the engine is to do for a connection: the only way out of a `ConnectionMachine`.
public enum ConnectionAction: Sendable, Equatable {
    /// Choose the phase of the experiment that a connection to this endpoint is for; answer with `assigned`.
    case assignPhase(Endpoint)
    /// Resolve and connect; answer with `connected` or `connectFailed`.
    case connect(Endpoint)
    /// Send these plain bytes to the client.
    case reply([UInt8])
    /// Start TLS with the origin; answer with `originSecured`, `originFailed` or `ended(.origin, ...)`.
    ///
    /// The endpoint has the name that the origin is asked for and verified against.
    case secureOrigin(Endpoint, alpn: [[UInt8]])
    /// Close the connection to the origin and make another one; answer with `connected` or `connectFailed`.
    case reconnect(Endpoint)
    /// Keep in mind, for later connections to this endpoint, that its origin took a hello without HTTP/2 and not the one
    /// with it.
    case rememberRefusal(Endpoint)
    /// Make the leaf that the client will see, for the name of this endpoint; answer with `forged` or `forgeFailed`.
    case forge(Endpoint, key: LeafKey)
    /// Start TLS with the client, whose bytes so far are these; answer with `clientSecured`, `clientFailed` or
    /// `ended(.client, ...)`.
    case secureClient(alpn: [UInt8]?, received: [UInt8])
    /// Carry bytes both ways from now on; on a raw relay these bytes of the client come first.
    case relay(secured: Bool, received: [UInt8])
    /// Pass on to the client what the origin said before the relay began.
    case deliver([UInt8])
    /// Answer the client's requests inside its TLS session with this page, those that the origin had no answer for
    /// first.
    case serve(Page, PageProtocol)
    /// Read on from the peer of this side, or stop reading.
    case read(Side, Bool)
    /// Read what the peer of this side still sends, for its end alone.
    case discard(Side)
    /// Flush what waits for the peer of this side, then end our direction in this way; answer with `finished`.
    ///
    /// After `.proxy` (close_notify and FIN) and `.timeout` (FIN alone) what the peer still says is dropped.
    case finish(Side, End)
    /// Arm the connection's one timer.
    case arm(TimeLimit)
    /// Record what happened.
    case record(Event.Kind)
    /// Record the hello with its fingerprints.
    case recordHello(ClientHello)
    /// Release everything; nothing follows.
    case close(ConnectionEnd)
}

/// The time limits of a connection, one for each phase.
public enum TimeLimit: Sendable, Equatable, CaseIterable {
    /// From accept to a whole CONNECT request.
    case greeting
    /// Resolving and connecting to the origin.
    case connect
    /// From the answer to CONNECT to the first byte of either side.
    case silence
    /// From the client's first byte to the whole ClientHello.
    case hello
    /// A TLS handshake.
    case handshake
    /// Without a byte in either direction.
    case idle
    /// After the end, without a byte being delivered.
    case drain
}

/// The kind of key that a forged leaf has.
public enum LeafKey: String, Sendable, Equatable {
    /// ECDSA on P-256.
    case p256
    /// RSA with 2048 bits, for clients that take nothing else.
    case rsa2048
}

/// Who ended a connection first, where, and how both directions ended.
public struct ConnectionEnd: Sendable, Equatable {
    /// Who ended it first.
    public var by: Party
    /// The phase in which that was.
    public var phase: Phase
    /// How the client's direction ended.
    public var client: End?
    /// How the origin's direction ended.
    public var origin: End?

    /// Joins how a connection ended.
    public init(by: Party, phase: Phase, client: End?, origin: End?) {
        self.by = by
        self.phase = phase
        self.client = client
        self.origin = origin
    }
}
