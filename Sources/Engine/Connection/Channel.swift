package import Crypto
internal import Glibc
package import Reactor
package import Transcript
package import Wire

/// A socket, and the TLS session over it once there is one: bytes in the clear on one side, the network on the other.
///
/// The end of a stream is only reported after everything before it was read, and our own direction is only ended after
/// everything before that was sent.
///
/// **Ownership:** owns its stream and session. **Thread:** confined to the loop of its stream.
package final class Channel {
    /// What reading brought.
    package enum Reading {
        /// So many bytes were appended.
        case bytes(Int)
        /// Nothing more is here now.
        case nothing
        /// The peer ended its direction in this way.
        case ended(End)
        /// The session broke for a reason found on our side of it.
        case failed(TLSFailure)
    }

    /// How far a handshake is.
    package enum Handshake {
        /// It is complete.
        case complete
        /// More bytes from the peer are needed.
        case waiting
        /// The peer ended it in this way.
        case ended(End)
        /// It failed for a reason found on our side of it.
        case failed(TLSFailure)
    }

    /// What became of the bytes that wait to be sent.
    package enum Flush {
        /// All are with the kernel, and the endings that were asked for are done.
        case done(endings: Int)
        /// The kernel takes no more at the moment.
        case full
        /// The peer is gone.
        case ended(End)
        /// The session broke for a reason found on our side of it.
        case failed(TLSFailure)
    }

    /// The stream below.
    package let stream: SocketStream
    /// The TLS session, once `secure` was called.
    package private(set) var session: TLSSession?
    private let clear = ByteQueue()
    /// Bytes in the clear that the session cannot take while a renegotiation waits for the peer (RFC 5246, 7.4.1.1).
    private let held = ByteQueue()
    private var endings: [End] = []
    private var sawCloseNotify = false
    private var sawFIN = false
    private var isReset = false

    /// Takes over a connected stream.
    package init(_ stream: SocketStream) {
        self.stream = stream
    }

    /// Puts a TLS session on top; bytes of the peer that were read before go to it first.
    package func secure(_ session: TLSSession, received: [UInt8] = []) {
        if !received.isEmpty { session.inbound.append(received) }
        self.session = session
    }

    /// What waits to be sent, as it will be on the wire.
    package var outbound: ByteQueue { session?.outbound ?? clear }

    /// Takes the handshake as far as what has arrived allows.
    package func handshake() -> Handshake {
        guard let session else { preconditionFailure("a handshake needs a session") }
        while true {
            let step = session.handshake()
            switch flush() {
            case .ended(let end): return .ended(end)
            case .failed(let failure): return .failed(failure)
            case .done, .full: break
            }
            switch step {
            case .complete: return .complete
            case .failed(let failure): return Self.byPeer(failure).map(Handshake.ended) ?? .failed(failure)
            case .needsInput: break
            }
            switch fill(session.inbound, upTo: Self.handshakeChunk) {
            case .bytes: continue
            case .nothing: return .waiting
            case .ended(let end): return .ended(end)
            case .failed(let failure): return .failed(failure)
            }
        }
    }

    /// Appends what the peer sent, in the clear, until `plain` holds `limit` bytes or nothing more is here.
    package func read(into plain: ByteQueue, upTo limit: Int) -> Reading {
        guard let session else { return fill(plain, upTo: limit - plain.count) }
        // After a close_notify nothing counts but how TCP ends (RFC 8446 section 6.1).
        if sawCloseNotify {
            if case .ended(let end) = discard() { return .ended(end) }
            return .nothing
        }
        while true {
            switch session.read(into: plain, upTo: limit) {
            case .bytes(let count):
                return .bytes(count)
            case .closed:
                sawCloseNotify = true
                session.inbound.consume(session.inbound.count)
                return .ended(.closeNotify)
            case .failed(let failure):
                return Self.byPeer(failure).map(Reading.ended) ?? .failed(failure)
            case .needsInput:
                switch fill(session.inbound, upTo: Self.chunk) {
                case .bytes: continue
                case let other:
                    session.inbound.releaseIfEmpty()
                    return other
                }
            }
        }
    }

    /// Reads and drops what the peer still sends, a bounded amount at a time.
    ///
    /// - Returns: How many bytes were dropped, or that there were none, or that the peer has ended.
    package func discard() -> Reading {
        let waste = session?.inbound ?? ByteQueue()
        var dropped = 0
        defer { waste.releaseIfEmpty() }
        for _ in 0..<Self.discardedChunks {
            waste.consume(waste.count)
            switch fill(waste, upTo: Self.handshakeChunk) {
            case .bytes(let count): dropped += count
            case .nothing: return dropped == 0 ? .nothing : .bytes(dropped)
            case let other: return other
            }
        }
        waste.consume(waste.count)
        return .bytes(dropped)
    }

    /// Takes all of `plain` for the peer; `flush` sends it.
    ///
    /// - Returns: What broke the session, if it broke.
    package func write(from plain: ByteQueue) -> TLSFailure? {
        guard let session else {
            plain.withBytes { clear.append($0) }
            plain.consume(plain.count)
            return nil
        }
        if held.isEmpty, let failure = encrypt(plain, session) { return failure }
        plain.withBytes { held.append($0) }
        plain.consume(plain.count)
        return nil
    }

    /// Encrypts as much as the session takes.
    private func encrypt(_ plain: ByteQueue, _ session: TLSSession) -> TLSFailure? {
        while !plain.isEmpty {
            switch session.write(from: plain, upTo: plain.count) {
            case .bytes(0): return nil
            case .bytes: continue
            case .failed(let failure): return failure
            }
        }
        return nil
    }

    /// Takes raw bytes for the peer, below any TLS; `flush` sends them.
    package func write(raw bytes: [UInt8]) {
        outbound.append(bytes)
    }

    /// Asks for our direction to be ended in this way once everything before is sent; `flush` does it.
    package func finish(_ how: End) {
        endings.append(how)
    }

    /// Sends what waits, as far as the kernel takes it, then does the endings that were asked for.
    package func flush() -> Flush {
        if !held.isEmpty, let session, let failure = encrypt(held, session) { return .failed(failure) }
        held.releaseIfEmpty()
        var done = 0
        while true {
            if !outbound.isEmpty {
                switch stream.write(from: outbound) {
                case .drained: outbound.releaseIfEmpty()
                case .wouldBlock:
                    stream.wantsWritable = true
                    return .full
                case .failed(let errno):
                    endings.removeAll()
                    return .ended(Self.end(errno))
                }
            }
            guard held.isEmpty else { return .full }
            guard let how = endings.first else { break }
            guard perform(how) else { break }
            endings.removeFirst()
            done += 1
        }
        if stream.wantsWritable { stream.wantsWritable = false }
        return .done(endings: done)
    }

    /// Whether the peer's TCP stream has ended, in whatever way.
    package var hasEnded: Bool { sawFIN }

    /// Whether endings are asked for that are not done yet.
    package var isEnding: Bool { !endings.isEmpty }

    /// Closes the socket.
    package func close() {
        if !isReset { stream.close() }
    }

    /// Ends our direction; false if the kernel still holds bytes that a reset would destroy.
    private func perform(_ how: End) -> Bool {
        switch how {
        case .closeNotify:
            sendCloseNotify()
        case .fin:
            stream.finishWriting()
        case .reset:
            guard stream.unsentBytes == 0 else { return false }
            isReset = true
            stream.reset()
        case .proxy, .alert, .timeout, .error:
            sendCloseNotify()
            // What that put into the queue goes out before the FIN that follows.
            endings.insert(.fin, at: 1)
        }
        return true
    }

    private func sendCloseNotify() {
        if let session, session.isHandshakeComplete { session.sendCloseNotify() }
    }

    private func fill(_ queue: ByteQueue, upTo limit: Int) -> Reading {
        if sawFIN { return .nothing }
        switch stream.read(into: queue, upTo: max(limit, 1)) {
        case .bytes(let count): return .bytes(count)
        case .wouldBlock: return .nothing
        case .end:
            sawFIN = true
            return .ended(.fin)
        case .failed(let errno):
            sawFIN = true
            return .ended(Self.end(errno))
        }
    }

    /// The end that a failure stands for if the peer caused it with an alert.
    private static func byPeer(_ failure: TLSFailure) -> End? {
        guard case .peerAlert(let code) = failure.kind else { return nil }
        // A close_notify before the handshake is finished (RFC 8446 section 6.1).
        return code == 0 ? .closeNotify : .alert(code)
    }

    private static func end(_ errno: Int32) -> End {
        errno == ECONNRESET || errno == EPIPE ? .reset : .error(errno)
    }

    /// Reads this large cost the least per byte (measured: docs/ARCHITECTURE.md).
    package static let chunk = 256 * 1024
    private static let handshakeChunk = 16 * 1024
    private static let discardedChunks = 16
}
