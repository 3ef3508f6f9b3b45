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

    @Test("What is written is read", arguments: vectors)
    func decode(octets: [UInt8], text: String) {
        #expect(Base64.decode(bytes(of: text)) == octets)
    }

    /// RFC 4648 sections 3.1 to 3.5.
    @Test(
        "Line breaks, other alphabets, missing padding and bits beside the octets are refused",
        arguments: [
            "Z", "Zg", "Zg=", "Zg===", "=", "==", "====", "Zm9v=", "Zm9v====", "Zh==", "Zm9=", "Z===", "Zg==Zg==",
            "Zm8=\n",
            "Zm\n9", "-_8=", "Zm9 ", "Zm=v", "=m9v",
        ])
    func refuse(text: String) {
        #expect(Base64.decode(bytes(of: text)) == nil)
    }
}
