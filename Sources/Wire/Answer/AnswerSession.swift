/// The server's side of one HTTP connection: plain bytes in, an `AnswerSource` asked, plain bytes out.
///
/// It serves error pages inside forged sessions and the whole of the test origin. It knows no socket and no TLS, and is
/// pulled: nothing is produced that was not asked for, so a body of any size passes through a buffer of any size.
///
/// An owner goes round this loop whenever bytes have arrived or room has come free:
/// 1. `receive(from:)`, which leaves in the queue what the session cannot take yet;
/// 2. `produce(into:limit:)`, then send what was produced;
/// 3. again from 1 if `acceptsInput` and input is still waiting.
///
/// Memory is bounded whatever the peer does: heads at 64 KiB each, 64 KiB of pipelined HTTP/1 requests, 128 HTTP/2
/// streams; a peer that sends without reading finds that the session stops taking its bytes.
///
/// **Ownership:** holds the source, which must not hold the session. **Thread:** confined to one thread.
public final class AnswerSession {
    /// The protocol to speak, as ALPN negotiated it.
    public enum Version: Sendable {
        /// HTTP/1.0 and HTTP/1.1 (RFC 9112).
        case http1
        /// HTTP/2 (RFC 9113).
        case http2
    }

    private let answering: any Answering
    private var hasThrown = false

    /// Starts a connection on which nothing was sent yet; an HTTP/2 server has its settings to send at once.
    public init(version: Version, source: any AnswerSource) {
        switch version {
        case .http1: answering = HTTP1Answering(source: source)
        case .http2: answering = HTTP2Answering(source: source)
        }
    }

    /// Takes what it can from `plain`; what it leaves waits until `acceptsInput`.
    ///
    /// - Throws: How the peer broke the protocol, once. The peer is told (400, 431, GOAWAY) by what `produce` then
    ///   yields; the rest of its input is taken and dropped.
    public func receive(from plain: ByteQueue) throws(WireError) {
        answering.receive(from: plain)
        if let fault = answering.fault, !hasThrown {
            hasThrown = true
            throw fault
        }
    }

    /// Writes pending output until `plain` holds `limit` bytes, or by up to one HTTP/2 frame more.
    public func produce(into plain: ByteQueue, limit: Int) {
        answering.produce(into: plain, limit: limit)
    }

    /// Whether `produce` has something to write.
    public var hasOutput: Bool { answering.hasOutput }

    /// Whether `receive` would take bytes now; false while earlier requests must be answered first.
    public var acceptsInput: Bool { answering.acceptsInput }

    /// Whether everything is answered and produced, and the connection is to be closed when that has been sent.
    public var wantsToClose: Bool { answering.wantsToClose }

    /// How the peer broke the protocol, if it did; some faults are found only while output is produced.
    public var fault: WireError? { answering.fault }
}

/// What a protocol version implements for `AnswerSession`, whose members say what these mean.
protocol Answering: AnyObject {
    var hasOutput: Bool { get }
    var acceptsInput: Bool { get }
    var wantsToClose: Bool { get }
    var fault: WireError? { get }
    func receive(from plain: ByteQueue)
    func produce(into plain: ByteQueue, limit: Int)
}
