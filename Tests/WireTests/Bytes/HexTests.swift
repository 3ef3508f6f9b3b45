import Testing
import Wire

@Suite("Hex")
struct HexTests {
    @Test("Every octet is two lower-case digits")
    func encode() {
        #expect(Hex.encode([]) == "")
        #expect(Hex.encode([0x00, 0x09, 0x0a, 0x0f, 0x10, 0x9f, 0xa0, 0xff]) == "00090a0f109fa0ff")
        #expect(Hex.encode([0xde, 0xad, 0xbe, 0xef]) == "deadbeef")
    }

    @Test("Text is appended to what is there")
    func append() {
        var output = bytes(of: "x=")
        Hex.encode([0x12, 0xef], into: &output)
        Hex.encode([], into: &output)
        #expect(output == bytes(of: "x=12ef"))
    }

    @Test("Both cases are read, and nothing else")
    func decode() {
        #expect(Hex.decode(bytes(of: "")) == [])
        #expect(Hex.decode(bytes(of: "00090a0f109fA0Ff")) == [0x00, 0x09, 0x0a, 0x0f, 0x10, 0x9f, 0xa0, 0xff])
        for text in ["0", "000", "0g", "g0", "0x", " 0", "0:", "/0", "@0", "`0"] {
            #expect(Hex.decode(bytes(of: text)) == nil)
        }
    }
}
