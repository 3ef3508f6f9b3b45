/// What came of fetching a certificate that an origin left out of its chain.
public struct IssuerFetched: Sendable, Equatable {
    /// Where it was said to be.
    public var url: String
    /// The certificates that were taken, as SHA-256 digests of the DER in hexadecimal; empty if there was none.
    public var digests: [String]
    /// Whether an earlier connection had fetched them.
    public var fromCache: Bool
    /// Why nothing was taken; nil if something was.
    public var fault: String?

    /// Joins what came of it.
    public init(url: String, digests: [String], fromCache: Bool, fault: String?) {
        self.url = url
        self.digests = digests
        self.fromCache = fromCache
        self.fault = fault
    }
}
