/// What two readers of an HTTP/1 message may understand differently: where its content ends.
///
/// A proxy that understood it otherwise than the origin would let one request hide in another (RFC 9112 section 11.2).
public enum FramingOddity: String, Sendable, Equatable, CaseIterable {
    /// Content-Length beside Transfer-Encoding (RFC 9112 section 6.3).
    case lengthBesideCoding
    /// Several Content-Length fields, or one that is not a number (RFC 9110 section 8.6).
    case unclearLength
    /// Transfer-Encoding more than once, or with other codings than chunked, or in HTTP/1.0 (RFC 9112 section 6.1).
    case unusualCoding
    /// Content-Length or Transfer-Encoding where there is no content: with 1xx and 204 (RFC 9110 section 8.6, RFC 9112
    /// section 6.1).
    case framedWithoutContent
}

extension FramingOddity {
    /// What is odd about a request's head.
    static func found(in head: HTTPRequestHead) -> [FramingOddity] { found(in: head.headers, head.minorVersion) }

    /// What is odd about a response's head.
    static func found(in head: HTTPResponseHead) -> [FramingOddity] {
        var found = found(in: head.headers, head.minorVersion)
        let isFramed = head.headers.contains { $0.isNamed("transfer-encoding") || $0.isNamed("content-length") }
        if isFramed, head.status < 200 || head.status == 204 { found.append(.framedWithoutContent) }
        return found
    }

    private static func found(in headers: [HTTPHeader], _ minorVersion: Int) -> [FramingOddity] {
        let codings = headers.values(named: "transfer-encoding")
        let lengths = headers.values(named: "content-length")
        var found: [FramingOddity] = []
        if !codings.isEmpty, !lengths.isEmpty { found.append(.lengthBesideCoding) }
        if lengths.count > 1 || lengths.first.map(Self.length) == .some(nil) { found.append(.unclearLength) }
        let isUsual = codings.isEmpty || codings.count == 1 && codings[0].lowercased() == "chunked" && minorVersion > 0
        if !isUsual { found.append(.unusualCoding) }
        return found
    }

    /// The number that a Content-Length field holds; nil if it is none.
    static func length(_ text: String) -> UInt64? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? UInt64(text) : nil
    }
}
