import Testing
import Wire

@Suite("Scanning JSON")
struct JSONScannerTests {
    private func fault(_ text: String) -> JSONFault? {
        let bytes = Array(text.utf8)
        var scanner = JSONScanner(bytes, bytes.indices)
        do throws(JSONFault) {
            _ = try scanner.value()
            try scanner.expectEnd()
            return nil
        } catch {
            return error
        }
    }

    @Test("values are found where they stand, in their order, and twice if they are there twice")
    func members() throws {
        let bytes = Array(#" {"a" : [1, "x\"]"], "a":-0.5e+7} "#.utf8)
        var scanner = JSONScanner(bytes, bytes.indices)
        var found: [String] = []
        try scanner.object { (key, value) throws(JSONFault) in
            found += [key, value].map { String(decoding: bytes[$0], as: UTF8.self) }
        }
        try scanner.expectEnd()
        #expect(found == [#""a""#, #"[1, "x\"]"]"#, #""a""#, "-0.5e+7"])
    }

    @Test("what is no JSON is refused at the octet where it is noticed")
    func faults() {
        let cases: [(String, Int, String)] = [
            ("{\"a\" 1}", 5, "':' is expected"), ("[1,]", 3, "a value is expected"), ("[1", 2, "it is cut off"),
            ("\"a", 2, "a string does not end"), ("\"\\x\"", 3, "an escape is none"),
            ("01", 1, "something follows the object"),
            ("truth", 0, "a value is expected"), ("\"\n\"", 2, "a string holds a control code"),
        ]
        for (text, position, reason) in cases {
            #expect(fault(text) == JSONFault(.syntax, at: position, reason), "\(text)")
        }
    }

    @Test("nesting is bounded")
    func depth() {
        let limit = JSONScanner.depthLimit
        #expect(fault(String(repeating: "[", count: limit) + String(repeating: "]", count: limit)) == nil)
        #expect(
            fault(String(repeating: "[", count: limit + 1)) == JSONFault(.value, at: limit, "it is nested too deeply"))
    }

    @Test("texts and numbers are read as what they are")
    func texts() {
        func string(_ code: String) -> String? { JSONText.string(Array(code.utf8)[...]) }
        #expect(string(#""a\n\u00fc\ud83d\ude00\/""#) == "a\nü😀/")
        #expect(string(#""\ud83d""#) == nil)
        func integer(_ code: String) -> Int8? { JSONText.integer(Array(code.utf8)[...]) }
        #expect(integer("-128") == -128)
        #expect(integer("128") == nil)
        #expect(integer("1.0") == nil)
    }
}
