public import Transcript
internal import Wire

extension HelloRecord {
    /// A hello with one extension of each kind that is decoded, written by hand from RFC 8446 section 4.1.2.
    public static let sampleBody: [UInt8] =
        [0x03, 0x03] + (0...31).map { UInt8($0) } + [
            0x01, 0xAA,  // session identifier
            0x00, 0x04, 0x0A, 0x0A, 0x13, 0x01,  // cipher suites
            0x01, 0x00,  // compression methods
            0x00, 0x51,  // length of the extensions: 4 + 24 + 8 + 6 + 8 + 12 + 7 + 12
            0x0A, 0x0A, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x14, 0x00, 0x12, 0x00, 0x00, 0x0F,
        ] + Array("api.example.com".utf8) + [
            0x00, 0x0A, 0x00, 0x04, 0x00, 0x02, 0x00, 0x1D,
            0x00, 0x0B, 0x00, 0x02, 0x01, 0x00,
            0x00, 0x0D, 0x00, 0x04, 0x00, 0x02, 0x04, 0x03,
            0x00, 0x10, 0x00, 0x08, 0x00, 0x06, 0x02, 0x68, 0x32, 0x02, 0x0A, 0x0A,
            0x00, 0x2B, 0x00, 0x03, 0x02, 0x03, 0x04,
            0x00, 0x33, 0x00, 0x08, 0x00, 0x06, 0x00, 0x1D, 0x00, 0x02, 0xAB, 0xCD,
        ]

    /// That hello, with fingerprints that only have their form.
    public static let sample = HelloRecord(
        hello: hello(sampleBody), ja3Text: "771,4865,0-10-11-13-16-43-51,29,0", ja3: "0123456789abcdef0123456789abcdef",
        ja4: "t13d0107h2_0123456789ab_0123456789ab")

    /// The members of its line, written by hand.
    public static let sampleMembers =
        #""event":"hello","legacyVersion":{"number":"0x0303","name":"TLS 1.2"},"#
        + #""random":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f","sessionID":"aa","#
        + #""cipherSuites":["0x0a0a","0x1301"],"compressionMethods":"00","extensions":["#
        + #"{"type":"0x0a0a","name":"GREASE","body":""},"#
        + #"{"type":"0x0000","name":"server_name","body":"001200000f6170692e6578616d706c652e636f6d"},"#
        + #"{"type":"0x000a","name":"supported_groups","body":"0002001d"},"#
        + #"{"type":"0x000b","name":"ec_point_formats","body":"0100"},"#
        + #"{"type":"0x000d","name":"signature_algorithms","body":"00020403"},"#
        + #"{"type":"0x0010","name":"application_layer_protocol_negotiation","body":"0006026832020a0a"},"#
        + #"{"type":"0x002b","name":"supported_versions","body":"020304"},"#
        + #"{"type":"0x0033","name":"key_share","body":"0006001d0002abcd"}],"#
        + #""serverName":"api.example.com","alpn":["h2","\\x0a\\x0a"],"#
        + #""supportedVersions":[{"number":"0x0304","name":"TLS 1.3"}],"#
        + #""supportedGroups":[{"number":"0x001d","name":"x25519"}],"#
        + #""signatureAlgorithms":[{"number":"0x0403","name":"ecdsa_secp256r1_sha256"}],"#
        + #""keyShareGroups":[{"number":"0x001d","name":"x25519"}],"pointFormats":"00","#
        + #""offersEarlyData":false,"offersECH":false,"ja3":"0123456789abcdef0123456789abcdef","#
        + #""ja3Text":"771,4865,0-10-11-13-16-43-51,29,0","ja4":"t13d0107h2_0123456789ab_0123456789ab""#

    /// A hello that offers these protocols and nothing else.
    public static func offering(_ protocols: [[UInt8]]) -> HelloRecord {
        let list = protocols.flatMap { [UInt8($0.count)] + $0 }
        let body = bigEndian(list.count) + list
        let extensions = [0x00, 0x10] + bigEndian(body.count) + body
        let message = [0x03, 0x03] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 0x01, 1, 0]
        return HelloRecord(
            hello: hello(message + bigEndian(extensions.count) + extensions), ja3Text: "", ja3: "", ja4: "")
    }

    /// A hello without extensions, as before TLS 1.2.
    public static let bare = HelloRecord(
        hello: hello([0x03, 0x01] + [UInt8](repeating: 0, count: 32) + [0, 0, 2, 0, 0x2F, 1, 0]),
        ja3Text: "769,47,,,", ja3: "", ja4: "")

    private static func bigEndian(_ length: Int) -> [UInt8] { [UInt8(length >> 8), UInt8(length & 0xFF)] }

    private static func hello(_ body: [UInt8]) -> ClientHello {
        do {
            return try ClientHello(message: body)
        } catch {
            fatalError("the sample hello does not decode: \(error)")
        }
    }
}
