import Wire

/// Keeps account of the octets of one direction of an HTTP/1 connection, to tell how much came of a message that was cut
/// off: all that came, without the heads, and without the content of the messages that were whole.
struct HTTPOctetAccount: Sendable {
    private var counted: UInt64 = 0
    /// Whether everything so far could be counted: not what frames content, and not what follows when HTTP is left.
    private var isExact = true
    /// The message whose content is not over, and how long it says that is.
    private var unfinished: (exchange: UInt64, length: UInt64?)?

    /// Takes the head of the next message.
    mutating func add(_ head: ObservedHead) {
        counted = counted.addingSaturated(head.length)
        // An interim response has no content (RFC 9110 section 15.2), except that 101 leaves HTTP.
        if let status = head.status, 100..<200 ~= status, status != 101 { return }
        let isFramed = !head.fields.values(named: "transfer-encoding").isEmpty
        let leaves = head.status == 101 || head.method == "CONNECT"
        if isFramed || leaves || unfinished != nil || !head.version.hasPrefix("http/1.") { isExact = false }
        let lengths = head.fields.values(named: "content-length")
        unfinished = (head.exchange, lengths.first.flatMap { UInt64($0) })
    }

    /// Takes the end of a message's content.
    mutating func end(_ exchange: UInt64, octets: UInt64) {
        guard unfinished?.exchange == exchange else {
            isExact = false
            return
        }
        counted = counted.addingSaturated(octets)
        unfinished = nil
    }

    /// How much came of the message that was cut off; nil if none was, or if that cannot be told.
    ///
    /// - Parameter total: All that came in this direction.
    /// - Returns: Its exchange, and the octets of its content.
    func remainder(of total: UInt64) -> (exchange: UInt64, octets: UInt64)? {
        guard isExact, let unfinished, total >= counted else { return nil }
        let octets = total - counted
        // What is as long as it says is not cut off: then something else was counted wrongly.
        if let length = unfinished.length, octets >= length { return nil }
        return (unfinished.exchange, octets)
    }
}
