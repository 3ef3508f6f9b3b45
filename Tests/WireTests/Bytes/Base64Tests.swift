import Testing
import Wire

@Suite("Base64")
struct Base64Tests {
    /// RFC 4648 section 10, and one that uses the whole alphabet (from Python's `base64`).
    private static let vectors: [([UInt8], String)] = [
        (bytes(of: ""), ""),
        (bytes(of: "f"), "Zg=="),
        (bytes(of: "fo"), "Zm8="),
        (bytes(of: "foo"), "Zm9v"),
        (bytes(of: "foob"), "Zm9vYg=="),
        (bytes(of: "fooba"), "Zm9vYmE="),
        (bytes(of: "foobar"), "Zm9vYmFy"),
        ([0xff], "/w=="),
        ([0xfb, 0xff], "+/8="),
        (
            bytes(
                """
                00108310518720928b30d38f41149351559761969b71d79f8218a39259a7a29aabb2dbafc31cb3d35db7e39ebbf3dfbf
                """),
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        ),
    ]

    @Test("RFC 4648 section 10", arguments: vectors)
    func encode(octets: [UInt8], text: String) {
        #expect(Base64.encode(octets) == text)
        var output = bytes(of: "x=")
        Base64.encode(octets, into: &output)
        #expect(output == bytes(of: "x=" + text))
    }
}
