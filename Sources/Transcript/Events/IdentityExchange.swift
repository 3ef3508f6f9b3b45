/// That a client certificate was asked for, and what came of it.
///
/// On the origin side the origin asked and the proxy answered; on the client side the proxy asked and the app answered.
public struct IdentityExchange: Sendable, Equatable {
    /// The side of the session.
    public var side: Side
    /// The authorities that were named in the request, in the style of RFC 2253; none: it left that open.
    public var authorities: [String]
    /// The chain that was given, leaf first, as digests; empty: none was.
    public var chain: [String]
    /// Where the proxy's identity came from; nil on the client side, and if none was given.
    public var source: String?
    /// What is wrong with the app's chain; nil if nothing is, or nobody looked.
    public var fault: String?

    /// Joins a request and its answer.
    public init(side: Side, authorities: [String], chain: [String], source: String? = nil, fault: String? = nil) {
        self.side = side
        self.authorities = authorities
        self.chain = chain
        self.source = source
        self.fault = fault
    }
}
