/// How far the head of an HTTP/1 message has come.
public enum HTTPHeadProgress<Head: Sendable>: Sendable {
    /// More bytes are needed.
    case incomplete
    /// The head is complete and took the first `length` bytes, its blank line included.
    case complete(Head, length: Int)
    /// The bytes break the rules of HTTP; the reason in a few words, without anything that the peer sent.
    case malformed(String)
    /// The head is longer than the limit.
    case tooLarge
}

extension HTTPHeadProgress: Equatable where Head: Equatable {}

/// A rule of HTTP that a peer broke, in a few words.
struct HTTPHeadDefect: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// What a request's head and a response's head have in common: a first line, then fields, then a blank line.
protocol HTTPHead: Sendable {
    associatedtype StartLine

    /// Reads the first line.
    static func startLine(_ line: ArraySlice<UInt8>) throws(HTTPHeadDefect) -> StartLine

    init(_ startLine: StartLine, headers: [HTTPHeader])

    /// Whether the first line may begin with these octets, as far as an observer can tell; at least one.
    static func mayBegin(_ line: ArraySlice<UInt8>) -> Bool

    /// Reads the first line of a message that passes by; whoever is to answer it asks `startLine`.
    static func observedStartLine(_ line: ArraySlice<UInt8>) throws(HTTPHeadDefect) -> StartLine
}

extension HTTPHead {
    /// Reads a head from the first bytes of a stream (RFC 9112 section 2).
    ///
    /// The first line is judged as soon as it is there, the fields when all are: a head that arrives octet by octet is
    /// scanned again for each of them, which must stay cheap.
    static func read(_ bytes: [UInt8], limit: Int) -> HTTPHeadProgress<Self> {
        var lines = HTTPHeadLines(bytes.prefix(limit))
        do throws(HTTPHeadDefect) {
            guard let first = try lines.startLine() else { return bytes.count < limit ? .incomplete : .tooLarge }
            let startLine = try Self.startLine(first)
            guard lines.hasBlankLine else { return bytes.count < limit ? .incomplete : .tooLarge }
            var headers: [HTTPHeader] = []
            while let line = try lines.next(), !line.isEmpty { headers.append(try HTTPHeader(line: line)) }
            return .complete(Self(startLine, headers: headers), length: lines.position)
        } catch {
            return .malformed(error.reason)
        }
    }

    /// Reads the protocol's name and version, "HTTP/1.1" (RFC 9112 section 2.3), and returns the minor version.
    static func minorVersion(_ text: ArraySlice<UInt8>) throws(HTTPHeadDefect) -> Int {
        guard text.count == 8, text.starts(with: "HTTP/".utf8), let minor = text.last, minor.isASCIIDigit else {
            throw HTTPHeadDefect("no HTTP version")
        }
        guard text.dropFirst(5).starts(with: "1.".utf8) else { throw HTTPHeadDefect("not HTTP/1") }
        return Int(minor - UInt8(ascii: "0"))
    }
}

/// Cuts a head into lines.
///
/// A line ends in CR LF; a bare LF is tolerated (RFC 9112 section 2.2), a bare CR is not.
struct HTTPHeadLines {
    private let bytes: ArraySlice<UInt8>
    /// Where the next line starts.
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The next line without its end; nil if it is not complete.
    ///
    /// An incomplete line is judged too: a peer that speaks another protocol may never send a line's end.
    mutating func next() throws(HTTPHeadDefect) -> ArraySlice<UInt8>? {
        guard let end = bytes[position...].firstIndex(where: { !Self.isAllowed($0) }) else { return nil }
        var feed = end
        if bytes[feed] == UInt8(ascii: "\r") {
            feed += 1
            guard feed < bytes.endIndex else { return nil }
        }
        guard bytes[feed] == UInt8(ascii: "\n") else { throw HTTPHeadDefect("control character") }
        defer { position = feed + 1 }
        return bytes[position..<end]
    }

    /// Whether the blank line that ends the head is there.
    var hasBlankLine: Bool {
        var start = position
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if bytes[start..<end].allSatisfy({ $0 == UInt8(ascii: "\r") }), end - start < 2 { return true }
            start = end + 1
        }
        return false
    }

    /// The first line that is not empty; nil if it is not complete.
    ///
    /// Empty lines before it are skipped (RFC 9112 section 2.2).
    mutating func startLine() throws(HTTPHeadDefect) -> ArraySlice<UInt8>? {
        while let line = try next() {
            if !line.isEmpty { return line }
        }
        return nil
    }

    /// Whether a line may hold this octet: white space, visible characters, and obs-text (RFC 9110 section 5.5).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7f || byte == UInt8(ascii: "\t")
    }
}

extension HTTPHeader {
    /// Reads a field's line (RFC 9112 section 5).
    init(line: ArraySlice<UInt8>) throws(HTTPHeadDefect) {
        guard line.first.map(Self.isSpace) == false else { throw HTTPHeadDefect("folded header line") }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw HTTPHeadDefect("header line without colon")
        }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(\.isHTTPTokenCharacter) else { throw HTTPHeadDefect("bad header name") }
        var value = line[(colon + 1)...].drop(while: Self.isSpace)
        while let last = value.last, Self.isSpace(last) { value = value.dropLast() }
        self.init(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    }

    /// Whether this is optional white space (RFC 9110 section 5.6.3).
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
