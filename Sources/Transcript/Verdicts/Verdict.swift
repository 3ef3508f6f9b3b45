/// What one connection showed of its client.
///
/// Never by the handshake alone: some clients check pins after it and then just close. A verdict describes conduct, it
/// does not name a cause: no alert number does (Go sends 42 and Java 46 both for an unknown CA and for a failed pin).
/// What many verdicts prove together, with their controls, is a `Finding`.
public enum Verdict: Sendable, Equatable {
    /// The client sent application data on an intercepted session, whatever the origin did afterwards.
    ///
    /// What the data is makes no difference: the preface of HTTP/2 is some. An origin that answers with a failure, ends
    /// first or never answers takes nothing away from it, and a page of ours in the origin's place is an answer. While the
    /// connection is open only its first byte is known; the count is that of the end.
    case accepted(bytes: UInt64)
    /// The client sent an alert about certificates after ours was sent.
    case rejected(alert: UInt8, HandshakeStage)
    /// The client ended in this way, without such an alert, after our certificate and before its own Finished.
    case rejectedSilently(End)
    /// The client finished the handshake and then ended in this way without a byte of data: one alone is only suspected.
    case abandoned(End)
    /// The client turned away, but gave something away before: application data, or its own certificate.
    ///
    /// A client that sent data turned away if it sent an alert about certificates, or ended before any byte of the origin
    /// reached it. Nothing reaches a client that has ended: one that half-closes before it is answered is therefore not
    /// told apart from one that goes, and what is concluded from leaks allows for that (`Finding`).
    case leaked(Leak)
    /// Nothing can be said of how the client takes our certificate.
    case notTested(NotTestedReason)
    /// The handshake is complete and the client did nothing that tells: the connection is open, others ended it, or the
    /// server speaks first.
    case idle
}

/// Where in the handshake something came from the client.
public enum HandshakeStage: String, Sendable, Equatable, Hashable {
    /// Before its Finished.
    case beforeFinished
    /// After its Finished.
    case afterFinished
}

/// How a client turned away from our certificate.
public enum Refusal: Sendable, Equatable, Hashable {
    /// With an alert about certificates.
    case alert(UInt8, HandshakeStage)
    /// By ending in this way.
    case silence(End, HandshakeStage)
}

/// What a client gave away before it turned away.
public struct Leak: Sendable, Equatable {
    /// Application bytes, early data among them; while the connection is open only the first is known.
    public var bytes: UInt64
    /// Whether application data came before the client's handshake was done (RFC 8446 section 2.3).
    public var isEarly: Bool
    /// Whether it gave its client certificate.
    public var identity: Bool
    /// How it turned away.
    public var refusal: Refusal

    /// Joins what was given away with how the client turned away.
    public init(bytes: UInt64, isEarly: Bool = false, identity: Bool = false, refusal: Refusal) {
        self.bytes = bytes
        self.isEarly = isEarly
        self.identity = identity
        self.refusal = refusal
    }
}

/// Why a connection tells nothing of how its client takes our certificate.
public enum NotTestedReason: Sendable, Equatable, Hashable {
    /// The client ended before it sent a hello, if it asked for anything at all.
    case noHello
    /// The client ended in the middle of its hello.
    case partialHello
    /// The hello cannot be decoded, or is too long.
    case unreadableHello
    /// The tunnel holds something other than TLS.
    case notTLS(TunnelContent)
    /// Nobody said anything in the tunnel.
    case silentTunnel
    /// A rule, or the phase, has the bytes relayed untouched.
    case tunnelled
    /// A rule refuses the host.
    case refused
    /// What the client asked of the proxy is not served.
    case notServed(Failure.Code)
    /// There was no connection to the origin.
    case originUnreachable(Failure.Code)
    /// The client ended before a certificate was sent to it.
    case certificateNeverSent
    /// A session was resumed, so that no certificate was shown.
    case resumed
    /// The client sent an alert about protocols, algorithms or names: 40, 70, 71, 80, 109, 112 or 120.
    case parameterAlert(UInt8)
    /// The client sent an alert about neither certificates nor parameters.
    case otherAlert(UInt8)
    /// The proxy sent this alert.
    case proxyAlert(UInt8)
    /// The client offers no protocol version above this one, and none of those is served.
    case obsoleteVersion(UInt16)
    /// Pinproof failed.
    case proxyFailure(Failure.Code)
    /// The session with the client broke on something that the client sent, and no alert says so.
    case sessionBroken(Failure.Code)
    /// A time limit ran out in this phase.
    case timeLimit(Phase)
    /// The client's socket failed with this errno: the network's doing, as far as can be told.
    case connectionLost(Int32)
    /// The proxy ended the connection before the client could show anything.
    case interrupted
    /// The connection is open, and has not come far enough yet.
    case unfinished
    /// Events of the connection may be missing: what is left of them decides nothing.
    case eventsMissing
}

extension Verdict {
    /// Whether the client took the certificate.
    public var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }

    /// How the client turned away; nil if it did not, or if that cannot be told.
    public var refusal: Refusal? {
        switch self {
        case .rejected(let alert, let stage): .alert(alert, stage)
        case .rejectedSilently(let end): .silence(end, .beforeFinished)
        case .abandoned(let end): .silence(end, .afterFinished)
        case .leaked(let leak): leak.refusal
        case .accepted, .notTested, .idle: nil
        }
    }

    /// What the client gave away before it turned away.
    public var leak: Leak? {
        if case .leaked(let leak) = self { leak } else { nil }
    }
}
