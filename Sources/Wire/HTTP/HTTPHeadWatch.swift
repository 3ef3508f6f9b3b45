/// Follows the HTTP messages of an intercepted connection by copies of their bytes, to tell of their heads.
///
/// It cannot disturb what it watches: where the bytes break the protocol or a limit it gives up on the side whose bytes they
/// are, and says so. What it keeps is bounded (`HTTPHeadBounds`): a head on each side, as sent and expanded, and counters
/// for the streams that are open, or an octet for each request that waits.
///
/// **Thread:** confined to one thread.
public final class HTTPHeadWatch {
    /// Whose bytes they are.
    public typealias Sender = HTTPSender

    /// What came to its end.
    public enum Observation: Sendable, Equatable {
        /// A head; also of interim responses, which share the exchange of the final one.
        case head(ObservedHead)
        /// The content of a message, with its octets as transferred: chunked framing and padding are not counted, content
        /// codings are not undone. Messages without content end with 0.
        case contentEnded(Sender, exchange: UInt64, bytes: UInt64)
        /// The messages of a side are not followed any further, for this reason: said once. Where another protocol follows
        /// by the rules of HTTP, after 101 or CONNECT, there is nothing to be said.
        case stopped(Sender, HTTPHeadStop)
    }

    private var http1: HTTP1MessageWatch?
    private var http2: HTTP2MessageWatch?

    /// Starts before the first byte of either side.
    ///
    /// - Parameter applicationProtocol: The protocol that ALPN agreed on. Without one it is HTTP/1, if the bytes show to be
    ///   that; HTTP/2 without ALPN is not followed.
    public init(applicationProtocol: String?) {
        switch applicationProtocol {
        case "h2": http2 = HTTP2MessageWatch()
        case nil, "http/1.0", "http/1.1": http1 = HTTP1MessageWatch()
        default: break
        }
    }

    /// Whether anything can be followed any further; once false, it stays so.
    public var isWatching: Bool { http1 != nil || http2 != nil }

    /// Takes the next bytes of a side.
    ///
    /// - Parameters:
    ///   - sender: Whose bytes they are. A request is to be shown before its response.
    ///   - bytes: The bytes without TLS, however they are cut.
    /// - Returns: What they complete, in their order.
    public func observe(_ sender: Sender, _ bytes: UnsafeRawBufferPointer) -> [Observation] {
        if let found = http2?.observe(sender, bytes) {
            if http2?.isWatching == false { http2 = nil }
            return found.compactMap(Observation.init)
        }
        guard let found = http1?.observe(sender, bytes) else { return [] }
        if http1?.isWatching == false { http1 = nil }
        return found.map(Observation.init)
    }

    /// Takes the end of a side's bytes: some responses of HTTP/1 end with it.
    ///
    /// - Parameter sender: Whose bytes have ended.
    /// - Returns: What ends with them.
    public func finish(_ sender: Sender) -> [Observation] { (http1?.finish(sender) ?? []).map(Observation.init) }
}

// Confined to a thread, like the handles that it owns.
@available(*, unavailable) extension HTTPHeadWatch: Sendable {}

extension HTTPHeadWatch.Observation {
    /// Tells what was observed in HTTP/1.
    init(_ observation: HTTP1MessageWatch.Observation) {
        switch observation {
        case .request(let head, let exchange, let length):
            self = .head(ObservedHead(head, exchange: exchange, length: length))
        case .response(let head, let exchange, let length):
            self = .head(ObservedHead(head, exchange: exchange, length: length))
        case .contentEnded(let sender, let exchange, let bytes):
            self = .contentEnded(sender, exchange: exchange, bytes: bytes)
        case .stopped(let sender, let reason): self = .stopped(sender, reason)
        }
    }

    /// Tells what was observed in HTTP/2; nil for a head that is none.
    init?(_ observation: HTTP2MessageWatch.Observation) {
        switch observation {
        case .head(let sender, let stream, let fields, let length):
            guard let head = ObservedHead(sender: sender, stream: stream, fields: fields, length: length) else {
                return nil
            }
            self = .head(head)
        case .contentEnded(let sender, let stream, let bytes):
            self = .contentEnded(sender, exchange: UInt64(stream), bytes: bytes)
        case .stopped(let sender, let reason): self = .stopped(sender, reason)
        }
    }
}
