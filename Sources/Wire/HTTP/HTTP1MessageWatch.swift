/// Follows the messages of an HTTP/1 connection by copies of their bytes (RFC 9112 section 6.3).
///
/// Where the rules leave it open how a message goes on, or the bytes are no HTTP/1, it stops watching: it must not guess.
/// It keeps a head at most, and the methods of requests that have no response yet.
struct HTTP1MessageWatch {
    /// What came to its end.
    enum Observation {
        /// A request's head, which took `length` octets; exchanges are counted from 1.
        case request(HTTPRequestHead, exchange: UInt64, length: Int)
        /// A response's head, also that of an interim response (RFC 9110 section 15.2).
        case response(HTTPResponseHead, exchange: UInt64, length: Int)
        /// The content of a message, of which so many octets came; chunked framing is not counted.
        case contentEnded(HTTPSender, exchange: UInt64, bytes: UInt64)
    }

    /// The content of a message of which not all has come.
    private struct Content {
        let exchange: UInt64
        /// What unwraps it; nil if all is content until the connection ends.
        var reader: HTTP1BodyReader?
        var bytes: UInt64 = 0

        mutating func read(_ input: UnsafeRawBufferPointer) throws(HTTP1Refusal) -> Int {
            guard let (taken, content) = try reader?.read(input) else {
                bytes &+= UInt64(input.count)
                return input.count
            }
            bytes &+= UInt64(content.count)
            return taken
        }
    }

    private enum Place<Head: HTTPHead> {
        case head(HTTP1HeadReader<Head>)
        case content(Content)
    }

    private var request = Place<HTTPRequestHead>.head(HTTP1HeadReader())
    private var response = Place<HTTPResponseHead>.head(HTTP1HeadReader())
    /// The methods of the requests that wait for their responses.
    private var methods: [String] = []
    private var requests: UInt64 = 0
    private var responses: UInt64 = 0
    /// Whether the messages can be followed any further.
    private(set) var isWatching = true

    /// Whether the response that is on its way ends with the connection: no other follows.
    var isInLastResponse: Bool {
        if case .content(let content) = response { content.reader == nil } else { false }
    }

    /// Takes the next bytes of a side.
    ///
    /// - Returns: What they complete.
    mutating func observe(_ sender: HTTPSender, _ bytes: UnsafeRawBufferPointer) -> [Observation] {
        var rest = bytes
        var found: [Observation] = []
        while isWatching, !rest.isEmpty {
            let taken: Int
            do throws(HTTP1Refusal) {
                switch sender {
                case .client: taken = try followRequest(rest, &found)
                case .origin: taken = try followResponse(rest, &found)
                }
            } catch {
                isWatching = false
                break
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(taken))
        }
        return found
    }

    /// Takes the end of a side's bytes, which is what some responses end with.
    mutating func finish(_ sender: HTTPSender) -> [Observation] {
        guard isWatching, sender == .origin, case .content(let content) = response, content.reader == nil else {
            return []
        }
        response = .head(HTTP1HeadReader())
        return [.contentEnded(.origin, exchange: content.exchange, bytes: content.bytes)]
    }

    private mutating func followRequest(
        _ bytes: UnsafeRawBufferPointer, _ found: inout [Observation]
    ) throws(HTTP1Refusal) -> Int {
        switch request {
        case .head(var reader):
            // Taken out, so that what it keeps is not copied.
            request = .head(HTTP1HeadReader())
            let (taken, progress) = reader.read(bytes)
            guard let (head, length) = try Self.complete(progress) else {
                request = .head(reader)
                return taken
            }
            requests += 1
            found.append(.request(head, exchange: requests, length: length))
            guard methods.count < Self.pipelineLimit else { throw Self.unknown }
            methods.append(head.method)
            let framing = try Self.framing(head.headers)
            guard framing != .otherCoding else { throw Self.unknown }
            let content = Content(exchange: requests, reader: framing.reader ?? .length(0))
            request = Self.next(content, .client, &found)
            return taken
        case .content(var content):
            let taken = try content.read(bytes)
            request = Self.next(content, .client, &found)
            return taken
        }
    }

    private mutating func followResponse(
        _ bytes: UnsafeRawBufferPointer, _ found: inout [Observation]
    ) throws(HTTP1Refusal) -> Int {
        switch response {
        case .head(var reader):
            response = .head(HTTP1HeadReader())
            let (taken, progress) = reader.read(bytes)
            guard let (head, length) = try Self.complete(progress) else {
                response = .head(reader)
                return taken
            }
            found.append(.response(head, exchange: responses + 1, length: length))
            // After an interim response the one that it announces follows; after 101 another protocol does.
            guard head.status >= 200 else {
                guard head.status != 101 else { throw Self.unknown }
                return taken
            }
            let content = try content(of: head)
            response = Self.next(content, .origin, &found)
            return taken
        case .content(var content):
            let taken = try content.read(bytes)
            response = Self.next(content, .origin, &found)
            return taken
        }
    }

    /// The content of a final response (RFC 9112 section 6.3, rules 1 to 8).
    private mutating func content(of head: HTTPResponseHead) throws(HTTP1Refusal) -> Content {
        guard let method = methods.first else { throw Self.unknown }
        methods.removeFirst()
        responses += 1
        if method == "HEAD" || head.status == 204 || head.status == 304 {
            return Content(exchange: responses, reader: .length(0))
        }
        if method == "CONNECT", head.status < 300 { throw Self.unknown }
        return Content(exchange: responses, reader: try Self.framing(head.headers).reader)
    }

    /// How a message's fields say that its content is framed.
    private enum Framing: Equatable {
        case length(UInt64)
        case chunked
        /// Transfer-Encoding whose last coding is not chunked: a response then ends with the connection.
        case otherCoding
        case unsaid

        var reader: HTTP1BodyReader? {
            switch self {
            case .length(let length): .length(length)
            case .chunked: .chunked
            case .otherCoding, .unsaid: nil
            }
        }
    }

    private static func framing(_ headers: [HTTPHeader]) throws(HTTP1Refusal) -> Framing {
        let codings = headers.values(named: "transfer-encoding")
        if let last = codings.last?.lowercased() {
            // Transfer-Encoding overrides Content-Length.
            let name = last.split(separator: ",").last.map { $0.filter { $0 != " " && $0 != "\t" } }
            return name == "chunked" ? .chunked : .otherCoding
        }
        let lengths = Set(headers.values(named: "content-length"))
        guard let text = lengths.first else { return .unsaid }
        guard lengths.count == 1, let length = FramingOddity.length(text) else { throw unknown }
        return .length(length)
    }

    private static func complete<Head>(
        _ progress: HTTPHeadProgress<Head>
    ) throws(HTTP1Refusal) -> (head: Head, length: Int)? {
        switch progress {
        case .incomplete: nil
        case .complete(let head, let length): (head, length)
        case .malformed, .tooLarge: throw unknown
        }
    }

    private static func next<Head>(
        _ content: Content, _ sender: HTTPSender, _ found: inout [Observation]
    ) -> Place<Head> {
        guard content.reader?.isComplete == true else { return .content(content) }
        found.append(.contentEnded(sender, exchange: content.exchange, bytes: content.bytes))
        return .head(HTTP1HeadReader())
    }

    /// The connection cannot be followed any further.
    private static let unknown = HTTP1Refusal.badRequest("message")
    private static let pipelineLimit = 256
}
