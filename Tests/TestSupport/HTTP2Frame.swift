/// HTTP/2 as bytes, put together and taken apart by hand (RFC 9113 section 4, RFC 7541 section 6).
package struct HTTP2Frame: Sendable, Equatable, CustomStringConvertible {
    /// The frame types that the tests use.
    package enum Kind: UInt8, Sendable {
        case data = 0
        case headers = 1
        case priority = 2
        case reset = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
    }

    package static let endStream: UInt8 = 0x1
    package static let acknowledge: UInt8 = 0x1
    package static let endHeaders: UInt8 = 0x4

    package let kind: Kind
    package var flags: UInt8 = 0
    package var stream: UInt8 = 0
    package var payload: [UInt8] = []

    package init(kind: Kind, flags: UInt8 = 0, stream: UInt8 = 0, payload: [UInt8] = []) {
        (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
    }

    package var description: String { "\(kind) \(flags) on \(stream): \(payload.count) octets" }

    package var bytes: [UInt8] {
        let count = payload.count
        return [
            UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind.rawValue, flags, 0, 0, 0, stream,
        ]
            + payload
    }

    /// Takes a whole number of frames apart; nil if the bytes are something else.
    package static func parse(_ bytes: [UInt8]) -> [HTTP2Frame]? {
        var rest = bytes[...]
        var frames: [HTTP2Frame] = []
        while !rest.isEmpty {
            guard rest.count >= 9 else { return nil }
            let head = Array(rest.prefix(9))
            let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard let kind = Kind(rawValue: head[3]), rest.count >= 9 + count else { return nil }
            frames.append(
                HTTP2Frame(kind: kind, flags: head[4], stream: head[8], payload: Array(rest.dropFirst(9).prefix(count)))
            )
            rest = rest.dropFirst(9 + count)
        }
        return frames
    }
}

/// What the tests' client sends.
package enum HTTP2Client {
    /// The preface and an empty SETTINGS.
    package static let preface = [UInt8]("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + HTTP2Frame(kind: .settings).bytes

    /// A request's head.
    ///
    /// `:method GET` is 0x82, POST 0x83; `:scheme https` 0x87; a literal without indexing is 0x00,
    /// the name, the value; with an indexed name (`:authority` 1, `:method` 2, `:path` 4) that index.
    package static func headers(
        _ stream: UInt8, method: [UInt8] = [0x82], path: String = "/", more: [(String, String)] = [],
        ends: Bool = true
    ) -> HTTP2Frame {
        let block =
            method + [0x87, 0x04] + text(path) + [0x01] + text("h.test")
            + more.flatMap { [0x00] + text($0.0) + text($0.1) }
        return HTTP2Frame(
            kind: .headers, flags: HTTP2Frame.endHeaders | (ends ? HTTP2Frame.endStream : 0), stream: stream,
            payload: block)
    }

    /// A piece of a request's body.
    package static func data(_ stream: UInt8, _ bytes: [UInt8], ends: Bool = false) -> HTTP2Frame {
        HTTP2Frame(kind: .data, flags: ends ? HTTP2Frame.endStream : 0, stream: stream, payload: bytes)
    }

    /// More window for a stream, or for the connection (0).
    package static func window(_ stream: UInt8, _ increment: UInt32) -> HTTP2Frame {
        HTTP2Frame(kind: .windowUpdate, stream: stream, payload: fourOctets(increment))
    }

    /// A number in network order.
    package static func fourOctets(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }

    /// A string in HPACK, not Huffman-coded (RFC 7541 section 5.2), up to 16,510 octets.
    package static func text(_ text: String) -> [UInt8] {
        let octets = [UInt8](text.utf8)
        guard octets.count >= 127 else { return [UInt8(octets.count)] + octets }
        let over = octets.count - 127
        return (over < 128 ? [127, UInt8(over)] : [127, UInt8(over & 0x7F | 0x80), UInt8(over >> 7)]) + octets
    }
}
