/// A position in a body: yields it piece by piece.
struct BodyCursor {
    private let body: Answer.Body
    private var position: UInt64 = 0

    /// Stands at the start of `body`.
    init(_ body: Answer.Body) { self.body = body }

    /// Whether everything has been yielded.
    var isAtEnd: Bool { position == body.length }

    /// Writes the next octets to `buffer`, as many as there are and as fit.
    ///
    /// - Returns: How many were written.
    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = Int(min(UInt64(buffer.count), body.length - position))
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count))
        switch body {
        case .bytes(let bytes):
            bytes.withUnsafeBytes { room.copyMemory(from: .init(rebasing: $0[Int(position)..<Int(position) + count])) }
        case .pattern: BodyPattern.fill(into: room, offset: position)
        case .empty: break
        }
        position += UInt64(count)
        return count
    }
}
