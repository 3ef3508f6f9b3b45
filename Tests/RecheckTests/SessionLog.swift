import Crypto
import Transcript
import Wire

/// Turns what a session does into events, in the order and form of `docs/events.md`.
final class SessionLog {
    private let side: Side
    private let record: (Event.Kind) -> Void
    private var run: (direction: Direction, bytes: [UInt8])?
    private var offsets: [Direction: UInt64] = [:]
    private var isOver = false
    private let session: TLSSession

    /// Listens to a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - side: Which side of the proxy it is on.
    ///   - secrets: Which secrets are recorded, by their labels.
    ///   - record: Takes the events.
    init(
        _ session: TLSSession, _ side: Side, secrets: @escaping (String) -> Bool,
        record: @escaping (Event.Kind) -> Void
    ) {
        self.side = side
        self.record = record
        self.session = session
        session.onWire = { [unowned self] sent, bytes in take([UInt8](bytes), sent ? .sent : .received) }
        session.onMessage = { [unowned self] message in take(message) }
        session.onSecret = { label, random, secret in
            guard secrets(label) else { return }
            record(.secret(side, SessionSecret(label: label, clientRandom: random, secret: secret)))
        }
    }

    private func take(_ bytes: [UInt8], _ direction: Direction) {
        if run?.direction != direction {
            flush()
            run = (direction, [])
        }
        run?.bytes += bytes
        if isOver { flush() }
    }

    private func take(_ message: TLSMessage) {
        let direction: Direction = message.sent ? .sent : .received
        if run?.direction != direction { flush() }
        switch message.content {
        case .handshake:
            record(.message(side, direction, message.bytes))
            note(message.bytes)
        case .alert: record(.alert(side, direction, level: message.bytes[0], code: message.bytes[1]))
        case .changeCipherSpec: break
        }
    }

    /// The events that decode hellos.
    private func note(_ message: [UInt8]) {
        switch try? HandshakeMessage(message, version: 0) {
        case .clientHello(let hello) where side == .origin: record(.originHello(Fingerprints.of(hello)))
        case .serverHello(let hello): record(.serverHello(side, Fingerprints.of(hello)))
        default: break
        }
    }

    private func flush() {
        guard let run, !run.bytes.isEmpty else { return }
        let offset = offsets[run.direction, default: 0]
        offsets[run.direction] = offset + UInt64(run.bytes.count)
        record(
            isOver
                ? .traffic(side, run.direction, offset: offset, run.bytes) : .wire(side, run.direction, run.bytes))
        self.run = nil
    }

    /// Ends the handshake; what comes after it on the wire is recorded only if `recordsTraffic`.
    func finish(recordsTraffic: Bool) {
        flush()
        isOver = true
        if !recordsTraffic { session.onWire = nil }
    }
}

/// Fingerprints by the code of Wire, which has tests of its own.
enum Fingerprints {
    static func of(_ hello: ClientHello) -> HelloRecord {
        HelloRecord(
            hello: hello, ja3Text: hello.ja3Text, ja3: Hex.encode(Digest.md5(Array(hello.ja3Text.utf8))),
            ja4: hello.ja4(sha256: Digest.sha256))
    }

    static func of(_ hello: ServerHello) -> ServerHelloRecord {
        ServerHelloRecord(
            hello: hello, ja3sText: hello.ja3sText, ja3s: Hex.encode(Digest.md5(Array(hello.ja3sText.utf8))),
            ja4s: hello.ja4s(sha256: Digest.sha256))
    }
}
