/// A request's head as HTTP/2 delivers it, field by field (RFC 9113 section 8.3).
///
/// nghttp2 has checked the form: the pseudo-header fields come first, once each, and those that must be there are.
struct HTTP2RequestHead {
    /// The most that is kept of one head, by HPACK's measure; announced as SETTINGS_MAX_HEADER_LIST_SIZE.
    ///
    /// One octet of HPACK can stand for a field of 4 KiB, so the frames' size bounds nothing.
    static let limit = 65_536

    private var method = ""
    private var path: String?
    private var authority: String?
    private var headers: [HTTPHeader] = []
    private var size = 0

    /// Whether the head was over the limit; it is then incomplete.
    var isTooLarge: Bool { size > Self.limit }

    /// Adds the next field.
    mutating func add(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard !isTooLarge else { return }
        // RFC 7541 section 4.1: a field counts 32 octets over its text. Neither length is over 64 KiB in nghttp2.
        size += name.count + value.count + 32
        guard !isTooLarge else { return }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: name, as: UTF8.self) {
        case ":method": method = text
        case ":path": path = text
        case ":authority": authority = text
        case let name where name.hasPrefix(":"): break
        case let name: headers.append(HTTPHeader(name: name, value: text))
        }
    }

    /// The request that the head describes.
    ///
    /// CONNECT has no path: its target is its authority, as in HTTP/1.
    func request(on stream: Int32) -> HTTPRequest {
        let authority = self.authority ?? headers.values(named: "host").first
        return HTTPRequest(
            method: method, target: path ?? authority ?? "", authority: authority, headers: headers,
            httpVersion: "HTTP/2", streamID: stream)
    }
}
