internal import Crypto
internal import Engine
internal import Reactor
internal import Transcript
internal import Wire

/// One connection to the test origin: hello, handshake, requests, end.
///
/// **Thread:** confined to its service's loop.
final class OriginConnection {
    private let channel: Channel
    private unowned let service: OriginService
    private var assembler = ClientHelloAssembler()
    private var hello: ClientHello?
    private var answering: AnsweringStream?
    private var timer: LoopTimer?
    private var isFinishing = false
    private var isAdvancing = false

    init(_ stream: SocketStream, service: OriginService) {
        channel = Channel(stream)
        self.service = service
    }

    func start() {
        channel.stream.onReadable = { [unowned self] in advance() }
        channel.stream.onWritable = { [unowned self] in advance() }
        channel.stream.wantsReadable = true
        expect(within: .seconds(30))
    }

    func close() {
        timer?.cancel()
        channel.close()
        service.forget(self)
    }

    private func advance() {
        guard !isFinishing else { return }
        if let answering { return serve(answering) }
        if channel.session != nil { return advanceHandshake() }
        readHello()
    }

    /// The whole hello is read before TLS starts: it decides the protocol, and it is part of what the origin reports.
    private func readHello() {
        let bytes = ByteQueue()
        switch channel.read(into: bytes, upTo: Self.helloChunk) {
        case .bytes: break
        case .nothing: return
        case .ended, .failed: return close()
        }
        switch assembler.receive(bytes.takeAll()) {
        case .incomplete: return
        case .hello(let hello, _): self.hello = hello
        // OpenSSL answers what is not a hello with the alert that is due.
        case .notTLS, .malformed, .tooLarge: break
        }
        guard
            let session = try? TLSSession.accepting(
                service.context, identity: service.identity, authentication: service.clients.authentication,
                alpn: chosenProtocol)
        else { return close() }
        channel.secure(session, received: assembler.received)
        assembler = ClientHelloAssembler()
        advanceHandshake()
    }

    private func advanceHandshake() {
        switch channel.handshake() {
        case .waiting: return
        case .ended, .failed: return close()
        case .complete: break
        }
        let chain = channel.session?.peerChain ?? []
        let client = chain.first.map { leaf in
            ClientSeen(leaf, certificates: chain.count, fault: service.clients.fault(of: chain))
        }
        let source = OriginAnswers(hello: hello, session: channel.session?.parameters, client: client)
        let version: AnswerSession.Version = chosenProtocol == Self.http2 ? .http2 : .http1
        let answering = AnsweringStream(channel, version: version, source: source)
        self.answering = answering
        serve(answering)
    }

    private func serve(_ answering: AnsweringStream) {
        expect(within: .seconds(600))
        let progress = answering.advance()
        let isFull = if case .full = progress { true } else { false }
        channel.stream.wantsReadable = !isFull && !channel.hasEnded
        switch progress {
        case .waiting, .full: break
        case .more: advanceLater()
        case .delivered, .ended: finish()
        case .failed: close()
        }
    }

    /// Goes on in the loop's next turn, once, however often it was asked for.
    private func advanceLater() {
        guard !isAdvancing else { return }
        isAdvancing = true
        service.loop.later { [weak self] in
            self?.isAdvancing = false
            self?.advance()
        }
    }

    /// Ends politely: what waits, close_notify, FIN; then whatever the peer still says is dropped until it ends too.
    private func finish() {
        guard !isFinishing else { return }
        isFinishing = true
        expect(within: .seconds(5))
        channel.finish(.proxy)
        channel.stream.onReadable = { [unowned self] in settle() }
        channel.stream.onWritable = { [unowned self] in settle() }
        settle()
    }

    /// Sends and drops what is left; closes when both directions have ended.
    private func settle() {
        if case .ended = channel.flush() { return close() }
        if case .ended(let end) = channel.discard(), end != .fin, end != .closeNotify { return close() }
        channel.stream.wantsReadable = !channel.hasEnded
        if channel.hasEnded, !channel.isEnding { close() }
    }

    private func expect(within limit: Duration) {
        timer?.cancel()
        timer = service.loop.timer(after: limit) { [unowned self] in close() }
    }

    private var chosenProtocol: [UInt8]? {
        [Self.http2, Array("http/1.1".utf8)].first { hello?.alpn?.contains($0) == true }
    }

    private static let http2 = Array("h2".utf8)
    private static let helloChunk = 16 * 1024
}
