/// A server's hello (RFC 8446 section 4.1.3, RFC 5246 section 7.4.1.3), as it was sent.
///
/// Decoding checks the framing only, as `ClientHello` does.
public struct ServerHello: Sendable, Equatable {
    /// The version field of the hello itself (0x0303 for TLS 1.2 and 1.3).
    public let legacyVersion: UInt16
    /// The 32 random octets.
    public let random: [UInt8]
    /// The session identifier, at most 32 octets.
    public let sessionID: [UInt8]
    /// The cipher suite that was chosen.
    public let cipherSuite: UInt16
    /// The compression method that was chosen.
    public let compressionMethod: UInt8
    /// The extensions in the server's order.
    public let extensions: [TLSExtension]

    /// Decodes the body of a ServerHello message.
    ///
    /// - Parameter body: The message without its four octets of header; nothing may follow it.
    /// - Throws: `WireError` naming the field whose length does not fit.
    public init(message body: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(body)
        legacyVersion = try reader.uint16("version")
        random = [UInt8](try reader.take(32, "random"))
        sessionID = [UInt8](try reader.vector8("session identifier"))
        guard sessionID.count <= 32 else { throw .malformed(field: "session identifier") }
        cipherSuite = try reader.uint16("cipher suite")
        compressionMethod = try reader.uint8("compression method")
        extensions = reader.isAtEnd ? [] : try TLSExtension.list(reader.vector16("extensions"))
        guard reader.isAtEnd else { throw .malformed(field: "end of the hello") }
    }

    /// Whether it asks for another ClientHello: a HelloRetryRequest is a ServerHello with this random (RFC 8446 section
    /// 4.1.3, the SHA-256 of "HelloRetryRequest").
    public var isRetryRequest: Bool { random == Self.retryRandom }

    private static let retryRandom: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
        0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
    ]
}

extension ServerHello {
    /// The version that was chosen: by supported_versions (RFC 8446 section 4.2.1), or by the hello itself.
    public var version: UInt16 { number(43) ?? legacyVersion }

    /// The group of the server's key share, or the one that a HelloRetryRequest asks for (RFC 8446 section 4.2.8).
    public var keyShareGroup: UInt16? {
        guard let body = body(51), body.count >= 2 else { return nil }
        return UInt16(body[0]) << 8 | UInt16(body[1])
    }

    /// The application protocol that was chosen (RFC 7301 section 3.1); nil without one, and in TLS 1.3, where it is
    /// encrypted.
    public var alpn: [UInt8]? {
        // A list of one name: two octets of its length, one of the name's.
        guard let body = body(16), body.count > 3 else { return nil }
        return Array(body[3...])
    }

    private func number(_ type: UInt16) -> UInt16? {
        guard let body = body(type), body.count == 2 else { return nil }
        return UInt16(body[0]) << 8 | UInt16(body[1])
    }

    private func body(_ type: UInt16) -> [UInt8]? { extensions.first { $0.type == type }?.body }
}
