public import Transcript

/// What can happen to a connection: the only way into a `ConnectionMachine`.
public enum ConnectionEvent: Sendable, Equatable {
    /// Bytes came from the client before TLS or the relay began.
    case bytes([UInt8])
    /// The connection is for this phase of an experiment, in which the CA with this digest signs the leaves.
    case assigned(ExperimentPhase, authority: String?)
    /// The origin said something before TLS or the relay began.
    case originSpoke([UInt8])
    /// TCP to the origin stands; this origin is known, or not, to end handshakes that offer HTTP/2.
    case connected(address: String, nanoseconds: UInt64, local: String? = nil, refusesHTTP2: Bool = false)
    /// The origin could not be reached.
    case connectFailed(ConnectFailure)
    /// The origin's first handshake message arrived: it took the hello.
    case originAnswered
    /// The handshake with the origin is complete, and its certificate verified.
    case originSecured(alpn: [UInt8]?)
    /// The handshake with the origin failed for a reason that was found on our side of it.
    case originFailed(Failure)
    /// The origin asked for a client certificate and then ended, before it said anything else; what the client has said
    /// meanwhile can still be answered, or is too much to have been kept.
    case originRefused(End, Failure, isAnswerable: Bool)
    /// The leaf for the client is ready.
    case forged
    /// The leaf could not be made.
    case forgeFailed(Failure)
    /// The handshake with the client is complete.
    case clientSecured
    /// The handshake with the client failed for a reason that was found on our side of it.
    case clientFailed(Failure)
    /// As much as is allowed waits to be sent to the peer of this side.
    case full(Side)
    /// All that waited for the peer of this side is sent.
    case drained(Side)
    /// The peer of this side ended its direction.
    case ended(Side, End)
    /// What `ConnectionAction.finish` asked for is done: all is flushed and our direction is ended.
    case finished(Side)
    /// The page is answered and nothing more will be.
    case pageDelivered
    /// The time limit that was armed last ran out.
    case timedOut
    /// The proxy is stopping: an idle connection ends now, a busy one may finish.
    case drain(idle: Bool)
    /// The proxy stops at once.
    case abort
}

/// Why there is no TCP connection to the origin.
public enum ConnectFailure: Sendable, Equatable {
    /// The name has no address.
    case notResolved(String)
    /// The address does not answer, or refuses.
    case failed(String)
    /// Resolving and connecting took too long.
    case timedOut
    /// The proxy has no descriptor or memory left for it.
    case exhausted(String)
    /// The address is one that this proxy listens on.
    case ownListener
}
