/// What of a connection is recorded beyond its handshakes.
public struct Capture: Sendable, Equatable {
    /// Whether the heads of HTTP messages are.
    public var heads: Bool
    /// How many application bytes from each peer are, in the clear; zero for none, nil for all.
    public var bytes: UInt64?
    /// Whether all that is on the wire is.
    public var wire: Bool
    /// Whether every secret is, and not only those that open nothing but the handshake of TLS 1.3.
    public var secrets: Bool

    /// Joins what is recorded; nothing by default.
    public init(heads: Bool = false, bytes: UInt64? = 0, wire: Bool = false, secrets: Bool = false) {
        self.heads = heads
        self.bytes = bytes
        self.wire = wire
        self.secrets = secrets
    }

    /// Everything.
    public static let all = Capture(heads: true, bytes: nil, wire: true, secrets: true)

    /// What either of two records.
    public func union(_ other: Capture) -> Capture {
        let both = bytes.flatMap { mine in other.bytes.map { max(mine, $0) } }
        return Capture(
            heads: heads || other.heads, bytes: both, wire: wire || other.wire, secrets: secrets || other.secrets)
    }

    /// Whether an event is to be kept by whoever wants so much.
    public func includes(_ kind: Event.Kind) -> Bool {
        switch kind {
        case .traffic: wire
        case .secret(_, let secret): secrets || secret.opensHandshakeOnly
        case .head, .contentEnded, .headsStopped: heads
        case .data: bytes != 0
        default: true
        }
    }
}
