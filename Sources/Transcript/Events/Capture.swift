/// What of a connection is recorded beyond its handshakes.
public struct Capture: Sendable, Equatable {
    /// Whether the heads of HTTP messages are.
    public var heads: Bool
    /// How many application bytes from each peer are, in the clear; zero for none, nil for all.
    public var bytes: UInt64?
    /// Whether all that is on the wire is, and every secret that opens it.
    public var wire: Bool

    /// Joins what is recorded; nothing by default.
    public init(heads: Bool = false, bytes: UInt64? = 0, wire: Bool = false) {
        self.heads = heads
        self.bytes = bytes
        self.wire = wire
    }

    /// Everything.
    public static let all = Capture(heads: true, bytes: nil, wire: true)

    /// What either of two records.
    public func union(_ other: Capture) -> Capture {
        let both = bytes.flatMap { mine in other.bytes.map { max(mine, $0) } }
        return Capture(heads: heads || other.heads, bytes: both, wire: wire || other.wire)
    }
}
