/// A client's hello (RFC 8446 section 4.1.2), as it was sent.
///
/// Decoding checks the framing only: what the lengths say must fit. Whether the values make sense is for the TLS
/// library to judge, which then sends the right alert; a client whose hello breaks a rule is still a client whose hello
/// is worth recording.
public struct ClientHello: Sendable, Equatable {
    /// The version field of the hello itself (0x0303 for TLS 1.2 and 1.3).
    public let legacyVersion: UInt16
    /// The 32 random octets.
    public let random: [UInt8]
    /// The session identifier, at most 32 octets.
    public let sessionID: [UInt8]
    /// The cipher suites in the client's order, GREASE included.
    public let cipherSuites: [UInt16]
    /// The compression methods.
    public let compressionMethods: [UInt8]
    /// The extensions in the client's order, GREASE included.
    public let extensions: [TLSExtension]

    /// Decodes the body of a ClientHello message.
    ///
    /// - Parameter body: The message without its four octets of header; nothing may follow it.
    /// - Throws: `WireError` naming the field whose length does not fit.
    public init(message body: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(body)
        legacyVersion = try reader.uint16("version")
        random = [UInt8](try reader.take(32, "random"))
        sessionID = [UInt8](try reader.vector8("session identifier"))
        guard sessionID.count <= 32 else { throw .malformed(field: "session identifier") }
        cipherSuites = try ByteReader.uint16List(reader.vector16("cipher suites"), "cipher suites")
        compressionMethods = [UInt8](try reader.vector8("compression methods"))
        // Before TLS 1.3 the block of extensions may be missing (RFC 5246 section 7.4.1.2).
        extensions = reader.isAtEnd ? [] : try TLSExtension.list(reader.vector16("extensions"))
        guard reader.isAtEnd else { throw .malformed(field: "end of the hello") }
    }

    /// Decodes the body of a ClientHello message.
    ///
    /// - Parameter body: The message without its four octets of header; nothing may follow it.
    /// - Throws: `WireError` naming the field whose length does not fit.
    public init(message body: [UInt8]) throws(WireError) {
        try self.init(message: body[...])
    }

}

extension ClientHello {
    /// Whether a value means nothing and only keeps servers tolerant: 0x0a0a, 0x1a1a and so on to 0xfafa.
    ///
    /// Cipher suites, extensions, groups, versions and signature schemes share these values (RFC 8701 section 2).
    public static func isGREASE(_ value: UInt16) -> Bool {
        value & 0x0f0f == 0x0a0a && value >> 8 == value & 0xff
    }
}
