/// Collects a message's head from whatever pieces it arrives in.
///
/// The end is looked for in each octet once, and the parser runs when it was found or when the head has doubled since
/// the last time: a peer that sends a large head octet by octet costs no more than one that sends it at once, and one
/// that speaks another protocol is still told early.
struct HTTP1HeadReader<Head: HTTPHead> {
    /// The most that a head may take (RFC 9112 section 3 asks for 8,000 octets in a request line at least).
    static var limit: Int { 65_536 }

    private var bytes: [UInt8] = []
    private var parsedCount = 0
    private var hasLine = false
    private var isInLine = false

    /// Takes octets up to the head's end.
    ///
    /// - Returns: How many belong to the head, and how far it has come.
    mutating func read(_ input: UnsafeRawBufferPointer) -> (taken: Int, progress: HTTPHeadProgress<Head>) {
        let room = input.prefix(Self.limit - bytes.count)
        let end = room.firstIndex(where: { endsHead($0) })
        let taken = end.map { $0 + 1 } ?? room.count
        bytes += room.prefix(taken)
        guard end != nil || bytes.count == Self.limit || bytes.count >= parsedCount * 2 else {
            return (taken, .incomplete)
        }
        parsedCount = bytes.count
        return (taken, Head.read(bytes, limit: Self.limit))
    }

    /// Whether `octet`, the next one, ends the first empty line after one that is not empty.
    private mutating func endsHead(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "\n"):
            defer { isInLine = false }
            return hasLine && !isInLine
        case UInt8(ascii: "\r"): return false
        default:
            (hasLine, isInLine) = (true, true)
            return false
        }
    }
}
