/// The head of an HTTP/1 request (RFC 9112 section 3).
public struct HTTPRequestHead: Sendable, Equatable {
    /// The method, in the case in which it was sent: methods are case-sensitive.
    public var method: String
    /// The request target as sent: a path, an absolute URL, or "host:port" for CONNECT.
    public var target: String
    /// The digit behind "HTTP/1.".
    public var minorVersion: Int
    /// The fields in the order sent.
    public var headers: [HTTPHeader]

    /// Joins the parts of a head.
    public init(method: String, target: String, minorVersion: Int = 1, headers: [HTTPHeader] = []) {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.headers = headers
    }

    /// Reads a head from the first bytes of a stream.
    ///
    /// Call it with all that arrived so far. A bare LF ends a line too; folded lines are refused (RFC 9112 section 5.2),
    /// as is white space before a field's colon. The first line is judged before it is complete, so that a peer that speaks
    /// another protocol is told early. Octets that are not UTF-8 are replaced in the texts.
    ///
    /// - Parameters:
    ///   - bytes: The stream from its start; what follows the head is not looked at.
    ///   - limit: How many bytes the head may take.
    /// - Returns: How far the head has come.
    public static func parse(_ bytes: [UInt8], limit: Int = 65536) -> HTTPHeadProgress<HTTPRequestHead> {
        read(bytes, limit: limit)
    }
}

extension HTTPRequestHead: HTTPHead {
    static func startLine(
        _ line: ArraySlice<UInt8>
    ) throws(HTTPHeadDefect) -> (method: String, target: String, minorVersion: Int) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        guard let method = parts.first, !method.isEmpty, method.allSatisfy(\.isHTTPTokenCharacter) else {
            throw HTTPHeadDefect("bad method")
        }
        guard parts.count == 3 else { throw HTTPHeadDefect("request line is not method, target, version") }
        guard !parts[1].isEmpty, !parts[1].contains(UInt8(ascii: "\t")) else {
            throw HTTPHeadDefect("bad request target")
        }
        let minorVersion = try minorVersion(parts[2])
        return (String(decoding: method, as: UTF8.self), String(decoding: parts[1], as: UTF8.self), minorVersion)
    }

    init(_ startLine: (method: String, target: String, minorVersion: Int), headers: [HTTPHeader]) {
        self.init(
            method: startLine.method, target: startLine.target, minorVersion: startLine.minorVersion, headers: headers)
    }

    /// A line begins with a method, of 64 octets at most.
    static func mayBegin(_ line: ArraySlice<UInt8>) -> Bool {
        let method = line.prefix(65).prefix { $0 != UInt8(ascii: " ") }
        return (1..<65).contains(method.count) && method.allSatisfy(\.isHTTPTokenCharacter)
    }

    /// A target may hold anything, spaces too: some clients do not encode them.
    static func observedStartLine(
        _ line: ArraySlice<UInt8>
    ) throws(HTTPHeadDefect) -> (method: String, target: String, minorVersion: Int) {
        guard let first = line.firstIndex(of: UInt8(ascii: " ")), let last = line.lastIndex(of: UInt8(ascii: " ")),
            first > line.startIndex, last - first > 1, line[..<first].allSatisfy(\.isHTTPTokenCharacter)
        else { throw HTTPHeadDefect("request line is not method, target, version") }
        let minorVersion = try minorVersion(line[(last + 1)...])
        return (
            String(decoding: line[..<first], as: UTF8.self), String(decoding: line[(first + 1)..<last], as: UTF8.self),
            minorVersion
        )
    }
}
