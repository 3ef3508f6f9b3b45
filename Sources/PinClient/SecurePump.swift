internal import Crypto
internal import Engine
internal import Glibc
internal import Reactor
internal import Transcript
internal import Wire

/// Drives a channel as a client does: shakes hands, hands on what comes, and takes its leave.
///
/// **Ownership:** owns the channel; `close` ends it. **Thread:** the stream's loop. It may be closed and released inside
/// its own callbacks.
final class SecurePump {
    /// How the peer, or the session, ended.
    enum End {
        /// The peer sent close_notify.
        case closeNotify
        /// The peer sent a fatal alert.
        case alert(UInt8)
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
    private let channel: Channel
    private let received = ByteQueue()
    private var isSecured = false
    private var isEnded = false
    private var farewell: (timer: LoopTimer, allowance: Int, completion: () -> Void)?

    /// Puts a session over a socket; `start` sets them in motion.
    ///
    /// - Parameters:
    ///   - loop: The stream's loop.
    ///   - stream: The socket.
    ///   - session: The session, with nothing received yet.
    ///   - early: What was received already.
    init(loop: EventLoop, stream: SocketStream, session: TLSSession, early: [UInt8]) {
        self.loop = loop
        channel = Channel(stream)
        channel.secure(session, received: early)
    }

    /// What the handshake agreed on; nil before it was finished.
    var parameters: TLSFacts? { channel.session?.parameters }

    /// Begins the handshake.
    func start() {
        channel.stream.onReadable = { [unowned self] in farewell == nil ? advance() : discard() }
        channel.stream.onWritable = { [unowned self] in flush() }
        channel.stream.wantsReadable = true
        advance()
    }

    /// Sends application data.
    func send(_ bytes: [UInt8]) {
        let plain = ByteQueue()
        plain.append(bytes)
        if let failure = channel.write(from: plain) { return end(.failed(failure)) }
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
        let timer = loop.timer(after: limit) { [unowned self] in leave() }
        farewell = (timer, Self.farewellAllowance, completion)
        channel.finish(.proxy)
        flush()
        if channel.hasEnded { return leave() }
        channel.stream.wantsReadable = true
    }

    private func advance() {
        if !isSecured {
            switch channel.handshake() {
            case .waiting: return
            case .ended(let how): return peerEnded(how)
            case .failed(let failure): return end(.failed(failure))
            case .complete: break
            }
            isSecured = true
            onSecured?()
        }
        while !isEnded {
            switch channel.read(into: received, upTo: Self.readSize) {
            case .bytes: onBytes?(received.takeAll())
            case .nothing: return flush()
            case .ended(let how): peerEnded(how)
            case .failed(let failure): end(.failed(failure))
            }
        }
    }

    private func flush() {
        // A broken connection shows when it is read from, after what the peer may have sent before.
        _ = channel.flush()
    }

    private func peerEnded(_ how: Transcript.End) {
        switch how {
        case .closeNotify: end(.closeNotify)
        case .alert(let code): end(.alert(code))
        case .reset: end(.socket("the peer reset the connection"))
        case .error(let errno): end(.socket("the connection broke: \(String(cString: strerror(errno)))"))
        case .fin, .timeout, .proxy: end(.socket("the peer closed the connection"))
        }
    }

    private func end(_ end: End) {
        guard !isEnded else { return }
        isEnded = true
        channel.stream.wantsReadable = false
        onEnd?(end)
    }

    private func discard() {
        switch channel.discard() {
        case .bytes(let count):
            farewell?.allowance -= count
            if let farewell, farewell.allowance < 0 { leave() }
        case .nothing: break
        case .ended, .failed: leave()
        }
    }

    private func leave() {
        channel.close()
        let completion = farewell?.completion
        farewell = nil
        completion?()
    }
}
