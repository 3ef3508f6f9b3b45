internal import Transcript

/// What the proxy itself says to the client in HTTP/1.1, before any TLS.
struct ProxyReply {
    /// The HTTP status.
    let status: Int
    /// The whole answer.
    let bytes: [UInt8]

    /// The answer to a CONNECT that stands (RFC 9110 section 9.3.6: no body, no length).
    static let established = ProxyReply(
        status: 200, bytes: Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))

    /// A refusal with one line of reason, and one that says how to mend it.
    static func refusal(status: Int, _ failure: Failure) -> ProxyReply {
        var body = "pinproof: \(failure.detail)\n"
        if let hint = failure.hint { body += "To mend it: \(hint)\n" }
        let head = """
            HTTP/1.1 \(status) \(reasonPhrase(status))\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \(status == 407 ? challenge : "")\r

            """
        return ProxyReply(status: status, bytes: Array((head + body).utf8))
    }

    /// Which credentials are wanted (RFC 7617 section 2).
    private static let challenge = "Proxy-Authenticate: Basic realm=\"Pinproof\", charset=\"UTF-8\"\r\n"

    private static func reasonPhrase(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Error"
        }
    }
}
