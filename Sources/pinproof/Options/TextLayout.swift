/// Lays help text out for a terminal of 80 columns.
enum TextLayout {
    static let width = 80
    /// Where the right-hand column of a list begins.
    private static let column = 26

    /// A blank at which no line is broken.
    static let fixedBlank: Character = "\u{A0}"

    /// Breaks a paragraph between words; every line is indented by `indent` columns.
    static func wrap(_ paragraph: String, indent: Int = 0) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = margin
        for word in paragraph.split(separator: " ") {
            if line.count > indent, line.count + 1 + word.count > width {
                lines.append(line)
                line = margin
            }
            line += line.count > indent ? " \(word)" : String(word)
        }
        lines.append(line)
        return lines.map { $0.map { $0 == fixedBlank ? " " : String($0) }.joined() + "\n" }.joined()
    }

    /// A list's row: a term, and its explanation in the right-hand column, which starts on a line of its own if the
    /// term is too long to leave two blanks before it.
    static func row(_ term: String, _ explanation: String) -> String {
        let start = "  \(term)"
        let body = wrap(explanation, indent: column)
        if start.count + 2 > column { return "\(start)\n\(body)" }
        return start + body.dropFirst(start.count)
    }
}
