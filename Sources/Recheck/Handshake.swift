internal import Transcript
internal import Wire

/// One handshake of a session, and what was agreed on in it.
///
/// A session has several if it was renegotiated (TLS 1.2).
struct Handshake {
    /// A message.
    struct Step {
        let type: UInt8
        let bytes: [UInt8]
        let isFromClient: Bool
        let line: Int
    }

    private(set) var steps: [Step] = []
    private(set) var clientHellos: [ClientHello] = []
    private(set) var retryRequest: ServerHello?
    private(set) var serverHello: ServerHello?

    /// Takes the messages of a session apart.
    ///
    /// - Parameter session: The session.
    /// - Returns: Its handshakes; a request for a further one belongs to none (RFC 5246 section 7.4.1.1).
    static func all(of session: SessionRecord) -> [Handshake] {
        var handshakes: [Handshake] = []
        var current = Handshake()
        for message in session.messages {
            guard let type = message.bytes.first, type != HandshakeType.helloRequest else { continue }
            if type == HandshakeType.clientHello, !current.awaitsHello {
                if !current.steps.isEmpty { handshakes.append(current) }
                current = Handshake()
            }
            current.add(
                Step(
                    type: type, bytes: message.bytes, isFromClient: session.isFromClient(message.direction),
                    line: message.line))
        }
        return current.steps.isEmpty ? handshakes : handshakes + [current]
    }

    private mutating func add(_ step: Step) {
        steps.append(step)
        switch try? HandshakeMessage(step.bytes, version: 0) {
        case .clientHello(let hello): clientHellos.append(hello)
        case .serverHello(let hello) where hello.isRetryRequest: retryRequest = hello
        case .serverHello(let hello): serverHello = hello
        default: break
        }
    }

    /// Whether another ClientHello belongs to this handshake.
    private var awaitsHello: Bool { retryRequest != nil && clientHellos.count == 1 && serverHello == nil }

    /// Whether it begins as a handshake does.
    var isWhole: Bool { steps.first?.type == HandshakeType.clientHello && !clientHellos.isEmpty }

    /// The version that was agreed on; nil before the server's hello.
    var version: UInt16? { serverHello?.version }

    /// The random of the client's, which names the session in a key log.
    var clientRandom: [UInt8]? { clientHellos.last?.random }

    /// Whether a session was resumed: the server shows no certificate (RFC 8446 section 2.2, RFC 5246 section 7.3).
    var isResumed: Bool {
        guard let serverHello, let version else { return false }
        if version >= 0x0304 { return serverHello.extensions.contains { $0.type == 41 } }
        let showsCertificate = steps.contains { !$0.isFromClient && $0.type == HandshakeType.certificate }
        return !showsCertificate && steps.contains { !$0.isFromClient && $0.type == HandshakeType.finished }
    }

    /// The certificates that a party showed, and in which message; nil if it did not come to that.
    ///
    /// - Parameter isFromClient: Which party.
    /// - Returns: The last such message of the party's.
    func certificates(isFromClient: Bool) -> (ders: [[UInt8]], line: Int)? {
        certificateMessages(isFromClient: isFromClient).last
    }

    /// All messages with certificates of a party's.
    func certificateMessages(isFromClient: Bool) -> [(ders: [[UInt8]], line: Int)] {
        guard let version else { return [] }
        return steps.compactMap { step in
            guard step.isFromClient == isFromClient, step.type == HandshakeType.certificate,
                case .certificate(let message) = try? HandshakeMessage(step.bytes, version: version)
            else { return nil }
            return (message.entries.map(\.der), step.line)
        }
    }
}
