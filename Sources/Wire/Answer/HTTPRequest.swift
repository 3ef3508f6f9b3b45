/// One request as a server saw it, the same for HTTP/1 and HTTP/2.
public struct HTTPRequest: Sendable, Equatable {
    /// The method as sent, such as `GET`.
    public let method: String
    /// The path and query; for CONNECT the authority, for `OPTIONS *` the asterisk.
    public let target: String
    /// The host and port that the request is for: `Host`, `:authority`, or the authority of an absolute target.
    public let authority: String?
    /// The header fields in the order they came, without HTTP/2's pseudo-header fields.
    public let headers: [HTTPHeader]
    /// `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`.
    public let httpVersion: String
    /// The HTTP/2 stream that carries the request; 0 for HTTP/1.
    public let streamID: Int32

    /// Describes a request.
    public init(
        method: String, target: String, authority: String?, headers: [HTTPHeader], httpVersion: String, streamID: Int32
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.headers = headers
        self.httpVersion = httpVersion
        self.streamID = streamID
    }
}
