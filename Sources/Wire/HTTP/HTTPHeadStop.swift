/// Why the heads that a side of a connection sends are not followed any further.
public enum HTTPHeadStop: String, Error, Sendable, Equatable, CaseIterable {
    /// The bytes break the rules of HTTP, or are another protocol's.
    case malformed
    /// A head, or a frame of HTTP/2 that would have to be kept, is over `HTTPHeadBounds.octets` or has more fields than
    /// `HTTPHeadBounds.fields`.
    case headTooLarge
    /// The peers agreed on a table for compressed fields that is larger than what is kept of one.
    case tableTooLarge
    /// Where a message ends is open: its Content-Length fields contradict each other or are no number, or a request's
    /// content is framed by something else than chunks (RFC 9112 section 6.3).
    case lengthUnclear
    /// More requests wait for their responses, or SETTINGS for their acknowledgement, than are remembered.
    case tooManyWaiting
    /// A response whose request was not seen: what ends it depends on the request's method.
    case requestUnknown
}

extension HTTPHeadStop {
    /// Evaluates what reads a frame; whatever is wrong with one, it is malformed.
    static func wellFormed<Value>(
        _ value: @autoclosure () throws(WireError) -> Value
    ) throws(HTTPHeadStop) -> Value {
        do throws(WireError) { return try value() } catch { throw .malformed }
    }
}

/// What an observer of heads keeps at most.
enum HTTPHeadBounds {
    /// The octets of a head as sent, and of its fields when they are expanded: what Chromium takes.
    static let octets = 262_144
    /// The fields of a head.
    ///
    /// HPACK counts 32 octets for each over its text (RFC 7541 section 4.1), so that in HTTP/2 `octets` says the same.
    static let fields = 8192
    /// The requests of HTTP/1 that wait for their responses, and the streams of HTTP/2 that are open.
    static let waiting = 4096
}
