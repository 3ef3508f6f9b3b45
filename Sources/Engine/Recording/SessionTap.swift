internal import Crypto
internal import Transcript
internal import Wire

/// Turns what a TLS session says of itself into events: its messages and alerts always, its wire bytes until the
/// handshake is over.
///
/// **Thread:** confined to the session's loop; the session holds it.
final class SessionTap {
    private let session: TLSSession
    private let side: Side
    private let record: (Event.Kind) -> Void
    private let onOwnCertificate: ((_ isEmpty: Bool) -> Void)?
    private var run: (direction: Direction, bytes: [UInt8])?
    private var room = SessionTap.limit
    private var messageRoom = SessionTap.limit
    private var isFinished = false
    private var hasAnswer = false
    private var hasToldAnswer = false

    /// Listens to a session from now on.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - side: Which side it is on.
    ///   - record: Takes the events.
    ///   - onOwnCertificate: Told when this end has sent its Certificate message, and whether no certificate was in it.
    init(
        _ session: TLSSession, side: Side, record: @escaping (Event.Kind) -> Void,
        onOwnCertificate: ((_ isEmpty: Bool) -> Void)? = nil
    ) {
        self.onOwnCertificate = onOwnCertificate
        self.session = session
        self.side = side
        self.record = record
        session.onWire = { [unowned self] sent, bytes in take(bytes, sent ? .sent : .received) }
        session.onMessage = { [unowned self] message in take(message) }
    }

    /// Ends the recording of wire bytes; false if that was done before.
    func finish() -> Bool {
        guard !isFinished else { return false }
        isFinished = true
        session.onWire = nil
        flush()
        return true
    }

    /// Whether a handshake message of the peer arrived; true once only.
    func tellsFirstAnswer() -> Bool {
        defer { hasToldAnswer = hasAnswer }
        return hasAnswer && !hasToldAnswer
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ direction: Direction) {
        if run?.direction != direction {
            flush()
            run = (direction, [])
        }
        let kept = min(bytes.count, room)
        run?.bytes.append(contentsOf: bytes.prefix(kept))
        room -= kept
    }

    private func take(_ message: TLSMessage) {
        let direction: Direction = message.sent ? .sent : .received
        // What was received is recorded before what it was answered with.
        if run?.direction != direction { flush() }
        switch message.content {
        case .handshake:
            if !message.sent { hasAnswer = true }
            guard spend(message.bytes.count) else { return }
            record(.message(side, direction, message.bytes))
            if message.sent, message.bytes.first == Self.certificate {
                onOwnCertificate?(Self.isEmpty(certificate: message.bytes))
            }
        case .alert:
            // A fatal one is the last.
            guard message.bytes.count == 2, message.bytes[0] == Self.fatal || spend(2) else { return }
            record(.alert(side, direction, level: message.bytes[0], code: message.bytes[1]))
        case .changeCipherSpec:
            break
        }
    }

    /// Makes room for a message; false if there is none left.
    private func spend(_ count: Int) -> Bool {
        guard messageRoom > 0 else { return false }
        messageRoom -= max(count, Self.leastCost)
        return true
    }

    private func flush() {
        guard let run, !run.bytes.isEmpty else { return }
        record(.wire(side, run.direction, run.bytes))
        self.run = nil
    }

    /// Wire bytes of one handshake, both directions, that are kept at most; and as much of messages, those of the whole
    /// session.
    private static let limit = 256 * 1024
    /// What a message costs at least: a peer may send small ones without end.
    private static let leastCost = 64
    private static let fatal: UInt8 = 2
    private static let certificate: UInt8 = 11

    /// Whether a Certificate message holds none: behind its header of four bytes there is only the length of an empty list
    /// (RFC 5246 section 7.4.6), with the request's context before it in TLS 1.3 (RFC 8446 section 4.4.2).
    private static func isEmpty(certificate message: [UInt8]) -> Bool {
        message.count <= 7 || message.count == 8 + Int(message[4])
    }
}
