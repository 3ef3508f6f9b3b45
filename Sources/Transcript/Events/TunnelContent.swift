/// What turned out to be in a tunnel that was to be intercepted and does not begin with TLS; it is relayed as it comes.
public enum TunnelContent: String, Sendable, Equatable, CaseIterable {
    /// The client speaks something else.
    case otherProtocol
    /// The origin speaks first, as in SMTP or SSH: no TLS server does.
    case originFirst
    /// Nobody has said anything for a while; whoever speaks first still decides.
    case silence
}
