/// A whole HTTP response, independent of the protocol version that carries it.
///
/// The session adds what frames the body (`Content-Length`, `Connection`); the headers here say the rest. An answer to
/// HEAD is described as one to GET: the session leaves the body out.
public struct Answer: Sendable, Equatable {
    /// What a response carries after its head.
    public enum Body: Sendable, Equatable {
        /// These bytes.
        case bytes([UInt8])
        /// `length` octets of `BodyPattern`, generated as they are sent: a body of any size costs no memory.
        case pattern(length: UInt64)
        /// Nothing.
        case empty

        /// The number of octets.
        public var length: UInt64 {
            switch self {
            case .bytes(let bytes): UInt64(bytes.count)
            case .pattern(let length): length
            case .empty: 0
            }
        }
    }

    /// The status code; one outside 200-599 is sent as 500.
    public let status: Int
    /// The header fields, without those that frame the body.
    public let headers: [HTTPHeader]
    /// The body.
    public let body: Body

    /// Describes a response.
    public init(status: Int, headers: [HTTPHeader] = [], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A small page for people: a title, an empty line, and the text, one line each.
    ///
    /// Plain text, because it reads the same in a terminal and in a browser, and because names that a peer chose may
    /// stand in it: nothing in it is ever markup.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - title: The first line.
    ///   - text: The other lines.
    ///   - headers: Header fields besides those that describe the page.
    /// - Returns: The answer.
    public static func page(status: Int, title: String, text: [String], headers: [HTTPHeader] = []) -> Answer {
        let lines = [title, ""] + text + [""]
        return document(
            status: status, type: "text/plain; charset=utf-8", lines.joined(separator: "\n"), headers: headers)
    }

    /// A JSON document, sent as it is.
    public static func json(status: Int, _ text: String) -> Answer {
        document(status: status, type: "application/json", text)
    }

    /// What a peer is told whose request is not taken.
    static func refusal(status: Int, of fault: WireError) -> Answer {
        page(status: status, title: "The request was refused.", text: [fault.description])
    }

    private static func document(
        status: Int, type: String, _ text: String, headers: [HTTPHeader] = []
    ) -> Answer {
        Answer(
            status: status,
            headers: [
                HTTPHeader(name: "Content-Type", value: type),
                HTTPHeader(name: "Cache-Control", value: "no-store"),
                HTTPHeader(name: "X-Content-Type-Options", value: "nosniff"),
            ] + headers,
            body: .bytes([UInt8](text.utf8)))
    }
}
