/// Tells when a client of HTTP/2 makes its first request, from copies of its bytes.
///
/// Before it the client says things that ask for nothing: its preface, settings, window updates, even a farewell (RFC 9113
/// sections 3.4 and 6). A request begins with a HEADERS frame (section 8.1). Bytes that do not begin as HTTP/2 does are
/// taken for a request at once: whatever they are, they are no preface.
public struct HTTP2RequestWatch: Sendable {
    /// Whether the first request has begun; nothing that follows matters.
    public private(set) var hasRequest = false
    /// How much of the preface came.
    private var preface = 0
    /// The frame header that is not complete yet (section 4.1).
    private var header: [UInt8] = []
    /// How much of the last frame's payload is still to come.
    private var payload = 0

    private static let prefaceText = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let headerLength = 9
    private static let headers: UInt8 = 1

    /// Starts before the preface.
    public init() {}

    /// Takes the client's next bytes.
    public mutating func observe(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !hasRequest, let next = rest.first {
            if preface < Self.prefaceText.count {
                hasRequest = next != Self.prefaceText[preface]
                preface += 1
                rest = rest.dropFirst()
            } else if payload > 0 {
                let skipped = min(payload, rest.count)
                payload -= skipped
                rest = rest.dropFirst(skipped)
            } else {
                header.append(next)
                rest = rest.dropFirst()
                if header.count == Self.headerLength { finishHeader() }
            }
        }
    }

    private mutating func finishHeader() {
        payload = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
        hasRequest = header[3] == Self.headers
        header.removeAll(keepingCapacity: true)
    }
}
