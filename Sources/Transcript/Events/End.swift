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
