internal import Crypto
internal import Glibc
internal import Reactor
internal import Transcript
internal import Wire

/// What a peer can be told to do again and again.
package protocol PeerActions: AnyObject {
    /// Sends bytes, inside TLS once there is a session.
    func send(_ bytes: [UInt8])
    /// Reads at most so many bytes.
    func read(_ limit: Int)
}

/// The part of a `Peer` that lives on its loop.
final class PeerEnd: PeerActions {
    private let loop: EventLoop
    let stream: SocketStream
    var keepsBytes = true
    private let view: Watched<PeerView>
    private var session: TLSSession?
    private let inbound = ByteQueue()
    private let outbound = ByteQueue()
    private let unencrypted = ByteQueue()
    private var repetition: LoopTimer?
    private var notifies = false
    private var finishes = false
    private var wasReset = false

    init(_ stream: SocketStream, on loop: EventLoop, _ view: Watched<PeerView>) {
        self.loop = loop
        self.stream = stream
        self.view = view
        stream.onReadable = { [unowned self] in read(65_536) }
        stream.onWritable = { [unowned self] in flush() }
        stream.wantsReadable = true
    }

    deinit { stream.close() }

    func keep(every milliseconds: Int, _ action: @escaping (any PeerActions) -> Void) {
        repetition = loop.timer(after: .milliseconds(milliseconds)) { [unowned self] in
            action(self)
            keep(every: milliseconds, action)
        }
    }

    func rest() { repetition = nil }

    func setReading(_ isOn: Bool) { stream.wantsReadable = isOn }

    func read(_ limit: Int) {
        let before = (session?.inbound ?? inbound).count
        let result = stream.read(into: session?.inbound ?? inbound, upTo: limit)
        let arrived = (session?.inbound ?? inbound).count - before
        view.update { $0.wire.received += arrived }
        switch result {
        case .bytes: digest()
        case .wouldBlock: break
        // The kernel tells an error once only; a write may have been told it, or the read before this one.
        case .end: view.update { [wasReset] in $0.end = $0.end ?? (wasReset ? .reset : .fin) }
        case .failed(let errno): view.update { $0.end = $0.end ?? (errno == ECONNRESET ? .reset : .error(errno)) }
        }
    }

    func send(_ bytes: [UInt8]) {
        if session == nil {
            outbound.append(bytes)
        } else {
            unencrypted.append(bytes)
        }
        flush()
    }

    func send(raw bytes: [UInt8]) {
        (session?.outbound ?? outbound).append(bytes)
        flush()
    }

    func sendCloseNotify() {
        notifies = true
        flush()
    }

    func sendFIN() {
        finishes = true
        flush()
    }

    func withSession(_ body: (TLSSession) -> Void) {
        if let session { body(session) }
        flush()
    }

    func begin(_ session: TLSSession, presenting identity: TLSIdentity? = nil) {
        session.onIdentityRequest = { [unowned self] request in
            view.update { $0.requests.append(request) }
            return identity
        }
        session.onMessage = { [unowned self] message in
            guard !message.sent, message.content == .alert, message.bytes.count == 2 else { return }
            let number = message.bytes[1]
            view.update { $0.alerts.append(number) }
        }
        // What came before and was not taken belongs to the session.
        let early = view.update { view in
            view.count -= view.received.count
            defer { view.received = [] }
            return view.received
        }
        session.inbound.append(early)
        self.session = session
        digest()
    }

    /// Does what can be done with the bytes that are here.
    func digest() {
        guard let session else { return show(inbound.takeAll()) }
        if !session.isHandshakeComplete {
            switch session.handshake() {
            case .complete:
                let (facts, chain) = (session.parameters, session.peerChain)
                view.update { ($0.isSecured, $0.facts, $0.chain) = (true, facts, chain) }
            case .needsInput, .suspended: break
            case .failed(let failure):
                let chain = session.peerChain
                view.update { ($0.failure, $0.chain) = (failure, chain) }
            }
        }
        if session.isHandshakeComplete {
            let clear = ByteQueue()
            reading: while true {
                switch session.read(into: clear, upTo: 1 << 20) {
                case .bytes: show(clear.takeAll())
                case .failed(let failure):
                    view.update { $0.failure = failure }
                    break reading
                case .needsInput, .closed: break reading
                }
            }
        }
        flush()
    }

    private func show(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let keepsBytes = keepsBytes
        view.update {
            $0.count += bytes.count
            if keepsBytes { $0.received += bytes }
        }
    }

    private func flush() {
        if let session, session.isHandshakeComplete {
            // A moderate amount ahead of the kernel, however much is to be sent.
            while !unencrypted.isEmpty, session.outbound.count < 1 << 18 {
                guard case .bytes(1...) = session.write(from: unencrypted, upTo: 1 << 16) else { break }
            }
            if notifies, unencrypted.isEmpty { session.sendCloseNotify() }
        }
        let queue = session?.outbound ?? outbound
        let before = queue.count
        let result = stream.write(from: queue)
        if result == .failed(errno: ECONNRESET) { wasReset = true }
        let sent = before - queue.count
        let isDone = result == .drained && unencrypted.isEmpty
        view.update { ($0.wire.sent, $0.isSent) = ($0.wire.sent + sent, isDone) }
        stream.wantsWritable = result == .wouldBlock || (result == .drained && !unencrypted.isEmpty && sent > 0)
        if isDone, finishes { stream.finishWriting() }
    }
}
