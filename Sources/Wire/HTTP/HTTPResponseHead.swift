/// The head of an HTTP/1 response (RFC 9112 section 4).
public struct HTTPResponseHead: Sendable, Equatable {
    /// The status code, 100 to 999.
    public var status: Int
    /// The reason phrase; often empty.
    public var reason: String
    /// The digit behind "HTTP/1.".
    public var minorVersion: Int
    /// The fields in the order sent.
    public var headers: [HTTPHeader]

    /// Joins the parts of a head.
    public init(status: Int, reason: String = "", minorVersion: Int = 1, headers: [HTTPHeader] = []) {
        self.status = status
        self.reason = reason
        self.minorVersion = minorVersion
        self.headers = headers
    }

    /// Reads a head from the first bytes of a stream.
    ///
    /// Call it with all that arrived so far; the rules are those of `HTTPRequestHead.parse`.
    ///
    /// - Parameters:
    ///   - bytes: The stream from its start; what follows the head is not looked at.
    ///   - limit: How many bytes the head may take.
    /// - Returns: How far the head has come.
    public static func parse(_ bytes: [UInt8], limit: Int = 65536) -> HTTPHeadProgress<HTTPResponseHead> {
        read(bytes, limit: limit)
    }
}

extension HTTPResponseHead: HTTPHead {
    static func startLine(
        _ line: ArraySlice<UInt8>
    ) throws(HTTPHeadDefect) -> (status: Int, reason: String, minorVersion: Int) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        let minorVersion = try minorVersion(line.prefix { $0 != UInt8(ascii: " ") })
        guard parts.count >= 2, parts[1].count == 3, parts[1].allSatisfy(\.isASCIIDigit) else {
            throw HTTPHeadDefect("bad status code")
        }
        let status = parts[1].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard status >= 100 else { throw HTTPHeadDefect("bad status code") }
        // Many servers leave out the reason, some the space before it too.
        let reason = parts.count == 3 ? String(decoding: parts[2], as: UTF8.self) : ""
        return (status, reason, minorVersion)
    }

    init(_ startLine: (status: Int, reason: String, minorVersion: Int), headers: [HTTPHeader]) {
        self.init(
            status: startLine.status, reason: startLine.reason, minorVersion: startLine.minorVersion, headers: headers)
    }

    /// A line begins with the protocol's name.
    static func mayBegin(_ line: ArraySlice<UInt8>) -> Bool {
        let name = Array("HTTP/1.".utf8)
        return name.starts(with: line.prefix(name.count))
    }

    static func observedStartLine(
        _ line: ArraySlice<UInt8>
    ) throws(HTTPHeadDefect) -> (status: Int, reason: String, minorVersion: Int) {
        try startLine(line)
    }
}
