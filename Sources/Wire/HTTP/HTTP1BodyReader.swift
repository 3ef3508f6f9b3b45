/// Unwraps a message's body as it arrives; nothing is kept (RFC 9112 sections 6.2 and 7.1).
struct HTTP1BodyReader {
    private enum State {
        /// So many octets are still to come: of the whole body, or of one chunk.
        case content(remaining: UInt64, isChunk: Bool)
        /// In a chunk's size, of which so many digits were read.
        case size(UInt64, digits: Int)
        /// In the rest of the size's line, at this length.
        case sizeExtension(UInt64, length: Int)
        /// Before the LF that ends the size's line.
        case sizeEnd(UInt64)
        /// Before the CR LF that ends a chunk.
        case chunkEnd(hasReturn: Bool)
        /// In the trailer section, which is dropped, at this length.
        case trailers(length: Int, isInLine: Bool)
        case complete
    }

    /// The most that a chunk's extensions may take.
    private static let extensionLimit = 4096
    /// The most that the trailer section may take.
    private static let trailerLimit = 65_536

    private var state: State

    /// A body of a known length.
    static func length(_ length: UInt64) -> HTTP1BodyReader {
        HTTP1BodyReader(state: length == 0 ? .complete : .content(remaining: length, isChunk: false))
    }

    /// A body in chunks.
    static var chunked: HTTP1BodyReader { HTTP1BodyReader(state: .size(0, digits: 0)) }

    /// Whether the body has ended.
    var isComplete: Bool {
        if case .complete = state { true } else { false }
    }

    /// Takes octets from `input`, at least one unless it is empty or the body is complete.
    ///
    /// - Returns: How many were taken, and which of them are content.
    mutating func read(
        _ input: UnsafeRawBufferPointer
    ) throws(HTTP1Refusal) -> (taken: Int, content: UnsafeRawBufferPointer) {
        if case .content(let remaining, let isChunk) = state {
            let count = Int(min(remaining, UInt64(input.count)))
            if UInt64(count) < remaining {
                state = .content(remaining: remaining - UInt64(count), isChunk: isChunk)
            } else {
                state = isChunk ? .chunkEnd(hasReturn: false) : .complete
            }
            return (count, UnsafeRawBufferPointer(rebasing: input.prefix(count)))
        }
        guard !isComplete, let octet = input.first else { return (0, .init(start: nil, count: 0)) }
        state = try Self.state(after: octet, in: state)
        return (1, .init(start: nil, count: 0))
    }

    /// The state after an octet of a chunk's framing.
    ///
    /// Only trailers, being fields, may end their lines with a bare LF.
    private static func state(after octet: UInt8, in state: State) throws(HTTP1Refusal) -> State {
        switch state {
        case .size(let size, let digits):
            if let digit = octet.hexDigitValue {
                // Sixteen digits are what 64 bits hold.
                guard digits < 16 else { break }
                return .size(size << 4 | UInt64(digit), digits: digits + 1)
            }
            guard digits > 0 else { break }
            switch octet {
            case UInt8(ascii: "\r"): return .sizeEnd(size)
            case UInt8(ascii: ";"), UInt8(ascii: " "), UInt8(ascii: "\t"): return .sizeExtension(size, length: 1)
            default: break
            }
        case .sizeExtension(let size, let length):
            if octet == UInt8(ascii: "\r") { return .sizeEnd(size) }
            guard octet != UInt8(ascii: "\n"), length < extensionLimit else { break }
            return .sizeExtension(size, length: length + 1)
        case .sizeEnd(let size):
            guard octet == UInt8(ascii: "\n") else { break }
            return size == 0 ? .trailers(length: 0, isInLine: false) : .content(remaining: size, isChunk: true)
        case .chunkEnd(let hasReturn):
            guard octet == UInt8(ascii: hasReturn ? "\n" : "\r") else { break }
            return hasReturn ? .size(0, digits: 0) : .chunkEnd(hasReturn: true)
        case .trailers(let length, let isInLine):
            guard length < trailerLimit else { break }
            switch octet {
            case UInt8(ascii: "\n"): return isInLine ? .trailers(length: length + 1, isInLine: false) : .complete
            case UInt8(ascii: "\r"): return .trailers(length: length + 1, isInLine: isInLine)
            default: return .trailers(length: length + 1, isInLine: true)
            }
        case .content, .complete: return state
        }
        throw .badRequest("chunk")
    }
}
