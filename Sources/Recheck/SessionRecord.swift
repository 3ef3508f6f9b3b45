internal import Transcript
internal import Wire

/// What a transcript has of one TLS session: one side of a connection, from its first message on.
struct SessionRecord {
    /// A handshake message.
    struct Message {
        let direction: Direction
        let bytes: [UInt8]
        let line: Int
    }

    /// An alert.
    struct Alert {
        let direction: Direction
        let level: UInt8
        let code: UInt8
        let line: Int
    }

    /// What an event says, and in which line.
    struct Said<Value> {
        let value: Value
        let line: Int
    }

    let side: Side
    private(set) var messages: [Message] = []
    private(set) var alerts: [Alert] = []
    private(set) var secrets: [SessionSecret] = []
    private(set) var clientHellos: [Said<HelloRecord>] = []
    private(set) var serverHellos: [Said<ServerHelloRecord>] = []
    private(set) var identities: [Said<IdentityExchange>] = []
    var secured: Said<TLSParameters>?
    var chain: Said<[String]>?
    /// The bytes on the wire, as far as they are kept.
    private(set) var sentBytes: [UInt8] = []
    private(set) var receivedBytes: [UInt8] = []
    /// Whether something was left out here, since there was more than is kept.
    private(set) var isCut = false
    /// Whether traffic does not follow what was on the wire before it.
    private(set) var hasHole = false
    /// Whether what came after the handshake is recorded too.
    private(set) var recordsTraffic = false
    /// How many octets all this takes, about.
    private(set) var size = 0

    init(side: Side) { self.side = side }

    /// How many octets of one session are kept; the recorder itself keeps a quarter of it, but for traffic.
    static let limit = 1 << 20

    /// Whether anything of a handshake was seen.
    var isEmpty: Bool { messages.isEmpty && sentBytes.isEmpty && receivedBytes.isEmpty }

    /// The bytes that went this way.
    func wire(_ direction: Direction) -> [UInt8] { direction == .sent ? sentBytes : receivedBytes }

    /// Whether the client of this session sends in this direction: the proxy is the server of the one session and the
    /// client of the other.
    func isFromClient(_ direction: Direction) -> Bool { (side == .client) == (direction == .received) }

    mutating func add(message bytes: [UInt8], _ direction: Direction, line: Int) {
        guard spend(bytes.count + Self.overhead) else { return }
        messages.append(Message(direction: direction, bytes: bytes, line: line))
    }

    mutating func add(wire bytes: [UInt8], _ direction: Direction) {
        guard spend(bytes.count) else { return }
        if direction == .sent { sentBytes += bytes } else { receivedBytes += bytes }
    }

    /// Adds bytes after the handshake, which have to follow those before.
    mutating func add(traffic bytes: [UInt8], _ direction: Direction, offset: UInt64) {
        recordsTraffic = true
        guard !isCut, offset == UInt64(wire(direction).count) else {
            hasHole = hasHole || !isCut
            return
        }
        add(wire: bytes, direction)
    }

    mutating func add(_ alert: Alert) {
        if spend(Self.overhead) { alerts.append(alert) }
    }

    mutating func add(_ secret: SessionSecret) {
        if spend(secret.secret.count + Self.overhead) { secrets.append(secret) }
    }

    mutating func add(_ hello: HelloRecord, line: Int) {
        let bodies = hello.hello.extensions.reduce(0) { $0 + $1.body.count + Self.overhead }
        let lists = hello.ja3Text.utf8.count + hello.hello.cipherSuites.count * 2
        guard spend(bodies + lists + Self.helloOverhead) else { return }
        clientHellos.append(Said(value: hello, line: line))
    }

    mutating func add(_ hello: ServerHelloRecord, line: Int) {
        let bodies = hello.hello.extensions.reduce(0) { $0 + $1.body.count + Self.overhead }
        if spend(bodies + hello.ja3sText.utf8.count + Self.helloOverhead) {
            serverHellos.append(Said(value: hello, line: line))
        }
    }

    mutating func add(_ identity: IdentityExchange, line: Int) {
        let texts = (identity.authorities + identity.chain).reduce(0) { $0 + $1.utf8.count + Self.overhead }
        if spend(texts + Self.overhead) { identities.append(Said(value: identity, line: line)) }
    }

    /// Makes room; false if there is none left.
    private mutating func spend(_ count: Int) -> Bool {
        guard !isCut, size + count <= Self.limit else {
            isCut = true
            return false
        }
        size += count
        return true
    }

    private static let overhead = 64
    private static let helloOverhead = 512
}

extension SessionRecord {
    /// Whether the recorder itself may have left wire bytes out: it keeps so many of a handshake.
    var mayLackWire: Bool { isCut || hasHole || sentBytes.count + receivedBytes.count >= Self.recordedAtMost }

    /// Whether it may have left messages out.
    var mayLackMessages: Bool {
        isCut || messages.reduce(2 * alerts.count) { $0 + max($1.bytes.count, 64) } >= Self.recordedAtMost
    }

    /// As much of a handshake's wire bytes, and of a session's messages, as a recorder keeps.
    private static let recordedAtMost = 256 * 1024

    /// The secret of this label for the session with this random of the client's.
    func secret(_ label: String, _ clientRandom: [UInt8]) -> [UInt8]? {
        secrets.first { $0.label == label && $0.clientRandom == clientRandom }?.secret
    }
}
