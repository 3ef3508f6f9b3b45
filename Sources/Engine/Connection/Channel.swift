package import Crypto
internal import Glibc
package import Reactor
package import Transcript
package import Wire

/// A socket, and the TLS session over it once there is one: bytes in the clear on one side, the network on the other.
///
/// The end of a stream is only reported after everything before it was read, and our own direction is only ended after
/// everything before that was sent. No call takes longer than a bounded amount of bytes, whatever a peer sends.
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
        /// The session broke for a reason found on our side of it; the alert that says so waits to be sent.
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
        /// All are with the kernel, and so many endings that were asked for are done.
        case done(endings: Int)
        /// The kernel takes no more at the moment, or the peer has to be heard first.
        case full
        /// The peer takes no more, for good; told once. What it said before is still to be read, and may say why.
        case ended(End)
    }

    /// The stream below.
    package let stream: SocketStream
    /// The TLS session, once `secure` was called.
    package private(set) var session: TLSSession?
    /// Bytes for the peer below any TLS.
    private let clear = ByteQueue()
    /// Bytes that the session cannot encrypt yet, because the peer is in the middle of a new handshake (TLS 1.2).
    private let unencrypted = ByteQueue()
    private var endings: [End] = []
    /// The endings that are done and not reported yet.
    private var finished = 0
    private var sawCloseNotify = false
    /// Whether the session broke while its bytes were dropped.
    private var isBroken = false
    private var writeFailure: Int32?
    /// Whether the peer's TCP stream has ended, in whatever way.
    package private(set) var hasEnded = false

    /// How much is read at once.
    let chunk: Int

    /// Takes over a connected stream.
    ///
    /// - Parameters:
    ///   - stream: The stream below.
    ///   - chunk: How much is read at once, and so may wait to be sent.
    package init(_ stream: SocketStream, chunk: Int = Channel.chunk) {
        self.stream = stream
        self.chunk = chunk
    }

    /// Puts a TLS session on top; bytes of the peer that were read before go to it first.
    package func secure(_ session: TLSSession, received: [UInt8] = []) {
        session.inbound.append(received)
        session.outbound.append(clear.takeAll())
        self.session = session
    }

    /// What waits to be sent, as it will be on the wire.
    package var outbound: ByteQueue { session?.outbound ?? clear }

    /// Whether `flush` should be called though nothing was written and the socket did not become writable.
    ///
    /// Reading brings it about: a session answers new keys, new handshakes and faults by itself, and a new handshake that
    /// is over lets it go on with what was written meanwhile.
    package var wantsFlush: Bool { !(outbound.isEmpty && unencrypted.isEmpty) && !stream.wantsWritable }

    /// Whether so much waits for the peer that it should not be read from either.
    ///
    /// No owner writes more ahead than one read and what encryption adds to it; only a peer that has the session answer it
    /// and takes no answers comes here.
    package var isClogged: Bool { outbound.count > chunk + chunk / 4 + Self.slack }

    /// How many bytes the peer has not taken yet: when the number stays the same, nothing moves.
    package var untaken: Int { outbound.count + stream.unsentBytes }

    /// Closes the socket; with a RST if one was asked for and not sent yet.
    package func close() {
        if endings.contains(.reset) { stream.reset() } else { stream.close() }
    }

    /// The end that an error of the socket stands for.
    static func end(_ errno: Int32) -> End {
        errno == ECONNRESET || errno == EPIPE ? .reset : .error(errno)
    }

    /// Reads this large cost the least per byte (measured: docs/ARCHITECTURE.md).
    package static let chunk = 256 * 1024
    /// What a session says of its own accord beside that: a new handshake with its certificates.
    private static let slack = 128 * 1024
    private static let smallChunk = 16 * 1024
    /// The reads in one call that bring nothing for the caller; then others have their turn.
    private static let fruitlessReads = 16
}

// MARK: - Receiving

extension Channel {
    /// Takes the handshake as far as what has arrived allows.
    package func handshake() -> Handshake {
        guard let session else { preconditionFailure("a handshake needs a session") }
        var lost: End?
        for reads in 0... {
            let step = session.handshake()
            // A peer that takes no more may have said why; that is read first.
            if case .ended(let end) = flush() { lost = end }
            switch step {
            case .complete: return lost.map(Handshake.ended) ?? .complete
            case .failed(let failure): return Self.byPeer(failure).map(Handshake.ended) ?? .failed(failure)
            case .suspended: return lost.map(Handshake.ended) ?? .waiting
            case .needsInput: break
            }
            guard reads < Self.fruitlessReads else { break }
            switch fill(session.inbound, upTo: Self.smallChunk) {
            case .bytes: continue
            case .nothing: return lost.map(Handshake.ended) ?? .waiting
            case .ended(let end): return .ended(end)
            case .failed(let failure): return .failed(failure)
            }
        }
        return .waiting
    }

    /// Appends what the peer sent, in the clear, until `plain` holds `limit` bytes or nothing more is here.
    package func read(into plain: ByteQueue, upTo limit: Int) -> Reading {
        guard let session else { return fill(plain, upTo: limit - plain.count) }
        // After a close_notify nothing counts but how TCP ends (RFC 8446 section 6.1).
        if sawCloseNotify {
            if case .ended(let end) = discard() { return .ended(end) }
            return .nothing
        }
        for reads in 0... {
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
                guard reads < Self.fruitlessReads else { break }
                switch fill(session.inbound, upTo: chunk) {
                case .bytes: continue
                case let other:
                    session.inbound.releaseIfEmpty()
                    return other
                }
            }
            break
        }
        return .nothing
    }

    /// Reads and drops what the peer still sends, a bounded amount at a time; a session that works tells how it ends.
    ///
    /// - Returns: How many bytes were dropped, or that there were none, or that the peer has ended.
    package func discard() -> Reading {
        let waste = ByteQueue()
        var dropped = 0
        for _ in 0..<Self.fruitlessReads {
            waste.consume(waste.count)
            switch isSessionOver ? dropRaw() : read(into: waste, upTo: Self.smallChunk) {
            case .bytes(let count): dropped += count
            case .nothing: return dropped == 0 ? .nothing : .bytes(dropped)
            case .failed: isBroken = true
            case .ended(let end): return .ended(end)
            }
        }
        return .bytes(dropped)
    }

    /// Whether nothing that the peer sends means anything any more: a handshake that was given up, a session that broke,
    /// or a close_notify (RFC 8446 section 6.1).
    private var isSessionOver: Bool {
        guard let session else { return false }
        return isBroken || sawCloseNotify || !session.isHandshakeComplete
    }

    private func dropRaw() -> Reading {
        let waste = session?.inbound ?? ByteQueue()
        waste.consume(waste.count)
        defer {
            waste.consume(waste.count)
            waste.releaseIfEmpty()
        }
        return fill(waste, upTo: Self.smallChunk)
    }

    private func fill(_ queue: ByteQueue, upTo limit: Int) -> Reading {
        if hasEnded { return .nothing }
        switch stream.read(into: queue, upTo: max(limit, 1)) {
        case .bytes(let count): return .bytes(count)
        case .wouldBlock: return .nothing
        case .end:
            hasEnded = true
            // The kernel tells an error once, and the write was told.
            return .ended(writeFailure == ECONNRESET ? .reset : .fin)
        case .failed(let errno):
            hasEnded = true
            return .ended(Self.end(errno))
        }
    }

    /// The end that a failure stands for if the peer caused it with an alert.
    private static func byPeer(_ failure: TLSFailure) -> End? {
        guard case .peerAlert(let code) = failure.kind else { return nil }
        // A close_notify before the handshake is finished (RFC 8446 section 6.1).
        return code == 0 ? .closeNotify : .alert(code)
    }
}

// MARK: - Sending

extension Channel {
    /// Takes all of `plain` for the peer; `flush` sends it.
    ///
    /// - Returns: What broke the session, if it broke.
    package func write(from plain: ByteQueue) -> TLSFailure? {
        defer { plain.consume(plain.count) }
        guard writeFailure == nil else { return nil }
        guard session != nil else {
            plain.withBytes { clear.append($0) }
            return nil
        }
        guard unencrypted.isEmpty else {
            plain.withBytes { unencrypted.append($0) }
            return nil
        }
        if let failure = encrypt(plain) { return failure }
        plain.withBytes { unencrypted.append($0) }
        return nil
    }

    /// Takes raw bytes for the peer, below any TLS; `flush` sends them.
    package func write(raw bytes: [UInt8]) {
        if writeFailure == nil { outbound.append(bytes) }
    }

    /// Asks for our direction to be ended in this way once everything before is sent; `flush` does it.
    package func finish(_ how: End) {
        endings.append(how)
    }

    /// Sends what waits, as far as the kernel takes it, then does the endings that were asked for.
    package func flush() -> Flush {
        // Nobody is left who could be told.
        if writeFailure != nil {
            finished += endings.count
            endings = []
        }
        while writeFailure == nil {
            // A session that breaks here says so to whoever reads next.
            if encrypt(unencrypted) != nil { unencrypted.consume(unencrypted.count) }
            unencrypted.releaseIfEmpty()
            if !outbound.isEmpty {
                switch stream.write(from: outbound) {
                case .drained: outbound.releaseIfEmpty()
                case .wouldBlock:
                    stream.wantsWritable = true
                    return .full
                case .failed(let errno):
                    giveUp(errno)
                    return .ended(Self.end(errno))
                }
            }
            stream.wantsWritable = false
            // To be tried again when something was read, not when the socket is writable: it is.
            guard unencrypted.isEmpty else { return .full }
            guard takeStep() else { break }
        }
        defer { finished = 0 }
        return .done(endings: finished)
    }

    /// Whether endings are asked for that are not done yet.
    package var isEnding: Bool { !endings.isEmpty }

    /// Encrypts until `plain` is empty, the session breaks, or the peer has to be heard first.
    private func encrypt(_ plain: ByteQueue) -> TLSFailure? {
        while let session, !plain.isEmpty {
            switch session.write(from: plain, upTo: plain.count) {
            case .bytes(0): return nil
            case .bytes: continue
            case .failed(let failure): return failure
            }
        }
        return nil
    }

    /// Takes the next step towards ending our direction; false if there is none to take now.
    private func takeStep() -> Bool {
        guard let how = endings.first else { return false }
        switch how {
        case .closeNotify:
            session?.sendCloseNotify()
        case .fin, .timeout:
            stream.finishWriting()
        case .reset:
            // The kernel still holds bytes that a reset would destroy.
            guard stream.unsentBytes == 0 else { return false }
            stream.reset()
        case .proxy, .alert, .error:
            session?.sendCloseNotify()
            // What that put into the queue goes out before the FIN.
            endings[0] = .fin
            return true
        }
        endings.removeFirst()
        finished += 1
        return true
    }

    private func giveUp(_ errno: Int32) {
        writeFailure = errno
        endings = []
        outbound.consume(outbound.count)
        outbound.releaseIfEmpty()
        unencrypted.consume(unencrypted.count)
        unencrypted.releaseIfEmpty()
    }
}
