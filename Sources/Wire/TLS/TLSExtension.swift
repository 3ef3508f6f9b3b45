/// One extension of a handshake message (RFC 8446 section 4.2), undecoded.
public struct TLSExtension: Sendable, Equatable {
    /// The extension's number.
    public let type: UInt16
    /// Its body.
    public let body: [UInt8]

    /// Joins a number and a body.
    public init(type: UInt16, body: [UInt8]) {
        self.type = type
        self.body = body
    }
}

extension TLSExtension {
    /// Reads a block of extensions to its end.
    static func list(_ block: ArraySlice<UInt8>) throws(WireError) -> [TLSExtension] {
        var reader = ByteReader(block)
        var extensions: [TLSExtension] = []
        while !reader.isAtEnd {
            let type = try reader.uint16("extension type")
            extensions.append(TLSExtension(type: type, body: [UInt8](try reader.vector16("extension"))))
        }
        return extensions
    }
}
