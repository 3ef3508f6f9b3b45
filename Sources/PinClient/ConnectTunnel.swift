internal import Glibc
internal import Reactor
internal import Wire

/// A CONNECT request to an HTTP proxy and its answer (RFC 9110 section 9.3.6), on a connected socket.
///
/// **Ownership:** borrows the stream's callbacks until the completion is called. **Thread:** the stream's loop.
final class ConnectTunnel {
    /// What the proxy made of the request.
    enum Outcome {
        /// What is read and written from here on belongs to the tunnel, these first bytes of it already here.
        case established(HTTPResponseHead, early: [UInt8])
        /// The proxy said no, for this reason if it gave one.
        case refused(HTTPResponseHead, reason: String?)
        /// The proxy did not answer as a proxy does.
        case failed(CheckFailure.Kind, detail: String)
    }

    private static let readSize = 16_384
    private static let longestReason = 2048

    private let stream: SocketStream
    private let request = ByteQueue()
    private let received = ByteQueue()
    private var answer = AnswerHead()
    private var refusal: (head: HTTPResponseHead, body: [UInt8])?
    private let completion: (Outcome) -> Void

    /// Asks for a tunnel.
    ///
    /// - Parameters:
    ///   - stream: The connection to the proxy.
    ///   - endpoint: Where the tunnel is to lead.
    ///   - completion: Gets the outcome once, unless the tunnel is released before.
    init(over stream: SocketStream, to endpoint: Endpoint, _ completion: @escaping (Outcome) -> Void) {
        self.stream = stream
        self.completion = completion
        request.append(Array("CONNECT \(endpoint) HTTP/1.1\r\nHost: \(endpoint)\r\n\r\n".utf8))
        stream.onReadable = { [unowned self] in receive() }
        stream.onWritable = { [unowned self] in send() }
        stream.wantsReadable = true
        send()
    }

    private func send() {
        // A broken connection shows when it is read from, after an answer that may have come before.
        stream.wantsWritable = stream.write(from: request) == .wouldBlock
    }

    private func receive() {
        switch stream.read(into: received, upTo: Self.readSize) {
        case .bytes: understand()
        case .wouldBlock: break
        case .end where refusal != nil: refuse()
        case .end: finish(.failed(.ended, detail: "the proxy closed the connection without an answer to CONNECT"))
        case .failed(let errno):
            let detail =
                "the connection to the proxy broke before an answer to CONNECT: \(String(cString: strerror(errno)))"
            finish(.failed(.ended, detail: detail))
        }
    }

    private func understand() {
        guard refusal == nil else {
            refusal?.body += received.takeAll()
            return refuseIfWhole()
        }
        switch answer.receive(received.takeAll()) {
        case .incomplete: break
        case .complete(let head, let rest):
            // Nothing that a successful answer says of a body is true (RFC 9110 section 9.3.6).
            if (200..<300).contains(head.status) { return finish(.established(head, early: rest)) }
            refusal = (head, rest)
            refuseIfWhole()
        case .failed(let kind, let reason): finish(.failed(kind, detail: "the proxy's answer to CONNECT \(reason)"))
        }
    }

    /// Ends with a refusal once the proxy has said why, as far as it is short.
    private func refuseIfWhole() {
        guard let refusal else { return }
        let length = refusal.head.headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
        if refusal.body.count >= min(length ?? 0, Self.longestReason) { refuse() }
    }

    private func refuse() {
        guard let refusal else { return }
        let text = String(decoding: refusal.body.prefix(Self.longestReason), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix("pinproof: ") }
        let isText = !text.hasPrefix("<")
        finish(.refused(refusal.head, reason: isText && !lines.isEmpty ? lines.joined(separator: "; ") : nil))
    }

    private func finish(_ outcome: Outcome) {
        stream.wantsReadable = false
        stream.wantsWritable = false
        (stream.onReadable, stream.onWritable) = (nil, nil)
        completion(outcome)
    }
}
