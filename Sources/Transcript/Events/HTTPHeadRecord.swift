public import Wire

/// The head of an HTTP message that was observed on its way, secrets redacted.
public struct HTTPHeadRecord: Sendable, Equatable {
    /// Whose peer sent it: on the client side requests come, on the origin side responses.
    public var side: Side
    /// Which request and response belong together: the number of the request on the connection, counted from 1, in
    /// HTTP/1, and the number of the stream in HTTP/2.
    public var exchange: UInt64
    /// The protocol as ALPN calls it: "http/1.0", "http/1.1" or "h2".
    public var version: String
    /// The request's method; nil for a response.
    public var method: String?
    /// The request's scheme, as HTTP/2 has it; nil in HTTP/1.
    public var scheme: String?
    /// The request's authority: `:authority` of HTTP/2, Host of HTTP/1; nil without one.
    public var authority: String?
    /// The request's target, such as "/index.html"; nil for a response.
    public var target: String?
    /// The response's status; nil for a request.
    public var status: Int?
    /// The fields in the order sent, pseudo-fields left out.
    public var fields: [HTTPHeader]
    /// How many octets the head took: its lines in HTTP/1, its compressed blocks in HTTP/2.
    public var length: UInt64

    /// Joins the parts of a head.
    public init(
        side: Side, exchange: UInt64, version: String, method: String? = nil, scheme: String? = nil,
        authority: String? = nil, target: String? = nil, status: Int? = nil, fields: [HTTPHeader], length: UInt64
    ) {
        self.side = side
        self.exchange = exchange
        self.version = version
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.target = target
        self.status = status
        self.fields = fields
        self.length = length
    }
}
