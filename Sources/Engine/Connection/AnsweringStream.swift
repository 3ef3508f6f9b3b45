package import Crypto
package import Transcript
package import Wire

/// An HTTP server's side of a channel: requests read from it are answered on it, as fast as the peer takes the answers.
///
/// **Ownership:** holds the channel and the session. **Thread:** confined to the channel's loop.
package final class AnsweringStream {
    /// How far the conversation is.
    package enum Progress {
        /// The peer has to say something.
        case waiting
        /// The peer has to take something first.
        case full
        /// There is more to do, but others on the loop should have their turn.
        case more
        /// Everything is answered, and the connection is to be ended.
        case delivered
        /// The peer ended its direction.
        case ended(End)
        /// The TLS session broke.
        case failed(TLSFailure)
    }

    private let channel: Channel
    private let session: AnswerSession
    private let input = ByteQueue()
    private let output = ByteQueue()
    private let onBytes: (UnsafeRawBufferPointer) -> Void
    private var inputEnd: End?

    /// Begins to serve a channel on which the peer has sent no request yet.
    ///
    /// - Parameters:
    ///   - channel: Where the peer is.
    ///   - version: The protocol that was agreed on.
    ///   - source: Who answers.
    ///   - unanswered: What the peer said before, in the clear.
    ///   - onBytes: Told what came from the peer, in the clear, before the source sees it.
    package init(
        _ channel: Channel, version: AnswerSession.Version, source: any AnswerSource, unanswered: [UInt8] = [],
        onBytes: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }
    ) {
        self.channel = channel
        self.onBytes = onBytes
        input.append(unanswered)
        session = AnswerSession(version: version, source: source)
    }

    /// Takes the conversation as far as it goes now; to be called when the channel has become readable or writable.
    package func advance() -> Progress {
        defer { input.releaseIfEmpty() }
        for _ in 0..<Self.rounds {
            if let stop = send() { return stop }
            if session.wantsToClose { return .delivered }
            if let stop = receive() {
                // A TLS session answers new keys and faults by itself.
                if channel.wantsFlush { _ = channel.flush() }
                return stop
            }
        }
        return .more
    }

    /// Produces and sends what is ready; nil when all of it is with the kernel.
    private func send() -> Progress? {
        if !channel.outbound.isEmpty, let stop = flush() { return stop }
        guard session.hasOutput else { return nil }
        session.produce(into: output, limit: Self.chunk)
        if let failure = channel.write(from: output) { return .failed(failure) }
        output.releaseIfEmpty()
        return flush()
    }

    private func flush() -> Progress? {
        switch channel.flush() {
        case .done: nil
        case .full: .full
        case .ended(let end): lastWords(before: end)
        }
    }

    /// What the peer said before it went: it may be the alert that says why.
    private func lastWords(before end: End) -> Progress {
        for _ in 0..<Self.rounds {
            input.consume(input.count)
            switch channel.read(into: input, upTo: Self.chunk) {
            case .bytes(let count): tell(count)
            case .nothing: return .ended(end)
            case .ended(let said): return .ended(said)
            case .failed(let failure): return .failed(failure)
            }
        }
        return .ended(end)
    }

    /// Reads and hands over what has come; nil when something was understood.
    private func receive() -> Progress? {
        if input.isEmpty {
            if let inputEnd { return session.hasOutput ? nil : .ended(inputEnd) }
            switch channel.read(into: input, upTo: Self.chunk) {
            case .bytes(let count): tell(count)
            case .nothing: return session.hasOutput ? nil : .waiting
            case .ended(let end):
                // What was asked before is still answered: a client may end its direction first (half-close).
                inputEnd = end
                return nil
            case .failed(let failure): return .failed(failure)
            }
        }
        let before = input.count
        // How the peer broke HTTP is told to it by what is produced next.
        do { try session.receive(from: input) } catch {}
        return input.count == before && !session.hasOutput ? .waiting : nil
    }

    /// Tells of the bytes that were read last.
    private func tell(_ count: Int) {
        input.withBytes { onBytes(UnsafeRawBufferPointer(rebasing: $0.suffix(count))) }
    }

    private static let chunk = 64 * 1024
    private static let rounds = 64
}
