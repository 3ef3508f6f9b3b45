public import Transcript

/// What is kept of one connection's events to tell it from its beginning to its end.
///
/// Bytes on the wire are left out, and application data is counted; what is kept is bounded in number and in size.
public struct ConnectionStory: Sendable {
    /// One thing that is told.
    enum Item: Sendable {
        /// An event as it was recorded.
        case event(Event)
        /// Application data that came from the peer of a side in one go, first at this time.
        case data(Side, RecordedData, monotonic: UInt64)
    }

    /// Application data as far as it was recorded.
    struct RecordedData: Sendable {
        /// How many octets were.
        var octets: UInt64
        /// How many had come from there once the last of them had.
        var end: UInt64
    }

    /// The facts of both handshakes.
    public private(set) var record: HandshakeRecord
    /// When the connection was opened: microseconds since 1970-01-01 UTC; nil while it is not known.
    private(set) var wall: Int64?
    /// What is told, in the order in which it happened.
    private(set) var items: [Item] = []
    /// How many events were left out because there are too many.
    private(set) var omitted: UInt64 = 0
    /// Up to where each side's data was recorded without a hole.
    private(set) var recordedEnds: [Side: UInt64] = [:]
    private var missing = MissingEvents()
    private var messageBytes = 0
    private let itemLimit: Int
    private let byteLimit: Int

    /// Starts with nothing known of a connection.
    ///
    /// - Parameters:
    ///   - connection: Its number within the run.
    ///   - itemLimit: How many events are told.
    ///   - byteLimit: How many octets their handshake messages have at most, all together.
    public init(connection: UInt64, itemLimit: Int = 2000, byteLimit: Int = 4 << 20) {
        record = HandshakeRecord(connection: connection)
        self.itemLimit = itemLimit
        self.byteLimit = byteLimit
    }

    /// Whether any event was the connection's.
    public var isKnown: Bool { wall != nil }

    /// Takes the next event into account; of others' events only those that say that something is missing.
    public mutating func add(_ event: Event) {
        guard event.connection == record.connection else {
            guard event.connection == nil else { return }
            let wasOpen = isKnown && record.closed == nil
            record.add(event)
            if missing.add(event), wasOpen { keep(event) }
            return
        }
        wall = wall ?? event.wall
        record.add(event)
        switch event.kind {
        case .wire, .traffic, .secret, .certificate, .hello, .originHello, .serverHello, .chain, .verdict, .closed,
            .contentEnded:
            break
        case .data(let side, let offset, let bytes):
            add(octets: UInt64(bytes.count), offset: offset, from: side, at: event.monotonic)
        case .message(_, _, let bytes, _):
            messageBytes += bytes.count
            if messageBytes > byteLimit { omitted += 1 } else { keep(event) }
        default: keep(event)
        }
    }

    private mutating func add(octets: UInt64, offset: UInt64, from side: Side, at time: UInt64) {
        let end = offset &+ octets
        if recordedEnds[side, default: 0] == offset { recordedEnds[side] = end }
        if case .data(side, let before, let first) = items.last {
            items[items.count - 1] = .data(
                side, RecordedData(octets: before.octets &+ octets, end: end), monotonic: first)
        } else if items.count < itemLimit {
            items.append(.data(side, RecordedData(octets: octets, end: end), monotonic: time))
        } else {
            omitted += 1
        }
    }

    private mutating func keep(_ event: Event) {
        if items.count < itemLimit { items.append(.event(event)) } else { omitted += 1 }
    }
}
