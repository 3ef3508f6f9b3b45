import PolicyFiles
import Testing

/// Files in other encodings, and files that begin with something else than a format does, are told what is wrong.
@Suite("Encodings and beginnings")
struct EncodingTests {
    private func complaint(_ contents: [UInt8]) -> String? {
        do throws(PolicyFileError) {
            _ = try PolicyFile(contents, named: "policy", resources: MemoryResources())
            return nil
        } catch {
            return error.description
        }
    }

    private static let texts = [
        "{\"a.test\": []}", "insecure", "<network-security-config/>", "<plist><dict/></plist>",
    ]

    @Test("UTF-16 and UTF-32 are named, with a mark and without", arguments: texts)
    func wide(text: String) {
        func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }
        func utf16BigEndian(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
        let sixteen = "policy: it is UTF-16, which is not read; save it as UTF-8"
        for mark in ["\u{FEFF}", ""] {
            #expect(complaint(utf16(mark + text)) == sixteen)
            #expect(complaint(utf16BigEndian(mark + text)) == sixteen)
            let wider = (mark + text).unicodeScalars.flatMap { [UInt8($0.value & 0xFF), UInt8($0.value >> 8), 0, 0] }
            #expect(complaint(wider) == "policy: it is UTF-32, which is not read; save it as UTF-8")
        }
        #expect(complaint(Array(text.utf8)) == nil)
    }

    @Test("zeros that no encoding explains are no text")
    func binary() {
        for contents: [UInt8] in [[0, 0, 0, 0], [0x50, 0x4B, 0x03, 0], Array("ab\u{0}c".utf8)] {
            #expect(complaint(contents)?.contains("it holds no text") == true)
        }
    }

    @Test("a byte order mark is named before JSON and curl's options, and is none to XML")
    func mark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        for text in ["{\"a.test\": []}", "insecure", "[]", "curl -k"] {
            #expect(
                complaint(mark + Array(text.utf8)) == """
                    policy, line 1: it begins with a byte order mark; remove it: save the file as UTF-8 without a byte \
                    order mark
                    """)
        }
        for text in ["<network-security-config/>", "<plist><dict/></plist>"] {
            #expect(complaint(mark + Array(text.utf8)) == nil)
        }
    }

    @Test("a document type declaration with entities in it is told as one without")
    func documentType() {
        let expected = """
            policy, line 2: a document type declaration, which may declare entities, is not read; remove it
            """
        let subsets = [
            "", " []", " [<!ENTITY a \"]>\"> <!-- ]>'\" --> <!ENTITY b 'x'>\n] ", " [ <!ENTITY a \"x\">",
        ]
        for subset in subsets {
            let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE network-security-config\(subset)><network-security-config/>"
            #expect(complaint(Array(text.utf8)) == expected, "\(subset)")
        }
        let list = "\n<!DOCTYPE plist [<!ENTITY a 'x'>]><plist><dict/></plist>"
        #expect(complaint(Array(list.utf8)) == expected)
        // Another document stays one.
        for subset in ["<!ENTITY a ']>'>", "<!ENTITY a \"]>\">", "<!-- ]> ' -->", ""] {
            let other = "<!DOCTYPE html [\(subset)]><html/>"
            let seen = complaint(Array(other.utf8))
            #expect(seen?.contains("XML, whose outermost element is <html>") == true, "\(subset)")
        }
    }

    @Test("TrustKit's configuration as JSON is no React Native's")
    func trustKit() {
        for key in ["TSKConfiguration", "TSKPinnedDomains"] {
            #expect(
                complaint(Array("{\"\(key)\": {}}".utf8)) == """
                    policy, /\(key): TrustKit's configuration is a property list, and this is JSON; convert it with \
                    plutil -convert xml1
                    """)
        }
        #expect(complaint(Array("{\"TSKConfigurations.test\": {\"publicKeyHashes\": []}}".utf8)) == nil)
    }
}
