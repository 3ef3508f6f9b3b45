import Testing

@testable import pinproof

@Suite struct TextLayoutTests {
    @Test func `a line is filled to the last column and no further`() {
        let eighty = String(repeating: "a", count: 40) + " " + String(repeating: "b", count: 39)
        #expect(TextLayout.wrap(eighty) == eighty + "\n")
        #expect(
            TextLayout.wrap(eighty + "b") == String(repeating: "a", count: 40) + "\n"
                + String(repeating: "b", count: 40) + "\n")
    }

    @Test func `a word that fits nowhere stands alone`() {
        let long = String(repeating: "x", count: 100)
        #expect(TextLayout.wrap("a \(long) b", indent: 2) == "  a\n  \(long)\n  b\n")
    }

    @Test func `no line is broken at a fixed blank`() {
        let text = String(repeating: "a", count: 70) + " default:\(TextLayout.fixedBlank)value"
        #expect(TextLayout.wrap(text) == String(repeating: "a", count: 70) + "\ndefault: value\n")
    }

    @Test func `a term leaves two blanks before its explanation, or has a line of its own`() {
        #expect(TextLayout.row("--short", "It is.") == "  --short                 It is.\n")
        let fitting = "--" + String(repeating: "x", count: 20)
        #expect(TextLayout.row(fitting, "It is.") == "  \(fitting)  It is.\n")
        #expect(TextLayout.row(fitting + "x", "It is.") == "  \(fitting)x\n                          It is.\n")
    }
}
