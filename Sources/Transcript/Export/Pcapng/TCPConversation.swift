/// One TCP connection of the proxy, as packets that a capture would show: the octets are recorded, the rest follows.
///
/// Every segment is acknowledged at once, so no window ever fills. Times never go back.
struct TCPConversation: Sendable {
    /// One of the two streams of octets.
    private struct Stream {
        /// The number of the SYN.
        let first: UInt32
        /// How many octets went, those that are missing here included.
        var position: UInt64 = 0
        var hasFinished = false

        /// The number of what comes next.
        var next: UInt32 { first &+ 1 &+ UInt32(truncatingIfNeeded: position) &+ (hasFinished ? 1 : 0) }
    }

    /// How many packets were made.
    private(set) var packets = 0
    private let peer: PacketAddress
    private let proxy: PacketAddress
    private var received: Stream
    private var sent: Stream
    private var time = Int64.min

    /// Joins the two ends.
    ///
    /// - Parameters:
    ///   - peer: The address of the client or the origin.
    ///   - proxy: Ours; of the same family.
    ///   - seed: What the numbers of the streams begin with: different for conversations between the same ports.
    init(peer: PacketAddress, proxy: PacketAddress, seed: UInt32) {
        self.peer = peer
        self.proxy = proxy
        received = Stream(first: seed)
        sent = Stream(first: ~seed)
    }

    /// How many octets went in a direction.
    func position(_ direction: Direction) -> UInt64 { self[direction].position }

    /// Opens the connection with the three packets that this takes.
    mutating func open(by initiator: Direction, at time: Int64, comment: String, into output: inout [UInt8]) {
        let answer: Direction = initiator == .sent ? .received : .sent
        append(
            initiator, .syn, number: self[initiator].first, acknowledged: 0, at: time, comment: comment, into: &output)
        append(
            answer, [.syn, .acknowledgement], number: self[answer].first, acknowledged: self[initiator].next, at: time,
            into: &output)
        append(initiator, .acknowledgement, at: time, into: &output)
    }

    /// Carries octets, and acknowledges them.
    mutating func carry(_ octets: ArraySlice<UInt8>, _ direction: Direction, at time: Int64, into output: inout [UInt8])
    {
        var rest = octets
        while !rest.isEmpty {
            let payload = rest.prefix(TCPSegment.payloadLimit)
            rest = rest.dropFirst(payload.count)
            append(direction, [.push, .acknowledgement], payload: payload, at: time, into: &output)
            self[direction].position &+= UInt64(payload.count)
            append(direction.opposite, .acknowledgement, at: time, into: &output)
        }
    }

    /// Passes over octets that are missing.
    mutating func skip(_ count: UInt64, _ direction: Direction) { self[direction].position &+= count }

    /// Whether a direction was finished.
    func hasFinished(_ direction: Direction) -> Bool { self[direction].hasFinished }

    /// Ends a direction with a FIN.
    ///
    /// - Parameters:
    ///   - direction: Which one.
    ///   - time: When that was.
    ///   - isAnswered: Whether the other end acknowledges it.
    ///   - comment: What to say of the packet.
    ///   - output: What is appended to.
    mutating func finish(
        _ direction: Direction, at time: Int64, isAnswered: Bool = true, comment: String? = nil,
        into output: inout [UInt8]
    ) {
        append(direction, [.fin, .acknowledgement], at: time, comment: comment, into: &output)
        self[direction].hasFinished = true
        if isAnswered { append(direction.opposite, .acknowledgement, at: time, into: &output) }
    }

    /// Breaks the connection off with a RST.
    mutating func reset(by direction: Direction, at time: Int64, comment: String? = nil, into output: inout [UInt8]) {
        append(direction, [.reset, .acknowledgement], at: time, comment: comment, into: &output)
    }

    private mutating func append(
        _ direction: Direction, _ flags: TCPSegment.Flags, number: UInt32? = nil, acknowledged: UInt32? = nil,
        payload: ArraySlice<UInt8> = [], at time: Int64, comment: String? = nil, into output: inout [UInt8]
    ) {
        self.time = max(self.time, time)
        let segment = TCPSegment(
            source: direction == .sent ? proxy : peer, destination: direction == .sent ? peer : proxy,
            sequence: number ?? self[direction].next,
            acknowledgement: acknowledged ?? self[direction.opposite].next, flags: flags, payload: payload)
        output.append(segment, at: self.time, comment: comment)
        packets += 1
    }

    private subscript(direction: Direction) -> Stream {
        get { direction == .sent ? sent : received }
        set { if direction == .sent { sent = newValue } else { received = newValue } }
    }
}

extension Direction {
    /// The other way.
    var opposite: Direction { self == .sent ? .received : .sent }
}
