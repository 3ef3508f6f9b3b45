/// The end of what a command prints, bounded: whatever it prints, this keeps at most twice its limit for a moment.
struct OutputTail: Sendable {
    /// How many octets are kept.
    static let limit = 1 << 20

    private var kept: [UInt8] = []

    /// The last octets.
    var bytes: [UInt8] { Array(kept.suffix(Self.limit)) }

    /// Adds what was printed.
    mutating func append(_ bytes: some Collection<UInt8>) {
        kept += bytes.suffix(Self.limit)
        if kept.count > 2 * Self.limit { kept.removeFirst(kept.count - Self.limit) }
    }
}
