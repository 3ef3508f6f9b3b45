/// Writes response heads in HTTP/1's form (RFC 9112 section 4).
enum HTTP1ResponseWriter {
    /// The head of a response, its blank line included.
    ///
    /// Whether the connection stays open is always said: HTTP/1.0 and HTTP/1.1 assume opposite things.
    static func head(of message: AnswerMessage, keepsConnection: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(message.status) \(reason(message.status))\r\n"
        for field in message.fields { text += "\(field.name): \(field.value)\r\n" }
        text += "Connection: \(keepsConnection ? "keep-alive" : "close")\r\n\r\n"
        return [UInt8](text.utf8)
    }

    /// The usual reason phrase of a status (RFC 9110 section 15); none for those that are seldom seen.
    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 413: "Content Too Large"
        case 421: "Misdirected Request"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: ""
        }
    }
}
