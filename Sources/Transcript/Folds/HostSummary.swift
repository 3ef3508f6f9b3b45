/// What all connections to one host came to.
public struct HostSummary: Sendable, Equatable {
    /// How often something failed in one way.
    public struct FailureCount: Sendable, Equatable {
        /// How often.
        public var count: UInt64
        /// What the last failure of this kind said, clipped if it is long.
        public var lastDetail: String

        /// Joins how often and what was said last.
        public init(count: UInt64, lastDetail: String) {
            self.count = count
            self.lastDetail = lastDetail
        }
    }

    /// The host in canonical form, or one of the names in brackets that stand for many (`RunSummary`).
    public var host: String
    /// How many connections asked for it.
    public var connections: UInt64 = 0
    /// How many of them were intercepted.
    public var intercepted: UInt64 = 0
    /// How many of them were tunnelled untouched.
    public var tunnelled: UInt64 = 0
    /// How many of them were refused.
    public var refused: UInt64 = 0
    /// How many of them the proxy was to answer in the origin's place.
    public var answeredByRule: UInt64 = 0
    /// How many of them the proxy itself answered with a page.
    public var answered: UInt64 = 0
    /// How many of those that were to be intercepted held no TLS, by what they held until their end.
    public var contents: [TunnelContent: UInt64] = [:]
    /// How many of them did not offer HTTP/2 to the origin, because it ends handshakes that do.
    public var withheldHTTP2: UInt64 = 0
    /// How many handshakes with a client finished.
    public var clientHandshakes: UInt64 = 0
    /// How many handshakes with the origin finished.
    public var originHandshakes: UInt64 = 0
    /// How many leaves were given faults of the origin's certificate.
    public var mirrored: UInt64 = 0
    /// Those faults.
    public var mirroredFaults: Set<OriginFault> = []
    /// On how many occasions the origin asked for a client certificate.
    public var identityRequests: UInt64 = 0
    /// On how many of those the proxy gave one.
    public var identitiesGiven: UInt64 = 0
    /// On how many occasions the app gave its own to the proxy.
    public var identitiesTaken: UInt64 = 0
    /// How many alerts of each number clients sent; close_notify is not counted, since it is how TLS ends.
    public var clientAlerts: [UInt8: UInt64] = [:]
    /// What failed, by kind.
    public var failures: [Failure.Code: FailureCount] = [:]
    /// Application bytes from clients.
    public var clientBytes: UInt64 = 0
    /// Application bytes from the origin.
    public var originBytes: UInt64 = 0

    /// Starts with nothing counted.
    public init(host: String) {
        self.host = host
    }
}
