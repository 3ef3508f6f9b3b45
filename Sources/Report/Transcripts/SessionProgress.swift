import Transcript
import Wire

/// How far a session's handshakes have come: what tells how to read its next message, and whether it was encrypted.
struct SessionProgress {
    /// The version that was agreed on; that of TLS 1.2 before that, as both forms of a hello are the same.
    private(set) var version: UInt16 = tls12
    private var hasServerHello = false
    private var finished: Set<Direction> = []
    /// How many ClientHellos were seen.
    private(set) var hellos = 0

    static let tls12: UInt16 = 0x0303
    private static let tls13: UInt16 = 0x0304

    /// Whether what goes this way is encrypted now: from the ServerHello on in TLS 1.3 (RFC 8446 section 2), from each
    /// side's Finished on before that (RFC 5246 section 7.4.9).
    func isEncrypted(_ direction: Direction) -> Bool {
        version >= Self.tls13 ? hasServerHello : finished.contains(direction)
    }

    /// Takes a message into account.
    ///
    /// - Returns: Whether it was encrypted itself.
    mutating func add(_ message: HandshakeMessage?, type: UInt8?, _ direction: Direction) -> Bool {
        switch message {
        case .clientHello: hellos += 1
        case .serverHello(let hello):
            let wasEncrypted = isEncrypted(direction)
            version = hello.version
            if !hello.isRetryRequest { hasServerHello = true }
            return wasEncrypted && version < Self.tls13
        default: break
        }
        // Finished itself is the first message under the new keys.
        if type == 20 { finished.insert(direction) }
        return isEncrypted(direction)
    }
}
