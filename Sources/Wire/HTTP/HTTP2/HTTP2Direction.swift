/// One side's bytes of an HTTP/2 connection, followed frame by frame and field block by field block.
struct HTTP2Direction {
    /// A field block, complete and expanded (RFC 9113 section 4.3).
    struct FieldSection {
        /// The frame that it began with.
        let stream: UInt32
        /// The stream that it promises, if it came in PUSH_PROMISE.
        let promised: UInt32?
        let endsStream: Bool
        let fields: [HTTPHeader]
        /// How many octets it took, compressed.
        let length: Int
    }

    /// A field block of which not all has come.
    private struct OpenBlock {
        let stream: UInt32
        let promised: UInt32?
        let endsStream: Bool
        var octets: [UInt8]
    }

    /// How many SETTINGS may wait for their acknowledgement.
    private static let settingsLimit = 64

    private var reader: HTTP2FrameReader
    private let inflater = HPACKInflater()
    private var block: OpenBlock?
    /// The table sizes in this side's SETTINGS that the other has not acknowledged yet, one list for each frame.
    private var announced: [[UInt32]] = []
    /// Whether this side is followed; never again once it broke a rule or a limit.
    var isWatching = true

    /// Starts with the first byte.
    init(_ sender: HTTPSender) { reader = HTTP2FrameReader(sender) }

    /// Takes octets, at least one unless `input` is empty; see `HTTP2FrameReader.read`.
    mutating func read(_ input: UnsafeRawBufferPointer) throws(HTTPHeadStop) -> (taken: Int, frame: HTTP2ObservedFrame?)
    {
        try reader.read(input)
    }

    /// Takes HEADERS, PUSH_PROMISE or CONTINUATION.
    ///
    /// Nothing may stand between the frames of a block (section 6.10), so `requireNoBlock` goes with all other frames.
    ///
    /// - Returns: The fields, if the block is complete.
    mutating func takeBlock(_ frame: HTTP2ObservedFrame) throws(HTTPHeadStop) -> FieldSection? {
        guard frame.stream != 0 else { throw .malformed }
        if frame.kind == .continuation {
            guard block?.stream == frame.stream else { throw .malformed }
            // In place: a block in very many frames is not copied for each of them.
            block?.octets += frame.payload
        } else {
            try requireNoBlock()
            let (fragment, promised) = try HTTPHeadStop.wellFormed(try frame.fieldBlock())
            block = OpenBlock(
                stream: frame.stream, promised: promised, endsStream: frame.endsStream, octets: Array(fragment))
        }
        guard let open = block, open.octets.count <= HTTPHeadBounds.octets else { throw .headTooLarge }
        guard frame.endsHeaders else { return nil }
        block = nil
        return FieldSection(
            stream: open.stream, promised: open.promised, endsStream: open.endsStream,
            fields: try inflater.fields(of: open.octets), length: open.octets.count)
    }

    /// Refuses a frame in the midst of a field block.
    func requireNoBlock() throws(HTTPHeadStop) {
        guard block == nil else { throw .malformed }
    }

    /// Takes this side's SETTINGS, which count once the other has acknowledged them (section 6.5.3).
    mutating func announce(_ frame: HTTP2ObservedFrame) throws(HTTPHeadStop) {
        guard announced.count < Self.settingsLimit else { throw .tooManyWaiting }
        announced.append(try HTTPHeadStop.wellFormed(try frame.headerTableSizes()))
    }

    /// Takes the other's acknowledgement of the oldest SETTINGS.
    ///
    /// - Returns: What the other's encoder keeps to from now on.
    mutating func acknowledged() -> [UInt32] { announced.isEmpty ? [] : announced.removeFirst() }

    /// Lets this side's encoder use tables of these sizes, one after the other.
    func allowTables(_ sizes: [UInt32]) {
        for size in sizes { inflater.allowTable(size) }
    }
}
