public import Transcript
internal import Wire

extension ServerHelloRecord {
    /// A hello written by hand from RFC 8446 section 4.1.3.
    public static let sampleBody: [UInt8] =
        [0x03, 0x03] + (0...31).map { UInt8($0) } + [
            0x01, 0xAA,  // session identifier
            0x13, 0x01, 0x00,  // cipher suite, compression method
            0x00, 0x10,  // length of the extensions: 6 + 10
            0x00, 0x2B, 0x00, 0x02, 0x03, 0x04,
            0x00, 0x33, 0x00, 0x06, 0x00, 0x1D, 0x00, 0x02, 0xAB, 0xCD,
        ]

    /// That hello, with fingerprints that only have their form.
    public static let sample = ServerHelloRecord(
        hello: hello(sampleBody), ja3sText: "771,4865,43-51", ja3s: "0123456789abcdef0123456789abcdef",
        ja4s: "t130200_1301_0123456789ab")

    /// The members of its line on the origin's side, written by hand.
    public static let sampleMembers =
        #""event":"serverHello","side":"origin","legacyVersion":{"number":"0x0303","name":"TLS 1.2"},"#
        + #""random":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f","sessionID":"aa","#
        + #""cipherSuite":"0x1301","compressionMethod":0,"extensions":["#
        + #"{"type":"0x002b","name":"supported_versions","body":"0304"},"#
        + #"{"type":"0x0033","name":"key_share","body":"001d0002abcd"}],"isRetryRequest":false,"#
        + #""version":{"number":"0x0304","name":"TLS 1.3"},"keyShareGroup":{"number":"0x001d","name":"x25519"},"#
        + #""ja3s":"0123456789abcdef0123456789abcdef","ja3sText":"771,4865,43-51","#
        + #""ja4s":"t130200_1301_0123456789ab""#

    private static func hello(_ body: [UInt8]) -> ServerHello {
        do {
            return try ServerHello(message: body[...])
        } catch {
            fatalError("the sample hello does not decode: \(error)")
        }
    }
}
