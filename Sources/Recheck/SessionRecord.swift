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
    private(set) var secured: Said<TLSParameters>?
    private(set) var chain: Said<[String]>?
    /// The line that says that the peer's first application data came.
    private(set) var firstData: Int?
    /// How many octets of it there were, as the end of the connection says.
    var dataLength: UInt64?
    /// Whether something failed before the connection was over.
    var isBroken = false
    /// How the peer ended its direction, one way after the other.
    private(set) var ends: [Said<End>] = []
    /// The lines that say once more what can be said only once.
    private(set) var repetitions: [Int] = []
    /// The randoms of the server's, one for each handshake: no two handshakes have the same.
    private(set) var serverRandoms: [[UInt8]] = []
    /// The bytes on the wire until the handshake was over, as far as they are kept.
    private(set) var sentBytes: [UInt8] = []
    private(set) var receivedBytes: [UInt8] = []
    /// The records of both directions, from the first traffic on: it is not kept.
    private var opened: [Direction: OpenedDirection] = [:]
    /// How many octets of each direction there were.
    private var lengths: [Direction: UInt64] = [:]
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

    /// The records that went this way.
    func records(_ direction: Direction, handshake: Handshake?) -> OpenedDirection {
        opened[direction] ?? OpenedDirection(self, direction, handshake: handshake)
    }

    /// The bytes that went this way.
    func wire(_ direction: Direction) -> [UInt8] { direction == .sent ? sentBytes : receivedBytes }

    /// Whether the client of this session sends in this direction: the proxy is the server of the one session and the
    /// client of the other.
    func isFromClient(_ direction: Direction) -> Bool { (side == .client) == (direction == .received) }

    mutating func add(message bytes: [UInt8], _ direction: Direction, line: Int) {
        guard spend(bytes.count + Self.overhead) else { return }
        if case .serverHello(let hello) = try? HandshakeMessage(bytes, version: 0), !hello.isRetryRequest {
            serverRandoms.append(hello.random)
        }
        messages.append(Message(direction: direction, bytes: bytes, line: line))
    }

    mutating func add(wire bytes: [UInt8], _ direction: Direction) {
        guard spend(bytes.count) else { return }
        lengths[direction, default: 0] += UInt64(bytes.count)
        if direction == .sent { sentBytes += bytes } else { receivedBytes += bytes }
    }

    mutating func add(_ parameters: TLSParameters, line: Int) {
        if secured == nil { secured = Said(value: parameters, line: line) } else { repeats(line) }
    }

    mutating func add(chain digests: [String], line: Int) {
        guard spend(digests.count * Self.overhead) else { return }
        if chain == nil { chain = Said(value: digests, line: line) } else { repeats(line) }
    }

    mutating func add(_ end: End, line: Int) {
        if spend(Self.overhead) { ends.append(Said(value: end, line: line)) }
    }

    mutating func addFirstData(line: Int) {
        if firstData == nil { firstData = line } else { repeats(line) }
    }

    /// Whether all that the peer sent was read: its end was.
    var isReadToItsEnd: Bool { ends.first?.value == .closeNotify }

    private mutating func repeats(_ line: Int) {
        if spend(Self.overhead) { repetitions.append(line) }
    }

    /// Adds bytes after the handshake, which have to follow those before.
    mutating func add(traffic bytes: [UInt8], _ direction: Direction, offset: UInt64) {
        guard !isCut, !hasHole, offset == lengths[direction, default: 0] else {
            hasHole = hasHole || !isCut
            return
        }
        if !recordsTraffic {
            let handshake = Handshake.all(of: self).first
            for direction in [Direction.received, .sent] {
                opened[direction] = OpenedDirection(self, direction, handshake: handshake)
            }
            recordsTraffic = true
        }
        lengths[direction, default: 0] += UInt64(bytes.count)
        opened[direction]?.read(bytes)
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
