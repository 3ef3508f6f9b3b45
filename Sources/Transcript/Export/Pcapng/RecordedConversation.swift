import Wire

/// One TLS session of an intercepted connection on its way into a capture.
///
/// Octets are recorded run by run, and a run is over when the next begins or the session ends. So a peer's end may be
/// recorded before the octets that it sent, and is written when it is certain that none are left.
struct RecordedConversation: Sendable {
    /// What of the session is not in the capture.
    struct Losses: Sendable {
        /// Places where octets are missing.
        var holes = 0
        /// How many are, as far as is known.
        var octets: UInt64 = 0
        /// Octets that came after the end of their direction.
        var late: UInt64 = 0
    }

    /// Whether octets after the handshake were recorded.
    private(set) var hasTraffic = false
    /// Whether the handshake was finished.
    private(set) var isSecured = false
    /// What is not in the capture.
    private(set) var losses = Losses()
    /// How many packets were made.
    var packets: Int { conversation.packets }

    private let side: Side
    private var conversation: TCPConversation
    /// How many octets went before the session itself: of the request for it, and of the answer.
    private var before: (received: UInt64, sent: UInt64) = (0, 0)
    /// The answer to the request, which was not written yet, and when it was given at the earliest.
    private var answer: (octets: [UInt8], time: Int64)?
    private var end: (how: End, time: Int64)?
    /// Octets of the handshake that wait for the secrets that open them.
    private var held: [(octets: [UInt8], direction: Direction, time: Int64)] = []
    private var heldCount = 0
    private var holds = true

    /// Opens the conversation.
    ///
    /// - Parameters:
    ///   - side: The side of the session.
    ///   - conversation: Its addresses.
    ///   - time: When it was opened.
    ///   - comment: What to say of it.
    ///   - output: What is appended to.
    init(
        _ side: Side, _ conversation: TCPConversation, at time: Int64, comment: String, into output: inout [UInt8]
    ) {
        self.side = side
        self.conversation = conversation
        self.conversation.open(by: side == .client ? .received : .sent, at: time, comment: comment, into: &output)
    }

    // MARK: What goes before the session

    /// Writes the request for the session to a proxy; its answer goes before the next octets.
    mutating func ask(_ request: [UInt8], at time: Int64, answer: [UInt8], into output: inout [UInt8]) {
        conversation.carry(request[...], .received, at: time, into: &output)
        before.received = UInt64(request.count)
        self.answer = (answer, time)
    }

    /// Notes when the request was answered.
    mutating func noteAnswer(at time: Int64) { answer?.time = time }

    // MARK: The session

    /// Takes octets of the handshake.
    ///
    /// They are held back until it is over. Readers look for the secrets of both directions when they come to the first
    /// message that one of them opens, and the last of these is known only when the handshake is over.
    ///
    /// - Parameters:
    ///   - octets: The octets.
    ///   - direction: Where they went.
    ///   - time: When they were recorded.
    ///   - output: What is appended to.
    mutating func shake(_ octets: [UInt8], _ direction: Direction, at time: Int64, into output: inout [UInt8]) {
        guard holds else { return carry(octets, direction, offset: nil, at: time, into: &output) }
        held.append((octets, direction, time))
        heldCount += max(octets.count, Self.leastCost)
        if heldCount > Self.heldLimit { release(into: &output) }
    }

    /// Notes that the handshake is over, and that all its secrets are known.
    mutating func secure(into output: inout [UInt8]) {
        isSecured = true
        release(into: &output)
    }

    /// Takes octets that went after the handshake.
    ///
    /// - Parameters:
    ///   - octets: The octets.
    ///   - direction: Where they went.
    ///   - offset: How many went before them in the session.
    ///   - time: When they were recorded.
    ///   - output: What is appended to.
    mutating func relay(
        _ octets: [UInt8], _ direction: Direction, offset: UInt64, at time: Int64, into output: inout [UInt8]
    ) {
        hasTraffic = true
        release(into: &output)
        // Whoever relays has passed on all that came before.
        if direction == .sent { writePeerFinish(into: &output) }
        carry(octets, direction, offset: offset, at: time, into: &output)
    }

    /// Writes what was held back.
    mutating func release(into output: inout [UInt8]) {
        holds = false
        let waiting = held
        held = []
        for run in waiting { carry(run.octets, run.direction, offset: nil, at: run.time, into: &output) }
    }

    private mutating func carry(
        _ octets: [UInt8], _ direction: Direction, offset: UInt64?, at time: Int64, into output: inout [UInt8]
    ) {
        if let answer {
            conversation.carry(answer.octets[...], .sent, at: answer.time, into: &output)
            before.sent = UInt64(answer.octets.count)
            self.answer = nil
        }
        guard !conversation.hasFinished(direction) else {
            losses.late = losses.late.addingSaturated(UInt64(octets.count))
            return
        }
        let position = conversation.position(direction) &- (direction == .sent ? before.sent : before.received)
        var rest = octets[...]
        if let offset, offset > position {
            losses.holes += 1
            losses.octets = losses.octets.addingSaturated(offset - position)
            conversation.skip(offset - position, direction)
        } else if let offset {
            // What is there already; no count of octets is larger than those in memory.
            rest = rest.dropFirst(Int(min(position - offset, UInt64(octets.count))))
        }
        conversation.carry(rest, direction, at: time, into: &output)
    }

    // MARK: The end

    /// Notes how the peer ended its direction; what TCP knows of it prevails.
    mutating func note(_ end: End, at time: Int64) {
        if case .reset? = self.end?.how { return }
        switch (self.end?.how, end) {
        case (.fin?, .closeNotify), (.fin?, .alert), (.fin?, .fin): return
        default: self.end = (end, time)
        }
    }

    /// Ends the conversation, as the events say.
    ///
    /// - Parameters:
    ///   - time: When the proxy ended it.
    ///   - comment: What to say of it with its last end.
    ///   - output: What is appended to.
    mutating func close(at time: Int64, comment: String?, into output: inout [UInt8]) {
        release(into: &output)
        switch end?.how {
        case .reset?, .error(Self.connectionReset)?:
            conversation.reset(by: .received, at: end?.time ?? time, comment: comment, into: &output)
        case .fin?:
            writePeerFinish(into: &output)
            conversation.finish(.sent, at: time, comment: comment, into: &output)
        case .timeout?, .error?, .proxy?:
            // Whether the peer heard of it is not known.
            let isAnswered = conversation.hasFinished(.received)
            conversation.finish(.sent, at: time, isAnswered: isAnswered, comment: comment, into: &output)
        case .closeNotify?, .alert?, nil:
            // The answer to our FIN is not recorded, but no TCP goes without.
            conversation.finish(.sent, at: time, comment: comment, into: &output)
            if !conversation.hasFinished(.received) { conversation.finish(.received, at: time, into: &output) }
        }
    }

    /// Writes the peer's FIN, if there was one and it is not written.
    private mutating func writePeerFinish(into output: inout [UInt8]) {
        guard case (.fin, let time)? = end, !conversation.hasFinished(.received) else { return }
        conversation.finish(.received, at: time, into: &output)
    }

    /// How much of a handshake is held back; what is recorded of one is less.
    private static let heldLimit = 1 << 20
    /// What a run costs at least: a file may hold small ones without end.
    private static let leastCost = 64
    /// The number of ECONNRESET on Linux, which is part of the file format.
    private static let connectionReset: Int32 = 104
}
