internal import Crypto
internal import Transcript
internal import Wire

/// Turns what a TLS session says of itself into events: its messages, alerts and secrets always, its wire bytes until the
/// handshake is over, or to the end if that is wanted.
///
/// **Thread:** confined to the session's loop; the session holds it.
final class SessionTap {
    private let session: TLSSession
    private let side: Side
    private let capture: Capture
    private let record: (Event.Kind) -> Void
    private let onOwnCertificate: ((_ isEmpty: Bool) -> Void)?
    private var wire: WireLog
    private var messageRoom = SessionTap.limit
    /// The version that the server chose, once it has.
    private var version: UInt16?
    private var isFinished = false
    private var hasAnswer = false
    private var hasToldAnswer = false

    /// Listens to a session from now on.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - side: Which side it is on.
    ///   - capture: What is recorded beyond the handshake.
    ///   - record: Takes the events.
    ///   - onOwnCertificate: Told when this end has sent its Certificate message, and whether no certificate was in it.
    init(
        _ session: TLSSession, side: Side, capture: Capture, record: @escaping (Event.Kind) -> Void,
        onOwnCertificate: ((_ isEmpty: Bool) -> Void)? = nil
    ) {
        self.onOwnCertificate = onOwnCertificate
        self.session = session
        self.side = side
        self.capture = capture
        self.record = record
        wire = WireLog(side: side, room: Self.limit)
        session.onWire = { [unowned self] sent, bytes in take(bytes, sent ? .sent : .received) }
        session.onMessage = { [unowned self] message in take(message) }
        session.onSecret = { [unowned self] label, random, secret in
            take(SessionSecret(label: label, clientRandom: random, secret: secret))
        }
    }

    /// Ends the recording of the handshake; false if that was done before.
    func finish() -> Bool {
        guard !isFinished else { return false }
        isFinished = true
        flush()
        if capture.wire { wire.goOn() } else { session.onWire = nil }
        return true
    }

    /// Records the bytes that have passed since the last time, so that they have about the time at which they did.
    func flush() {
        if let event = wire.take() { record(event) }
    }

    /// Whether a handshake message of the peer arrived; true once only.
    func tellsFirstAnswer() -> Bool {
        defer { hasToldAnswer = hasAnswer }
        return hasAnswer && !hasToldAnswer
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ direction: Direction) {
        if wire.isFull || wire.direction != direction { flush() }
        wire.append(bytes, direction)
    }

    private func take(_ secret: SessionSecret) {
        if capture.secrets || secret.opensHandshakeOnly { record(.secret(side, secret)) }
    }

    private func take(_ message: TLSMessage) {
        let direction: Direction = message.sent ? .sent : .received
        // What was received is recorded before what it was answered with.
        if wire.direction != direction { flush() }
        switch message.content {
        case .handshake: take(handshake: message.bytes, direction)
        case .alert:
            // A fatal one is the last.
            guard message.bytes.count == 2, message.bytes[0] == Self.fatal || spend(2) else { return }
            record(.alert(side, direction, level: message.bytes[0], code: message.bytes[1]))
        case .changeCipherSpec:
            break
        }
    }

    private func take(handshake bytes: [UInt8], _ direction: Direction) {
        if direction == .received { hasAnswer = true }
        guard spend(bytes.count) else { return }
        record(.message(side, direction, bytes, version: version))
        let ofServer = (side == .client) == (direction == .sent)
        switch bytes.first {
        case HandshakeType.certificate where direction == .sent: onOwnCertificate?(Self.isEmpty(certificate: bytes))
        // The client's is told by the machine, which reads it before there is a session.
        case HandshakeType.clientHello where side == .origin && direction == .sent:
            if let hello = try? ClientHello(message: bytes.dropFirst(Self.header)) {
                record(.originHello(HelloRecord(hello)))
            }
        case HandshakeType.serverHello where ofServer:
            if let hello = try? ServerHello(message: bytes.dropFirst(Self.header)) {
                record(.serverHello(side, ServerHelloRecord(hello)))
                version = hello.version
            }
        default: break
        }
    }

    /// Makes room for a message; false if there is none left.
    private func spend(_ count: Int) -> Bool {
        guard messageRoom > 0 else { return false }
        messageRoom -= max(count, Self.leastCost)
        return true
    }

    /// Wire bytes of one handshake, both directions, that are kept at most; and as much of messages, those of the whole
    /// session.
    private static let limit = 256 * 1024
    /// What a message costs at least: a peer may send small ones without end.
    private static let leastCost = 64
    private static let fatal: UInt8 = 2
    /// The octets before a message's body (RFC 8446 section 4).
    private static let header = 4

    /// Whether a Certificate message holds none: behind its header of four bytes there is only the length of an empty list
    /// (RFC 5246 section 7.4.6), with the request's context before it in TLS 1.3 (RFC 8446 section 4.4.2).
    private static func isEmpty(certificate message: [UInt8]) -> Bool {
        message.count <= 7 || message.count == 8 + Int(message[4])
    }
}
