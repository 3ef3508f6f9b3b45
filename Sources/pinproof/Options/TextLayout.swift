/// Lays help text out for a terminal of 80 columns.
enum TextLayout {
    static let width = 80
    /// Where the right-hand column of a list begins.
    private static let column = 28

    /// Breaks a paragraph between words; the first line continues one that is `used` columns long.
    static func wrap(_ paragraph: String, indent: Int = 0, used: Int? = nil) -> String {
        var text = ""
        var position = used ?? 0
        if used == nil { (text, position) = (String(repeating: " ", count: indent), indent) }
        for word in paragraph.split(separator: " ") {
            if position > indent, position + 1 + word.count > width {
                text += "\n" + String(repeating: " ", count: indent)
                position = indent
            }
            if position > indent {
                text += " "
                position += 1
            }
            text += word
            position += word.count
        }
        return text + "\n"
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
