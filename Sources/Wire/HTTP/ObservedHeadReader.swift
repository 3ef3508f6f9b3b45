/// Collects the head of an HTTP/1 message that passes by, from whatever pieces it arrives in.
///
/// Whoever answers a message must refuse what can be understood in two ways; whoever looks on must follow what both ends
/// have long agreed on. So it is more lenient than `HTTPHead.read`: folded lines are joined (RFC 9112 section 5.2), white
/// space before a colon is dropped (section 5.1), a line without a colon is a value without a name, and values hold
/// whatever octets were sent. How the bytes are cut decides nothing, not even when it gives up.
struct ObservedHeadReader<Head: HTTPHead> {
    /// The line that has no end yet.
    private var line: [UInt8] = []
    private var startLine: Head.StartLine?
    private var fields: [HTTPHeader] = []
    /// How many octets the head has so far.
    private var length = 0

    /// Takes octets up to the head's end.
    ///
    /// - Returns: How many belong to the head, and the head with its length if it is complete.
    mutating func read(
        _ input: UnsafeRawBufferPointer
    ) throws(HTTPHeadStop) -> (taken: Int, complete: (head: Head, length: Int)?) {
        var rest = input[...]
        while !rest.isEmpty {
            let feed = rest.firstIndex(of: UInt8(ascii: "\n"))
            let piece = rest[..<(feed.map { $0 + 1 } ?? rest.endIndex)]
            let fitting = piece.prefix(HTTPHeadBounds.octets - length)
            line += fitting
            length += fitting.count
            // Before the limit is: whoever speaks another protocol is told from its first octets.
            guard startLine != nil || mayBegin else { throw .malformed }
            guard fitting.count == piece.count else { throw .headTooLarge }
            rest = rest[piece.endIndex...]
            guard feed != nil else { break }
            if try endsHead(), let startLine {
                return (rest.startIndex - input.startIndex, (Head(startLine, headers: fields), length))
            }
            line.removeAll(keepingCapacity: true)
        }
        return (input.count, nil)
    }

    /// Whether the line may be the first one, or one of the empty ones that may stand before it (section 2.2).
    private var mayBegin: Bool {
        switch line.first {
        case UInt8(ascii: "\n"): true
        case UInt8(ascii: "\r"): line.count == 1 || line[1] == UInt8(ascii: "\n")
        default: Head.mayBegin(line[...])
        }
    }

    /// Takes the line that has come to its end, and says whether it is the empty one that ends the head.
    private mutating func endsHead() throws(HTTPHeadStop) -> Bool {
        var text = line.dropLast()
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        guard startLine != nil else {
            if !text.isEmpty { startLine = try Self.startLine(text) }
            return false
        }
        guard let first = text.first else { return true }
        if HTTPHeader.isSpace(first) {
            // What is folded before the first field belongs to nothing (section 2.2).
            if let last = fields.indices.last { fields[last].unfold(text) }
        } else {
            guard fields.count < HTTPHeadBounds.fields else { throw .headTooLarge }
            fields.append(HTTPHeader(observed: text))
        }
        return false
    }

    private static func startLine(_ text: ArraySlice<UInt8>) throws(HTTPHeadStop) -> Head.StartLine {
        do throws(HTTPHeadDefect) { return try Head.observedStartLine(text) } catch { throw .malformed }
    }
}

extension HTTPHeader {
    /// Reads a field's line as far as it can be understood.
    fileprivate init(observed line: ArraySlice<UInt8>) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            self.init(name: "", value: Self.text(line))
            return
        }
        self.init(name: Self.text(line[..<colon]), value: Self.text(line[(colon + 1)...]))
    }

    /// Appends a folded line, with a space in the place of the line's end.
    fileprivate mutating func unfold(_ line: ArraySlice<UInt8>) {
        let more = Self.text(line)
        if !more.isEmpty { value += value.isEmpty ? more : " " + more }
    }

    private static func text(_ octets: ArraySlice<UInt8>) -> String {
        var text = octets.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text = text.dropLast() }
        return String(decoding: text, as: UTF8.self)
    }
}
