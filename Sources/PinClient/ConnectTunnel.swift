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
        /// The proxy said no.
        case refused(HTTPResponseHead)
        /// The proxy did not answer as a proxy does.
        case failed(CheckFailure.Kind, detail: String)
    }

    /// The most that a head may take; interim answers count towards it.
    private static let limit = 65_536

    private let stream: SocketStream
    private let request = ByteQueue()
    private let answer = ByteQueue()
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
        switch stream.read(into: answer, upTo: Self.limit) {
        case .bytes: understand()
        case .wouldBlock: break
        case .end: finish(.failed(.ended, detail: "the proxy closed the connection without an answer to CONNECT"))
        case .failed(let errno):
            finish(
                .failed(
                    .ended, detail: "the connection to the proxy broke before an answer to CONNECT (errno \(errno))"))
        }
    }

    private func understand() {
        let bytes = answer.withBytes { [UInt8]($0) }
        switch HTTPResponseHead.parse(bytes, limit: Self.limit) {
        case .incomplete:
            break
        case .complete(let head, let length):
            switch head.status {
            case 100..<200:
                answer.consume(length)
                understand()
            case 200..<300: finish(.established(head, early: Array(bytes[length...])))
            default: finish(.refused(head))
            }
        case .malformed(let reason):
            finish(.failed(.notHTTP, detail: "the proxy's answer to CONNECT is not HTTP/1: \(reason)"))
        case .tooLarge:
            finish(.failed(.answerTooLarge, detail: "the proxy's answer to CONNECT has a head of more than 64 KiB"))
        }
    }

    private func finish(_ outcome: Outcome) {
        stream.wantsReadable = false
        stream.wantsWritable = false
        (stream.onReadable, stream.onWritable) = (nil, nil)
        completion(outcome)
    }
}
