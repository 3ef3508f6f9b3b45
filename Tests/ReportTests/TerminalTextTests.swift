import Report
import Testing

struct TerminalTextTests {
    @Test(arguments: [
        ("plain text, also é and 日本", "plain text, also é and 日本"),
        ("\n\r\t", #"\n\r\t"#),
        ("\0\u{7}\u{1B}[31m\u{7F}", #"\x00\x07\x1b[31m\x7f"#),
        ("\u{85}\u{9B}", #"\x85\x9b"#),
        ("\u{AD}\u{200B}\u{202E}\u{2066}\u{FEFF}", #"\xad\u{200b}\u{202e}\u{2066}\u{feff}"#),
        ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
        ("\u{E000}\u{10FFFF}", #"\u{e000}\u{10ffff}"#),
    ])
    func escapesWhatATerminalWouldActOn(_ text: String, _ escaped: String) {
        #expect(TerminalText.escape(text) == escaped)
    }
}
