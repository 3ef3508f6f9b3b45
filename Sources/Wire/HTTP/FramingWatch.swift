/// Follows the messages of an HTTP/1 connection by copies of their bytes, to tell what is odd about their framing.
///
/// It goes by RFC 9112 section 6.3. Where that leaves the end of a message open, or the bytes are no HTTP/1, it stops
/// watching: it must not guess. It keeps a head at most, and the methods of requests that have no response yet.
public struct FramingWatch {
    /// Whose bytes they are.
    public enum Sender: Sendable {
        /// The client's: requests.
        case client
        /// The origin's: responses.
        case origin
    }

    private enum Place<Head: HTTPHead> {
        case head(HTTP1HeadReader<Head>)
        case body(HTTP1BodyReader)
    }

    private var request = Place<HTTPRequestHead>.head(HTTP1HeadReader())
    private var response = Place<HTTPResponseHead>.head(HTTP1HeadReader())
    /// The methods of the requests that wait for their responses.
    private var methods: [String] = []
    /// Whether there is anything to be learnt yet.
    public private(set) var isWatching = true

    /// Starts with the first message on both sides.
    public init() {}

    /// Takes the next bytes of a side.
    ///
    /// - Returns: What is odd about the heads that they complete.
    public mutating func observe(_ sender: Sender, _ bytes: UnsafeRawBufferPointer) -> [FramingOddity] {
        var rest = bytes
        var found: [FramingOddity] = []
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

    private mutating func followRequest(
        _ bytes: UnsafeRawBufferPointer, _ found: inout [FramingOddity]
    ) throws(HTTP1Refusal) -> Int {
        switch request {
        case .head(var reader):
            // Taken out, so that what it keeps is not copied.
            request = .body(.length(0))
            let (taken, progress) = reader.read(bytes)
            guard let head = try Self.complete(progress) else {
                request = .head(reader)
                return taken
            }
            found += FramingOddity.found(in: head)
            guard methods.count < Self.pipelineLimit else { throw Self.unknown }
            methods.append(head.method)
            request = Self.next(try Self.body(head.headers) ?? .length(0))
            return taken
        case .body(var reader):
            let taken = try reader.read(bytes).taken
            request = Self.next(reader)
            return taken
        }
    }

    private mutating func followResponse(
        _ bytes: UnsafeRawBufferPointer, _ found: inout [FramingOddity]
    ) throws(HTTP1Refusal) -> Int {
        switch response {
        case .head(var reader):
            response = .body(.length(0))
            let (taken, progress) = reader.read(bytes)
            guard let head = try Self.complete(progress) else {
                response = .head(reader)
                return taken
            }
            found += FramingOddity.found(in: head)
            response = Self.next(try body(of: head))
            return taken
        case .body(var reader):
            let taken = try reader.read(bytes).taken
            response = Self.next(reader)
            return taken
        }
    }

    /// The content of a response (RFC 9112 section 6.3, rules 1 to 8).
    private mutating func body(of head: HTTPResponseHead) throws(HTTP1Refusal) -> HTTP1BodyReader {
        if head.status < 200 {
            // Another protocol follows.
            guard head.status != 101 else { throw Self.unknown }
            return .length(0)
        }
        guard let method = methods.first else { throw Self.unknown }
        methods.removeFirst()
        if method == "HEAD" || head.status == 204 || head.status == 304 { return .length(0) }
        if method == "CONNECT", head.status < 300 { throw Self.unknown }
        // Without a length it ends with the connection: no message follows.
        guard let body = try Self.body(head.headers) else { throw Self.unknown }
        return body
    }

    /// How a message's content is framed; nil if no field says so.
    private static func body(_ headers: [HTTPHeader]) throws(HTTP1Refusal) -> HTTP1BodyReader? {
        let codings = headers.values(named: "transfer-encoding")
        if let last = codings.last?.lowercased() {
            // Transfer-Encoding overrides Content-Length; chunked is the last coding, or there is no telling.
            let name = last.split(separator: ",").last.map { $0.filter { $0 != " " && $0 != "\t" } }
            guard name == "chunked" else { throw unknown }
            return .chunked
        }
        let lengths = Set(headers.values(named: "content-length"))
        guard let text = lengths.first else { return nil }
        guard lengths.count == 1, let length = FramingOddity.length(text) else { throw unknown }
        return .length(length)
    }

    private static func complete<Head>(_ progress: HTTPHeadProgress<Head>) throws(HTTP1Refusal) -> Head? {
        switch progress {
        case .incomplete: nil
        case .complete(let head, _): head
        case .malformed, .tooLarge: throw unknown
        }
    }

    private static func next<Head>(_ reader: HTTP1BodyReader) -> Place<Head> {
        reader.isComplete ? .head(HTTP1HeadReader()) : .body(reader)
    }

    /// The connection cannot be followed any further.
    private static let unknown = HTTP1Refusal.badRequest("message")
    private static let pipelineLimit = 256
}
