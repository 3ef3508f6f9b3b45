internal import Transcript

/// Gathers the bytes of a TLS session that go one way before something goes the other way.
struct WireLog {
    private let side: Side
    /// How many more bytes of the handshake are kept; nil after it, where all are.
    private var room: Int?
    private var bytes: [UInt8] = []
    /// Which way the bytes go that wait; nil if none do.
    private(set) var direction: Direction?
    /// Where the bytes that wait begin in all that went their way.
    private var offset: UInt64 = 0
    private var sent: UInt64 = 0
    private var received: UInt64 = 0

    /// Starts a session's log.
    ///
    /// - Parameters:
    ///   - side: Which session it is.
    ///   - room: How many bytes of its handshake are kept.
    init(side: Side, room: Int) {
        self.side = side
        self.room = room
    }

    /// Whether so much waits that it should be taken.
    var isFull: Bool { bytes.count >= Self.piece }

    /// The handshake is over, and everything is kept that follows.
    mutating func goOn() { room = nil }

    /// Adds bytes that go the same way as those that wait.
    mutating func append(_ more: UnsafeRawBufferPointer, _ way: Direction) {
        if direction == nil {
            direction = way
            offset = way == .sent ? sent : received
        }
        switch way {
        case .sent: sent &+= UInt64(more.count)
        case .received: received &+= UInt64(more.count)
        }
        let kept = min(more.count, room ?? more.count)
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: more[..<kept]))
        room = room.map { $0 - kept }
    }

    /// The event of the bytes that wait; nil if none do.
    mutating func take() -> Event.Kind? {
        defer {
            bytes = []
            direction = nil
        }
        guard let direction, !bytes.isEmpty else { return nil }
        return room == nil
            ? .traffic(side, direction, offset: offset, bytes) : .wire(side, direction, bytes)
    }

    /// What one event holds, about.
    private static let piece = 64 * 1024
}
