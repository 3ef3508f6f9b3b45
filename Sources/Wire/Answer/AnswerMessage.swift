/// An answer to one request, ready for either protocol writer: what is really sent.
struct AnswerMessage {
    /// The status code, always 200-599.
    let status: Int
    /// The header fields, `Content-Length` among them where the response may have one.
    let fields: [HTTPHeader]
    /// The body as it is sent: empty for HEAD and for the statuses that never have one.
    let body: Answer.Body

    /// Fields that belong to the connection or to the framing, which the session alone decides
    /// (RFC 9112 section 6, RFC 9113 section 8.2.2).
    private static let reserved: Set<String> = [
        "connection", "content-length", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Makes `answer` fit for the wire, whatever its headers hold.
    init(_ answer: Answer, toMethod method: String) {
        status = (200...599).contains(answer.status) ? answer.status : 500
        var fields = answer.headers.compactMap { Self.sendable($0) }
        // 204 must not say a length, 304 would have to say that of another response (RFC 9110 section 8.6).
        let mayHaveBody = status != 204 && status != 304
        if mayHaveBody {
            fields.append(HTTPHeader(name: "Content-Length", value: String(answer.body.length)))
        }
        self.fields = fields
        body = mayHaveBody && method != "HEAD" ? answer.body : .empty
    }

    /// The field as it may be sent, or nil if it must not be.
    ///
    /// A value may hold text that a peer chose: CR, LF and NUL become spaces (RFC 9110 section 5.5), so that it cannot
    /// end the field.
    private static func sendable(_ header: HTTPHeader) -> HTTPHeader? {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(\.isHTTPTokenCharacter),
            !reserved.contains(header.name.lowercased())
        else { return nil }
        let value = header.value.utf8.map { [0x00, 0x0A, 0x0D].contains($0) ? 0x20 : $0 }
        return HTTPHeader(name: header.name, value: String(decoding: value, as: UTF8.self))
    }
}
