/// Cuts one side's bytes of an HTTP/2 connection into frames, whatever pieces they arrive in.
///
/// Of a frame only what `HTTP2ObservedFrame.keptLength` says is kept.
struct HTTP2FrameReader {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// What is still to come of the client's preface (RFC 9113 section 3.4).
    private var preface: ArraySlice<UInt8>
    /// The header of a frame that is not complete yet.
    private var header: [UInt8] = []
    /// The frame whose payload arrives.
    private var frame: HTTP2ObservedFrame?
    /// How much of it is still to come.
    private var missing = 0

    /// Starts with the first byte.
    init(_ sender: HTTPSender) {
        preface = sender == .client ? Self.preface[...] : []
    }

    /// Takes octets from `input`, at least one unless it is empty.
    ///
    /// - Returns: How many were taken, and the frame that they complete.
    mutating func read(_ input: UnsafeRawBufferPointer) throws(HTTPHeadStop) -> (taken: Int, frame: HTTP2ObservedFrame?)
    {
        guard preface.isEmpty else {
            let taken = min(preface.count, input.count)
            guard preface.starts(with: input.prefix(taken)) else { throw .malformed }
            preface = preface.dropFirst(taken)
            return (taken, nil)
        }
        guard var current = frame else { return try readHeader(input) }
        // Taken out, so that what it keeps is not copied.
        frame = nil
        let taken = min(missing, input.count)
        current.payload += input.prefix(min(taken, current.keptLength - current.payload.count))
        missing -= taken
        if missing == 0 { return (taken, current) }
        frame = current
        return (taken, nil)
    }

    private mutating func readHeader(
        _ input: UnsafeRawBufferPointer
    ) throws(HTTPHeadStop) -> (taken: Int, frame: HTTP2ObservedFrame?) {
        let piece = input.prefix(HTTP2ObservedFrame.headerLength - header.count)
        header += piece
        guard header.count == HTTP2ObservedFrame.headerLength else { return (piece.count, nil) }
        let next = try HTTPHeadStop.wellFormed(try HTTP2ObservedFrame(header: header))
        header.removeAll(keepingCapacity: true)
        // Nobody needs more of a frame for a head that is within its own limit.
        guard next.keptLength <= HTTPHeadBounds.octets else { throw .headTooLarge }
        missing = next.length
        if missing == 0 { return (piece.count, next) }
        frame = next
        return (piece.count, nil)
    }
}
