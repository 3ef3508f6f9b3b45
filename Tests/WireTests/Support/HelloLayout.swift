import Wire

/// Lays a ClientHello out, as a client would write it.
struct HelloLayout {
    var version = 0x0303
    var random = [UInt8](repeating: 7, count: 32)
    var sessionID: [UInt8] = []
    var suites: [Int] = [0x1301]
    var compression: [UInt8] = [0]
    var extensions: [(type: Int, body: [UInt8])] = []

    /// The message without its header.
    var body: [UInt8] {
        var bytes = bytes16(version) + random + vector8(sessionID)
        bytes += vector16(suites.flatMap(bytes16)) + vector8(compression)
        if !extensions.isEmpty { bytes += vector16(extensions.flatMap { bytes16($0.type) + vector16($0.body) }) }
        return bytes
    }

    /// The message with its header.
    var message: [UInt8] { [1, UInt8(body.count >> 16)] + bytes16(body.count & 0xffff) + body }
}

extension HelloLayout {
    /// A layout with one extension.
    static func with(_ type: Int, _ body: [UInt8]) -> HelloLayout {
        HelloLayout(extensions: [(type, body)])
    }

    /// The body of a server_name extension with one entry.
    static func serverName(_ name: [UInt8], type: UInt8 = 0) -> [UInt8] {
        vector16([type] + vector16(name))
    }
}

/// Puts a handshake message into records of `size` bytes each.
func records(_ message: [UInt8], size: Int = 1 << 14) -> [UInt8] {
    stride(from: 0, to: message.count, by: size).flatMap { start in
        [22, 3, 1] + vector16([UInt8](message[start..<min(start + size, message.count)]))
    }
}
