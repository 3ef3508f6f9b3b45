/// The head of an HTTP message as an observer saw it, secrets redacted.
public struct ObservedHead: Sendable, Equatable {
    /// Who sent it.
    ///
    /// The origin sends responses, and in HTTP/2 the requests that it promises to answer.
    public var sender: HTTPSender
    /// Which request and response belong together: the number of the request on the connection, counted from 1, in
    /// HTTP/1, and the number of the stream in HTTP/2.
    public var exchange: UInt64
    /// The protocol as ALPN calls it: "http/1.0", "http/1.1" or "h2".
    public var version: String
    /// The request's method; nil for a response.
    public var method: String?
    /// The request's scheme, as HTTP/2 has it; nil in HTTP/1.
    public var scheme: String?
    /// The request's authority: `:authority` of HTTP/2, or Host; nil without one.
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
        sender: HTTPSender, exchange: UInt64, version: String, method: String? = nil, scheme: String? = nil,
        authority: String? = nil, target: String? = nil, status: Int? = nil, fields: [HTTPHeader], length: UInt64
    ) {
        self.sender = sender
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

extension ObservedHead {
    /// Describes the head of an HTTP/1 request.
    init(_ head: HTTPRequestHead, exchange: UInt64, length: Int) {
        let authority = head.headers.values(named: "host").first
        self.init(
            sender: .client, exchange: exchange, version: "http/1.\(head.minorVersion)", method: head.method,
            authority: authority.map(Redaction.authority), target: Redaction.target(head.target, of: head.method),
            fields: head.headers.map(\.redacted), length: UInt64(length))
    }

    /// Describes the head of an HTTP/1 response.
    init(_ head: HTTPResponseHead, exchange: UInt64, length: Int) {
        self.init(
            sender: .origin, exchange: exchange, version: "http/1.\(head.minorVersion)", status: head.status,
            fields: head.headers.map(\.redacted), length: UInt64(length))
    }

    /// Describes a head of HTTP/2 (RFC 9113 section 8.3); nil if it has neither a method nor a status.
    ///
    /// CONNECT has no path: its target is its authority, as in HTTP/1.
    init?(sender: HTTPSender, stream: UInt32, fields: [HTTPHeader], length: Int) {
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        let kept = fields.filter { !$0.name.hasPrefix(":") }
        self.init(
            sender: sender, exchange: UInt64(stream), version: "h2", fields: kept.map(\.redacted),
            length: UInt64(length))
        if let method = value(":method") {
            let authority = value(":authority") ?? kept.values(named: "host").first
            self.method = method
            self.scheme = value(":scheme")
            self.authority = authority.map(Redaction.authority)
            target = Redaction.target(value(":path") ?? authority ?? "", of: method)
        } else {
            guard let text = value(":status"), text.utf8.count == 3, text.utf8.allSatisfy(\.isASCIIDigit) else {
                return nil
            }
            status = Int(text)
        }
    }
}
