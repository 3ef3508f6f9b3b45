/// Tells what is odd about the framing of an HTTP/1 connection's messages, by copies of their bytes.
///
/// Where the end of a message is open, or ends with the connection, nothing more is to be learnt.
public struct FramingWatch {
    /// Whose bytes they are.
    public typealias Sender = HTTPSender

    private var messages = HTTP1MessageWatch()

    /// Whether there is anything to be learnt yet.
    public var isWatching: Bool { messages.followsClient && messages.followsOrigin && !messages.isInLastResponse }

    /// Starts with the first message on both sides.
    public init() {}

    /// Takes the next bytes of a side.
    ///
    /// - Returns: What is odd about the heads that they complete.
    public mutating func observe(_ sender: Sender, _ bytes: UnsafeRawBufferPointer) -> [FramingOddity] {
        guard isWatching else { return [] }
        return messages.observe(sender, bytes).flatMap { observation in
            switch observation {
            case .request(let head, _, _): FramingOddity.found(in: head)
            case .response(let head, _, _): FramingOddity.found(in: head)
            case .contentEnded, .stopped: [FramingOddity]()
            }
        }
    }
}
