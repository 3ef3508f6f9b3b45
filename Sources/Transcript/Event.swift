public import Wire

/// One thing that happened, as it is recorded: the unit of a transcript.
///
/// Everything shown, decided or exported later is a function of these. Field names on disk: `docs/events.md`.
public struct Event: Sendable, Equatable {
    /// The number of the connection within the run; nil for an event of the run itself.
    public var connection: UInt64?
    /// Nanoseconds on the monotonic clock since the run started.
    public var monotonic: UInt64
    /// Microseconds since 1970-01-01 UTC on the wall clock.
    public var wall: Int64
    /// What happened.
    public var kind: Kind

    /// Joins what happened with where and when.
    public init(connection: UInt64?, monotonic: UInt64, wall: Int64, kind: Kind) {
        self.connection = connection
        self.monotonic = monotonic
        self.wall = wall
        self.kind = kind
    }

    /// What happened.
    public enum Kind: Sendable, Equatable {
        /// The run began: the first event of every transcript.
        case runStarted(RunStarted)
        /// The run ended in good order: the last event.
        case runEnded(RunEnded)
        /// Events could not be recorded; as many as this are missing before this line.
        case gap(lost: UInt64)
        /// A client's connection was accepted.
        case opened(client: String, listener: String)
        /// The client asked the proxy for a target; `target` is as it was sent, `endpoint` what it was understood as.
        case requested(method: String, target: String, endpoint: Endpoint?)
        /// The rules decided.
        case decided(Decision, rule: String?)
        /// TCP to the origin stands.
        case connected(origin: String, nanoseconds: UInt64)
        /// The client's whole ClientHello arrived.
        case hello(HelloRecord)
        /// Bytes of a TLS handshake as they were on the wire.
        case wire(Side, Direction, [UInt8])
        /// A handshake message in the clear, header included (RFC 8446 section 4).
        case message(Side, Direction, [UInt8])
        /// An alert (RFC 8446 section 6).
        case alert(Side, Direction, level: UInt8, code: UInt8)
        /// A certificate, recorded before the first event that names its digest.
        case certificate(digest: String, der: [UInt8])
        /// The chain that was presented on a side, leaf first, as SHA-256 digests of the DER in hexadecimal: on the
        /// origin side by the origin, on the client side by the proxy.
        case chain(Side, [String])
        /// A leaf for the client was chosen.
        case forged(host: String, digest: String, key: String, fromCache: Bool)
        /// A handshake finished.
        case secured(Side, TLSParameters)
        /// The first application byte from the peer of this side arrived.
        case firstData(Side)
        /// The proxy itself answered the client with a page.
        case answered(status: Int, reason: String)
        /// The peer of this side ended its direction, in this way.
        case ended(Side, End, Phase)
        /// Something failed.
        case failed(Failure)
        /// The connection is over.
        case closed(Closed)
    }
}

/// One of the two sessions of an intercepted connection.
public enum Side: String, Sendable, Equatable, CaseIterable {
    /// Between the client and the proxy.
    case client
    /// Between the proxy and the origin.
    case origin
}

/// Which way bytes went, seen from the proxy.
public enum Direction: String, Sendable, Equatable {
    /// From the peer to the proxy.
    case received
    /// From the proxy to the peer.
    case sent
}

/// Who did something, or is at fault.
public enum Party: String, Sendable, Equatable {
    /// The app under test.
    case client
    /// The real server.
    case origin
    /// Pinproof itself, or its configuration.
    case proxy
}

/// Where in its life a connection is.
public enum Phase: String, Sendable, Equatable, CaseIterable {
    /// Nothing understood yet.
    case greeting
    /// Resolving and connecting to the origin.
    case connecting
    /// Waiting for the client's whole ClientHello.
    case hello
    /// TLS with the origin.
    case originHandshake
    /// Minting the leaf.
    case forging
    /// TLS with the client.
    case clientHandshake
    /// Carrying application bytes.
    case relay
    /// One side has ended; what is left is being delivered.
    case closing
}

/// How a peer ended its direction of a connection.
public enum End: Sendable, Equatable, Hashable {
    /// A close_notify alert (RFC 8446 section 6.1).
    case closeNotify
    /// The TCP stream ended, without a close_notify on a TLS session.
    case fin
    /// The TCP connection was reset.
    case reset
    /// A fatal alert.
    case alert(UInt8)
    /// A time limit ran out.
    case timeout
    /// The socket failed, with this errno.
    case error(Int32)
    /// The proxy ended it (refusal, drain, failure of the other side).
    case proxy
}

/// What the rules decided for a connection.
public enum Decision: String, Sendable, Equatable {
    /// Terminate the client's TLS and re-originate it.
    case intercept
    /// Relay the bytes untouched.
    case tunnel
    /// Do not serve it.
    case refuse
}

/// The client's hello, decoded, with its fingerprints.
public struct HelloRecord: Sendable, Equatable {
    /// The hello.
    public var hello: ClientHello
    /// JA3, the text before hashing.
    public var ja3Text: String
    /// JA3, the MD5 of the text in hexadecimal.
    public var ja3: String
    /// JA4.
    public var ja4: String

    /// Joins a hello and its fingerprints.
    public init(hello: ClientHello, ja3Text: String, ja3: String, ja4: String) {
        self.hello = hello
        self.ja3Text = ja3Text
        self.ja3 = ja3
        self.ja4 = ja4
    }
}

/// What a handshake agreed on.
public struct TLSParameters: Sendable, Equatable {
    /// The protocol version as on the wire (0x0303 TLS 1.2, 0x0304 TLS 1.3).
    public var version: UInt16
    /// The cipher suite as on the wire.
    public var cipherSuite: UInt16
    /// The suite's standard name.
    public var cipherSuiteName: String
    /// The key exchange group, in OpenSSL's short name; nil where there is none.
    public var group: String?
    /// The application protocol, if one was agreed.
    public var alpn: String?
    /// The server name that was asked for, if any.
    public var serverName: String?
    /// Whether a session was resumed, so that no certificate was shown.
    public var resumed: Bool

    /// Joins the parameters.
    public init(
        version: UInt16, cipherSuite: UInt16, cipherSuiteName: String, group: String?, alpn: String?,
        serverName: String?, resumed: Bool
    ) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.cipherSuiteName = cipherSuiteName
        self.group = group
        self.alpn = alpn
        self.serverName = serverName
        self.resumed = resumed
    }
}

/// A failure, with the side at fault and how to mend it.
public struct Failure: Error, Sendable, Equatable {
    /// What kind of failure it is; the names are part of the file format.
    public enum Code: String, Sendable, CaseIterable {
        case greetingMalformed, greetingTooLarge, notAProxyRequest, plainHTTPRequest, tlsWithoutConnect
        case refusedByRule, ownListener, tooManyConnections
        case nameNotResolved, connectionFailed
        case notTLS, helloMalformed, helloTooLarge
        case originUntrusted, originWrongName, originExpired, originNotYetValid, originHandshake
        case forgeFailed, clientHandshake
        case timeout, peerVanished, tlsProtocol, internalError
    }

    /// Who is at fault.
    public var party: Party
    /// What kind of failure it is.
    public var code: Code
    /// Where in the connection's life it happened.
    public var phase: Phase
    /// What happened, in one line.
    public var detail: String
    /// How to mend it, in one line; nil where there is nothing to do.
    public var hint: String?

    /// Joins the parts of a failure.
    public init(party: Party, code: Code, phase: Phase, detail: String, hint: String? = nil) {
        self.party = party
        self.code = code
        self.phase = phase
        self.detail = detail
        self.hint = hint
    }
}

/// The first event of a run.
public struct RunStarted: Sendable, Equatable {
    /// The version of the file format.
    public static let formatVersion = 1

    /// The version of Pinproof.
    public var tool: String
    /// The version of OpenSSL.
    public var openssl: String
    /// The addresses that are listened on.
    public var listeners: [String]
    /// The digest of the CA that signs the leaves.
    public var authority: String

    /// Joins what describes a run.
    public init(tool: String, openssl: String, listeners: [String], authority: String) {
        self.tool = tool
        self.openssl = openssl
        self.listeners = listeners
        self.authority = authority
    }
}

/// The last event of a run.
public struct RunEnded: Sendable, Equatable {
    /// How many connections were accepted.
    public var connections: UInt64
    /// How many events were lost to a full queue or disk.
    public var lost: UInt64

    /// Joins what closes a run.
    public init(connections: UInt64, lost: UInt64) {
        self.connections = connections
        self.lost = lost
    }
}

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
