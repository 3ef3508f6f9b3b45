/// What the extensions say.
///
/// An extension that is absent and one whose body does not decode look the same here: the TLS library refuses the
/// latter with the right alert, and the raw body stays in `extensions`. Of repeated extensions the first counts. GREASE
/// values are listed as sent.
extension ClientHello {
    /// The name asked for (RFC 6066 section 3), exactly as sent, even if it is no valid name; nil without one.
    ///
    /// As OpenSSL does, only a list of one entry of type host_name is understood.
    public var serverName: String? {
        decode(.serverName) { (reader) throws(WireError) in
            var entries = ByteReader(try reader.vector16("server names"))
            guard try entries.uint8("name type") == 0 else { throw .unsupported("name type") }
            let name = try entries.vector16("host name")
            guard entries.isAtEnd else { throw .malformed(field: "server names") }
            return String(decoding: name, as: UTF8.self)
        }
    }

    /// The application protocols in the client's order (RFC 7301 section 3.1); nil without the extension.
    public var alpn: [[UInt8]]? {
        decode(.applicationProtocols) { (reader) throws(WireError) in
            var list = ByteReader(try reader.vector16("protocols"))
            var protocols: [[UInt8]] = []
            while !list.isAtEnd { protocols.append([UInt8](try list.vector8("protocol"))) }
            return protocols
        }
    }

    /// The protocol versions offered (RFC 8446 section 4.2.1); empty before TLS 1.3.
    public var supportedVersions: [UInt16] {
        decode(.supportedVersions) { (reader) throws(WireError) in
            try ByteReader.uint16List(reader.vector8("versions"), "versions")
        } ?? []
    }

    /// The groups for the key exchange (RFC 8446 section 4.2.7).
    public var supportedGroups: [UInt16] {
        decode(.supportedGroups) { (reader) throws(WireError) in
            try ByteReader.uint16List(reader.vector16("groups"), "groups")
        } ?? []
    }

    /// The signature schemes for handshakes (RFC 8446 section 4.2.3).
    public var signatureAlgorithms: [UInt16] {
        decode(.signatureAlgorithms) { (reader) throws(WireError) in
            try ByteReader.uint16List(reader.vector16("signature schemes"), "signature schemes")
        } ?? []
    }

    /// The groups for which a key share was sent along (RFC 8446 section 4.2.8).
    public var keyShareGroups: [UInt16] {
        decode(.keyShare) { (reader) throws(WireError) in
            var shares = ByteReader(try reader.vector16("key shares"))
            var groups: [UInt16] = []
            while !shares.isAtEnd {
                groups.append(try shares.uint16("group"))
                _ = try shares.vector16("key share")
            }
            return groups
        } ?? []
    }

    /// The forms of points on curves (RFC 8422 section 5.1.2).
    public var pointFormats: [UInt8] {
        decode(.pointFormats) { (reader) throws(WireError) in
            [UInt8](try reader.vector8("point formats"))
        } ?? []
    }

    /// Whether the client wants to send data before the handshake is done (RFC 8446 section 4.2.10).
    public var offersEarlyData: Bool { body(of: .earlyData) != nil }

    /// Whether the encrypted_client_hello extension is there (RFC 9849 section 5), real or GREASE: from outside they
    /// look alike.
    public var offersECH: Bool { body(of: .encryptedClientHello) != nil }

    /// The numbers of the extensions that are decoded here.
    enum Known: UInt16 {
        case serverName = 0
        case supportedGroups = 10
        case pointFormats = 11
        case signatureAlgorithms = 13
        case applicationProtocols = 16
        case earlyData = 42
        case supportedVersions = 43
        case keyShare = 51
        case encryptedClientHello = 0xfe0d
    }

    /// The body of an extension; nil if it was not sent.
    func body(of known: Known) -> [UInt8]? {
        extensions.first { $0.type == known.rawValue }?.body
    }

    /// Decodes the whole body of an extension; nil if it was not sent or does not decode.
    private func decode<Value>(
        _ known: Known, _ read: (inout ByteReader) throws(WireError) -> Value
    ) -> Value? {
        guard let body = body(of: known) else { return nil }
        var reader = ByteReader(body[...])
        guard let value = try? read(&reader), reader.isAtEnd else { return nil }
        return value
    }
}
