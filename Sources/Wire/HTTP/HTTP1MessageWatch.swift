/// Follows the messages of an HTTP/1 connection by copies of their bytes (RFC 9112 section 6.3).
///
/// Where the rules leave it open how a message goes on, or the bytes are no HTTP/1, it stops following the side whose they
/// are: it must not guess. The other side is followed as far as that can be done alone: responses to the requests that were
/// seen, or requests without what is answered. It keeps a head at most on each side, and an octet for each request that has
/// no response yet.
struct HTTP1MessageWatch {
    /// What came to its end.
    enum Observation {
        /// A request's head, which took `length` octets; exchanges are counted from 1.
        case request(HTTPRequestHead, exchange: UInt64, length: Int)
        /// A response's head, also that of an interim response (RFC 9110 section 15.2).
        case response(HTTPResponseHead, exchange: UInt64, length: Int)
        /// The content of a message, of which so many octets came; chunked framing is not counted.
        case contentEnded(HTTPSender, exchange: UInt64, bytes: UInt64)
        /// A side's messages cannot be followed any further.
        case stopped(HTTPSender, HTTPHeadStop)
    }

    /// What a request's method says of the end of its response.
    private enum Asked: UInt8 {
        case head
        case connect
        case other

        init(_ method: String) {
            switch method {
            case "HEAD": self = .head
            case "CONNECT": self = .connect
            default: self = .other
            }
        }
    }

    /// The content of a message of which not all has come.
    private struct Content {
        let exchange: UInt64
        /// What unwraps it; nil if all is content until the connection ends.
        var reader: HTTP1BodyReader?
        var bytes: UInt64 = 0

        mutating func read(_ input: UnsafeRawBufferPointer) throws(HTTPHeadStop) -> Int {
            guard reader != nil else {
                bytes &+= UInt64(input.count)
                return input.count
            }
            do throws(HTTP1Refusal) {
                let (taken, content) = try reader?.read(input) ?? (input.count, input)
                bytes &+= UInt64(content.count)
                return taken
            } catch {
                throw .malformed
            }
        }
    }

    private enum Place<Head: HTTPHead> {
        case head(ObservedHeadReader<Head>)
        case content(Content)
    }

    private var request = Place<HTTPRequestHead>.head(ObservedHeadReader())
    private var response = Place<HTTPResponseHead>.head(ObservedHeadReader())
    /// The requests that wait for their responses.
    private var asked: [Asked] = []
    private var requests: UInt64 = 0
    private var responses: UInt64 = 0
    /// Whether the client's messages can be followed any further.
    private(set) var followsClient = true
    /// Whether the origin's messages can be followed any further.
    private(set) var followsOrigin = true

    /// Whether anything can be followed any further.
    var isWatching: Bool { followsClient || followsOrigin }

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
        while sender == .client ? followsClient : followsOrigin, !rest.isEmpty {
            do throws(HTTPHeadStop) {
                let taken =
                    switch sender {
                    case .client: try followRequest(rest, &found)
                    case .origin: try followResponse(rest, &found)
                    }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(taken))
            } catch {
                if sender == .client { followsClient = false } else { followsOrigin = false }
                found.append(.stopped(sender, error))
            }
        }
        return found
    }

    /// Takes the end of a side's bytes, which is what some responses end with.
    mutating func finish(_ sender: HTTPSender) -> [Observation] {
        guard followsOrigin, sender == .origin, case .content(let content) = response, content.reader == nil
        else { return [] }
        response = .head(ObservedHeadReader())
        return [.contentEnded(.origin, exchange: content.exchange, bytes: content.bytes)]
    }

    private mutating func followRequest(
        _ bytes: UnsafeRawBufferPointer, _ found: inout [Observation]
    ) throws(HTTPHeadStop) -> Int {
        switch request {
        case .head(var reader):
            // Taken out, so that what it keeps is not copied.
            request = .head(ObservedHeadReader())
            let (taken, complete) = try reader.read(bytes)
            guard let (head, length) = complete else {
                request = .head(reader)
                return taken
            }
            requests += 1
            found.append(.request(head, exchange: requests, length: length))
            if followsOrigin {
                guard asked.count < HTTPHeadBounds.waiting else { throw .tooManyWaiting }
                asked.append(Asked(head.method))
            }
            let framing = try Self.framing(head.headers)
            guard framing != .otherCoding else { throw .lengthUnclear }
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
    ) throws(HTTPHeadStop) -> Int {
        switch response {
        case .head(var reader):
            response = .head(ObservedHeadReader())
            let (taken, complete) = try reader.read(bytes)
            guard let (head, length) = complete else {
                response = .head(reader)
                return taken
            }
            found.append(.response(head, exchange: responses + 1, length: length))
            if head.status == 101 {
                // Another protocol follows, on both sides.
                (followsClient, followsOrigin) = (false, false)
            } else if head.status >= 200, let content = try content(of: head) {
                response = Self.next(content, .origin, &found)
            }
            // After an interim response the one that it announces follows.
            return taken
        case .content(var content):
            let taken = try content.read(bytes)
            response = Self.next(content, .origin, &found)
            return taken
        }
    }

    /// The content of a final response (RFC 9112 section 6.3, rules 1 to 8); nil if another protocol follows it.
    private mutating func content(of head: HTTPResponseHead) throws(HTTPHeadStop) -> Content? {
        guard let asked = asked.first else { throw .requestUnknown }
        self.asked.removeFirst()
        responses += 1
        if asked == .head || head.status == 204 || head.status == 304 {
            return Content(exchange: responses, reader: .length(0))
        }
        if asked == .connect, head.status < 300 {
            (followsClient, followsOrigin) = (false, false)
            return nil
        }
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

    private static func framing(_ headers: [HTTPHeader]) throws(HTTPHeadStop) -> Framing {
        let codings = headers.values(named: "transfer-encoding")
        if let last = codings.last?.lowercased() {
            // Transfer-Encoding overrides Content-Length.
            let name = last.split(separator: ",").last.map { $0.filter { $0 != " " && $0 != "\t" } }
            return name == "chunked" ? .chunked : .otherCoding
        }
        let lengths = Set(headers.values(named: "content-length"))
        guard let text = lengths.first else { return .unsaid }
        guard lengths.count == 1, let length = FramingOddity.length(text) else { throw .lengthUnclear }
        return .length(length)
    }

    private static func next<Head>(
        _ content: Content, _ sender: HTTPSender, _ found: inout [Observation]
    ) -> Place<Head> {
        guard content.reader?.isComplete == true else { return .content(content) }
        found.append(.contentEnded(sender, exchange: content.exchange, bytes: content.bytes))
        return .head(ObservedHeadReader())
    }
}
