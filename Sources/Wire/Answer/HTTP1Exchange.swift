/// What a request's head says about the rest of its exchange: how the body is framed and what comes after it.
struct HTTP1Exchange {
    /// The request.
    let request: HTTPRequest
    /// Whether the connection carries another request after this one (RFC 9112 section 9.3).
    let keepsConnection: Bool
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 section 10.1.1).
    let expectsContinue: Bool
    /// Reads the body.
    var body: HTTP1BodyReader
    /// How many octets of the body were shown so far.
    var length: UInt64 = 0

    /// Judges a head.
    init(_ head: HTTPRequestHead) throws(HTTP1Refusal) {
        let isLegacy = head.minorVersion == 0
        let hosts = head.headers.values(named: "host")
        guard hosts.count == 1 || hosts.isEmpty && isLegacy else { throw .badRequest("Host field") }
        let absolute = Self.splitAbsolute(head.target)
        request = HTTPRequest(
            method: head.method, target: absolute?.path ?? head.target,
            authority: absolute?.authority ?? hosts.first, headers: head.headers,
            httpVersion: isLegacy ? "HTTP/1.0" : "HTTP/1.1", streamID: 0)
        keepsConnection =
            isLegacy
            ? head.headers.list("connection", contains: "keep-alive")
            : !head.headers.list("connection", contains: "close")
        body = try Self.body(of: head)
        expectsContinue = !isLegacy && !body.isComplete && head.headers.list("expect", contains: "100-continue")
    }

    /// How the body is framed (RFC 9112 section 6.3).
    ///
    /// What two readers could understand differently is refused.
    private static func body(of head: HTTPRequestHead) throws(HTTP1Refusal) -> HTTP1BodyReader {
        let codings = head.headers.values(named: "transfer-encoding")
        let lengths = head.headers.values(named: "content-length")
        if !codings.isEmpty {
            guard head.minorVersion > 0 else { throw .badRequest("Transfer-Encoding in HTTP/1.0") }
            guard lengths.isEmpty else { throw .badRequest("Transfer-Encoding beside Content-Length") }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw HTTP1Refusal(status: 501, fault: .unsupported("a transfer coding other than chunked"))
            }
            return .chunked
        }
        guard let text = lengths.first else { return .length(0) }
        guard lengths.count == 1, text.utf8.allSatisfy(\.isASCIIDigit), let length = UInt64(text) else {
            throw .badRequest("Content-Length field")
        }
        return .length(length)
    }

    /// The authority and the path of a target in absolute form (RFC 9112 section 3.2.2); nil for the other forms.
    private static func splitAbsolute(_ target: String) -> (authority: String, path: String)? {
        let lowercased = target.prefix(8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else { return nil }
        let rest = target.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest.dropFirst(authority.count)
        return (String(authority), path.hasPrefix("/") ? String(path) : "/" + path)
    }
}

/// Why a request is not read on: the status that tells the peer, and the fault behind it.
struct HTTP1Refusal: Error, Equatable {
    let status: Int
    let fault: WireError

    /// A request that breaks the rules in this field.
    static func badRequest(_ field: String) -> HTTP1Refusal {
        HTTP1Refusal(status: 400, fault: .malformed(field: field))
    }
}
