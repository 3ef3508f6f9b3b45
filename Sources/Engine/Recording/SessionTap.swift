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
    private var run: (direction: Direction, bytes: [UInt8])?
    private var room = SessionTap.limit
    private var messageRoom = SessionTap.limit

    /// Listens to a session from now on.
    init(_ session: TLSSession, side: Side, record: @escaping (Event.Kind) -> Void) {
        self.session = session
        self.side = side
        self.record = record
        session.onWire = { [unowned self] sent, bytes in take(bytes, sent ? .sent : .received) }
        session.onMessage = { [unowned self] message in take(message) }
    }

    /// Ends the recording of wire bytes.
    func finish() {
        session.onWire = nil
        flush()
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
        // What is sent is told before its bytes are: those of the other direction came first.
        if run?.direction != direction { flush() }
        switch message.content {
        case .handshake:
            guard message.bytes.count <= messageRoom else { return }
            messageRoom -= message.bytes.count
            record(.message(side, direction, message.bytes))
        case .alert:
            guard message.bytes.count == 2 else { return }
            record(.alert(side, direction, level: message.bytes[0], code: message.bytes[1]))
        case .changeCipherSpec:
            break
        }
    }

    private func flush() {
        guard let run, !run.bytes.isEmpty else { return }
        record(.wire(side, run.direction, run.bytes))
        self.run = nil
    }

    /// Wire bytes of one handshake, and bytes of all messages of a session, that are kept at most.
    private static let limit = 256 * 1024
}
