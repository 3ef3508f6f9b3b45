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
        /// The recording goes on in a further file: the first event of every file but the first.
        case runContinued(RunContinued)
        /// Events could not be recorded; as many as this are missing before this line.
        case gap(lost: UInt64)
        /// No connections are accepted for the time being.
        case acceptingPaused(AcceptingLimit)
        /// Connections are accepted again, after so long.
        case acceptingResumed(nanoseconds: UInt64)
        /// A command of an experiment is about to start.
        case commandStarted(CommandStarted)
        /// A command of an experiment is over.
        case commandEnded(CommandEnded)
        /// A client's connection was accepted.
        case opened(client: String, listener: String)
        /// The client asked the proxy for a target; `target` is as it was sent, `endpoint` what it was understood as.
        case requested(method: String, target: String, endpoint: Endpoint?)
        /// The connection belongs to this phase of an experiment; what is intercepted in it is shown leaves of the CA with
        /// this digest.
        case phase(ExperimentPhase, authority: String?)
        /// The rules decided.
        case decided(Decision, rule: String?)
        /// TCP to the origin stands, from this address of ours.
        case connected(origin: String, nanoseconds: UInt64, local: String? = nil)
        /// The origin is offered these application protocols, and not HTTP/2 as the client offers: a hello with it was
        /// answered in this way, or, with nil, in an earlier connection.
        case withheldHTTP2(after: End?, offered: [String])
        /// The tunnel holds no TLS, as far as can be told; it is relayed untouched.
        case notTLS(TunnelContent)
        /// The client's whole ClientHello arrived.
        case hello(HelloRecord)
        /// The proxy sent its own ClientHello to the origin.
        case originHello(HelloRecord)
        /// A ServerHello went over a session: the origin's, or ours to the client.
        case serverHello(Side, ServerHelloRecord)
        /// Bytes of a TLS handshake as they were on the wire.
        case wire(Side, Direction, [UInt8])
        /// Bytes of a TLS session after its handshake as they were on the wire: with `Capture.wire` only. The offset is
        /// that of the first one in all that the session had on the wire in this direction.
        case traffic(Side, Direction, offset: UInt64, [UInt8])
        /// A secret of a session.
        case secret(Side, SessionSecret)
        /// A handshake message in the clear, header included (RFC 8446 section 4), and the version of the session if that was
        /// agreed on by then: it says how to read the message.
        case message(Side, Direction, [UInt8], version: UInt16? = nil)
        /// An alert (RFC 8446 section 6).
        case alert(Side, Direction, level: UInt8, code: UInt8)
        /// A certificate, recorded before the first event that names its digest.
        case certificate(digest: String, der: [UInt8])
        /// The chain that was presented on a side, leaf first, as SHA-256 digests of the DER in hexadecimal: on the
        /// origin side by the origin, on the client side by the proxy.
        case chain(Side, [String])
        /// The issuer that an origin left out of its chain was fetched, or not.
        case issuerFetched(IssuerFetched)
        /// A client certificate was asked for.
        case identity(IdentityExchange)
        /// A leaf for the client was chosen; it has these faults because the origin's certificate has them.
        case forged(host: String, digest: String, key: String, fromCache: Bool, mirrors: [OriginFault] = [])
        /// A handshake finished.
        case secured(Side, TLSParameters)
        /// A message of HTTP/1 that came from the peer of this side is framed so that two readers may understand it
        /// differently; it was passed on as it came.
        case framing(Side, FramingOddity)
        /// The head of an HTTP message that came from the peer of its side: with `Capture.heads` only.
        case head(ObservedHead)
        /// The content of an HTTP message that came from the peer of this side is over, after so many octets as they were
        /// transferred: with `Capture.heads` only.
        case contentEnded(Side, exchange: UInt64, bytes: UInt64)
        /// The heads that the peer of this side sends are not followed any further, for this reason: with `Capture.heads`
        /// only. The messages go on.
        case headsStopped(Side, HTTPHeadStop)
        /// Application bytes that came from the peer of this side, in the clear: with `Capture.bytes` only. The offset is
        /// that of the first one in all that came from there.
        case data(Side, offset: UInt64, [UInt8])
        /// The first application byte from the peer of this side arrived.
        case firstData(Side)
        /// The client of a session that speaks HTTP/2, as ALPN calls it, began its first request; what it sent before asks
        /// for nothing.
        case firstRequest(protocol: String)
        /// The proxy itself answered the client with a page.
        case answered(status: Int, reason: String)
        /// The peer of this side ended its direction, in this way.
        case ended(Side, End, Phase)
        /// Something failed.
        case failed(Failure)
        /// What the connection showed of its client, as far as the events before and `closed`, which follows, go.
        case verdict(RecordedVerdict)
        /// The connection is over.
        case closed(Closed)
    }
}
