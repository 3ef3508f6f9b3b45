/// A frame of HTTP/2, as far as an observer of heads needs it (RFC 9113 section 4.1).
struct HTTP2ObservedFrame {
    /// The frame types (section 6).
    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case priority = 2
        case resetStream = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
    }

    /// How many octets stand before the payload.
    static let headerLength = 9

    /// The type; nil for one of an extension.
    let kind: Kind?
    let stream: UInt32
    /// How long the payload is.
    let length: Int
    /// The payload, as much of it as is kept.
    var payload: [UInt8] = []
    private let flags: UInt8

    /// Reads the nine octets before the payload.
    init(header: some RandomAccessCollection<UInt8>) throws(WireError) {
        var reader = ByteReader([UInt8](header)[...])
        length = Int(try reader.uint8("frame length")) << 16 | Int(try reader.uint16("frame length"))
        kind = Kind(rawValue: try reader.uint8("frame type"))
        flags = try reader.uint8("frame flags")
        // The first bit is reserved, and ignored.
        stream = try reader.uint32("frame stream") & 0x7fff_ffff
    }

    /// Whether the sender's half of the stream ends with this frame.
    var endsStream: Bool { (kind == .data || kind == .headers) && flags & 0x1 != 0 }
    /// Whether a SETTINGS frame acknowledges the other's.
    var isAcknowledgement: Bool { flags & 0x1 != 0 }
    /// Whether a field block ends with this frame.
    var endsHeaders: Bool { flags & 0x4 != 0 }
    /// Whether the payload begins with the length of the padding at its end.
    private var isPadded: Bool { flags & 0x8 != 0 }
    /// Whether HEADERS carry a priority (deprecated, yet sent).
    private var hasPriority: Bool { kind == .headers && flags & 0x20 != 0 }

    /// How much of the payload is kept: field blocks and settings, but no content.
    var keptLength: Int {
        switch kind {
        case .headers, .continuation, .pushPromise, .settings: length
        case .data: isPadded ? min(length, 1) : 0
        case .priority, .resetStream, .ping, .goAway, .windowUpdate, nil: 0
        }
    }

    /// How many octets of content DATA carries (section 6.1).
    func contentLength() throws(WireError) -> Int {
        guard isPadded else { return length }
        var reader = ByteReader(payload[...])
        let padding = Int(try reader.uint8("padding"))
        guard padding < length else { throw .malformed(field: "padding") }
        return length - 1 - padding
    }

    /// The piece of a field block in HEADERS or PUSH_PROMISE, and the stream that the latter promises (sections 6.2, 6.6).
    func fieldBlock() throws(WireError) -> (fragment: ArraySlice<UInt8>, promised: UInt32?) {
        var reader = ByteReader(payload[...])
        let padding = isPadded ? Int(try reader.uint8("padding")) : 0
        var promised: UInt32?
        if kind == .pushPromise { promised = try reader.uint32("promised stream") & 0x7fff_ffff }
        if hasPriority { _ = try reader.take(5, "priority") }
        let length = payload.count - reader.offset - padding
        guard length >= 0 else { throw .malformed(field: "padding") }
        return (try reader.take(length, "field block"), promised)
    }

    /// The values of SETTINGS_HEADER_TABLE_SIZE, in their order (section 6.5).
    func headerTableSizes() throws(WireError) -> [UInt32] {
        var reader = ByteReader(payload[...])
        var sizes: [UInt32] = []
        while !reader.isAtEnd {
            let identifier = try reader.uint16("setting")
            let value = try reader.uint32("setting")
            if identifier == 1 { sizes.append(value) }
        }
        return sizes
    }
}
