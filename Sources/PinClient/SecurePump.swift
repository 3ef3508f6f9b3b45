internal import Crypto
internal import Reactor
internal import Wire

/// Moves bytes between a socket and a TLS session.
///
/// It holds no more than one read of ciphertext: what was decrypted is handed on at once.
///
/// **Ownership:** owns the stream and the session; `close` ends both. **Thread:** the stream's loop. It may be closed and
/// released inside its own callbacks.
final class SecurePump {
    /// How the peer, or the session, ended.
    enum End {
        /// The peer sent close_notify.
        case closeNotify
        /// TLS failed.
        case failed(TLSFailure)
        /// The socket ended, in these words, without a close_notify.
        case socket(String)
    }

    private static let readSize = 65_536
    /// What is thrown away at most while waiting for the peer to end.
    private static let farewellAllowance = 1 << 20

    /// Called when the handshake is finished.
    var onSecured: (() -> Void)?
    /// Called with application data.
    var onBytes: (([UInt8]) -> Void)?
    /// Called at the end, once; not after `close`.
    var onEnd: ((End) -> Void)?

    private let loop: EventLoop
    private let stream: SocketStream
    private let session: TLSSession
    private let received = ByteQueue()
    private let unsent = ByteQueue()
    private var isEnded = false
    private var farewell: (timer: LoopTimer, allowance: Int, completion: () -> Void)?

    /// Joins a socket and a session; `start` sets them in motion.
    init(loop: EventLoop, stream: SocketStream, session: TLSSession) {
        self.loop = loop
        self.stream = stream
        self.session = session
    }

    /// What the handshake agreed on; nil before it was finished.
    var parameters: TLSFacts? { session.parameters }

    /// Begins the handshake.
    ///
    /// - Parameter early: What was received already.
    func start(with early: [UInt8]) {
        stream.onReadable = { [unowned self] in receive() }
        stream.onWritable = { [unowned self] in flush() }
        stream.wantsReadable = true
        session.inbound.append(early)
        advance()
    }

    /// Sends application data.
    func send(_ bytes: [UInt8]) {
        unsent.append(bytes)
        encrypt()
        flush()
    }

    /// Ends the session and the connection: delivers what is left, close_notify or an alert among it, and waits for the
    /// peer to end too, since a socket that is closed with unread bytes makes the peer's kernel throw the alert away.
    ///
    /// - Parameters:
    ///   - limit: How long to wait for the peer.
    ///   - completion: Called when the connection is gone.
    func close(within limit: Duration, _ completion: @escaping () -> Void) {
        isEnded = true
        session.sendCloseNotify()
        let timer = loop.timer(after: limit) { [unowned self] in leave() }
        farewell = (timer, Self.farewellAllowance, completion)
        stream.wantsReadable = true
        flush()
    }

    private func receive() {
        guard farewell == nil else { return discard() }
        switch stream.read(into: session.inbound, upTo: Self.readSize) {
        case .bytes: advance()
        case .wouldBlock: break
        case .end: end(.socket("the peer closed the connection"))
        case .failed(let errno): end(.socket("the connection broke (errno \(errno))"))
        }
    }

    private func advance() {
        if !session.isHandshakeComplete {
            let step = session.handshake()
            flush()
            switch step {
            case .needsInput: return
            case .failed(let failure): return end(.failed(failure))
            case .complete: onSecured?()
            }
        }
        decrypt()
        encrypt()
        flush()
    }

    private func decrypt() {
        while !isEnded {
            switch session.read(into: received, upTo: Self.readSize) {
            case .bytes: onBytes?(received.takeAll())
            case .needsInput: return
            case .closed: end(.closeNotify)
            case .failed(let failure): end(.failed(failure))
            }
        }
    }

    private func encrypt() {
        guard !isEnded, session.isHandshakeComplete else { return }
        while !unsent.isEmpty {
            switch session.write(from: unsent, upTo: unsent.count) {
            // Zero: the peer renegotiates, and has to be heard first.
            case .bytes(0): return
            case .bytes: continue
            case .failed(let failure): return end(.failed(failure))
            }
        }
    }

    private func flush() {
        let result = stream.write(from: session.outbound)
        // A broken connection shows when it is read from, after what the peer may have sent before.
        stream.wantsWritable = result == .wouldBlock
        if farewell != nil, result != .wouldBlock { stream.finishWriting() }
    }

    private func end(_ end: End) {
        guard !isEnded else { return }
        isEnded = true
        stream.wantsReadable = false
        onEnd?(end)
    }

    private func discard() {
        let scratch = ByteQueue()
        switch stream.read(into: scratch, upTo: Self.readSize) {
        case .bytes(let count):
            farewell?.allowance -= count
            if let farewell, farewell.allowance < 0 { leave() }
        case .wouldBlock: break
        case .end, .failed: leave()
        }
    }

    private func leave() {
        stream.close()
        let completion = farewell?.completion
        farewell = nil
        completion?()
    }
}
