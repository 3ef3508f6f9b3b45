import Wire

/// A request and what came of it: an entry of an HTTP archive.
struct HARExchange: Sendable {
    /// A head, with when it came.
    struct Head: Sendable {
        var record: ObservedHead
        var monotonic: UInt64
        var wall: Int64
    }

    /// How much content a message had, with when it was over.
    struct Content: Sendable {
        var octets: UInt64
        var monotonic: UInt64
    }

    var request: Head
    var requestContent: Content?
    /// The final response; an interim one (1xx, RFC 9110 section 15.2) is none.
    var response: Head?
    var responseContent: Content?
    /// How much content came of a message that was cut off, where that is known.
    var partialRequest: UInt64?
    var partialResponse: UInt64?
    /// What the connection took to be made, if this is the first request on it.
    var making: HARConnection.Making?

    /// Why an entry has no response.
    enum Missing: Sendable {
        /// None came, as far as the transcript goes.
        case unanswered
        /// Nobody looked for it any more.
        case notFollowed
        /// So many requests waited that this one was written before its response came.
        case notAwaited
    }

    /// How many octets the heads take, about.
    var size: Int { request.record.size + (response?.record.size ?? 0) }

    /// How much content the request had, or how much of it came; nil if that is not known.
    var requestOctets: UInt64? { requestContent?.octets ?? partialRequest }

    /// How much content the response had, or how much of it came; nil if that is not known.
    var responseOctets: UInt64? { responseContent?.octets ?? partialResponse }

    /// Whether nothing more comes.
    var isComplete: Bool { requestContent != nil && response != nil && responseContent != nil }

    /// How long sending, waiting and receiving took, in nanoseconds; zero where an end is not known.
    var timings: (send: UInt64, wait: UInt64, receive: UInt64) {
        func between(_ start: UInt64?, _ end: UInt64?) -> UInt64 {
            guard let start, let end, end > start else { return 0 }
            return end - start
        }
        let sent = requestContent?.monotonic ?? request.monotonic
        return (
            send: between(request.monotonic, sent), wait: between(sent, response?.monotonic),
            receive: between(response?.monotonic, responseContent?.monotonic)
        )
    }
}

/// What the entries of one connection have in common.
struct HARConnection: Sendable {
    /// How long it took to make the connection to the origin, in nanoseconds.
    struct Making: Sendable {
        /// Names and TCP.
        var connecting: UInt64
        /// TLS; nil if it never came to stand.
        var securing: UInt64?
    }

    var number: UInt64
    /// What the client asked the proxy for.
    var endpoint: Endpoint?
    var serverAddress: String?
    var ja4: String?
    var verdict: RecordedVerdict?
    var making: Making?
    /// When TCP to the origin stood.
    var connected: UInt64?
    /// Requests whose response is not over, in the order of their numbers' arrival.
    var open: [UInt64: HARExchange] = [:]
    /// Exchanges that wait for the verdict.
    var complete: [HARExchange] = []
    /// How many octets the heads in `open` and `complete` take, about.
    var size = 0
    /// Whether a request was seen.
    var hasRequests = false
    /// Whether a side was not followed to the end.
    var isStopped = false
    /// Whether responses were not.
    var responsesStopped = false
    /// Whether requests were written before their responses came.
    var hasOverflowed = false
    /// What came of each side's messages.
    var accounts: [Side: HTTPOctetAccount] = [.client: HTTPOctetAccount(), .origin: HTTPOctetAccount()]
    /// How often events were missing before it was opened; nil if its beginning itself is.
    var missingBefore: UInt64?

    /// The URL of a request.
    func url(of head: ObservedHead) -> String {
        let target = head.target ?? ""
        // The absolute form (RFC 9112 section 3.2.2) is whole; others begin with a slash, or are "*" alone.
        if target.utf8.first != UInt8(ascii: "/"), target.contains("://") { return target }
        let authority = head.authority ?? endpoint.map(Self.authority) ?? "unknown"
        let path = target.utf8.first == UInt8(ascii: "/") || target.isEmpty ? target : "/" + target
        return "\(head.scheme ?? "https")://\(authority)\(path)"
    }

    private static func authority(_ endpoint: Endpoint) -> String {
        endpoint.port == 443 ? "\(endpoint.host)" : "\(endpoint)"
    }
}

extension ObservedHead {
    fileprivate var size: Int {
        fields.reduce(256 + (target?.utf8.count ?? 0)) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
