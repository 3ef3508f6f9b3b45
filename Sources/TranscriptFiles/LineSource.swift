/// Cuts a stream of octets into lines, and keeps no more of it than one line and one piece.
struct LineSource {
    /// One line of the stream.
    struct Line {
        /// The line without its newline.
        var bytes: [UInt8]
        /// Whether a newline ends it.
        var isTerminated: Bool
    }

    private let read: () throws(TranscriptError) -> [UInt8]
    private let limit: Int
    private var buffer: [UInt8] = []
    /// Where the next line begins in the buffer.
    private var start = 0
    private var isExhausted = false
    /// The number of the line that was returned last, counted from 1.
    private(set) var number = 0

    /// Takes a stream.
    ///
    /// - Parameters:
    ///   - limit: How many octets a line may have.
    ///   - read: Returns the next piece of the stream; nothing at its end.
    init(limit: Int, read: @escaping () throws(TranscriptError) -> [UInt8]) {
        self.limit = limit
        self.read = read
    }

    /// The next line; nil at the end of the stream.
    mutating func next() throws(TranscriptError) -> Line? {
        var searched = start
        while true {
            let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n"))
            guard (newline ?? buffer.count) - start <= limit else {
                throw TranscriptError(
                    .lineTooLong, line: number + 1, reason: "the line is longer than \(limit) octets")
            }
            if let newline {
                defer { start = newline + 1 }
                return line(upTo: newline, isTerminated: true)
            }
            searched = buffer.count - start
            guard try refill() else { break }
        }
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return line(upTo: buffer.count, isTerminated: false)
    }

    /// Whether no line follows.
    mutating func isAtEnd() throws(TranscriptError) -> Bool {
        guard start == buffer.count else { return false }
        return try !refill()
    }

    private mutating func line(upTo end: Int, isTerminated: Bool) -> Line {
        number += 1
        return Line(bytes: [UInt8](buffer[start..<end]), isTerminated: isTerminated)
    }

    /// Moves what is left to the front and reads on; false at the end of the stream.
    private mutating func refill() throws(TranscriptError) -> Bool {
        guard !isExhausted else { return false }
        let piece = try read()
        guard !piece.isEmpty else {
            isExhausted = true
            return false
        }
        buffer.removeSubrange(..<start)
        start = 0
        buffer += piece
        return true
    }
}
