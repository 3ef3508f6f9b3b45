/// Text in sections: headings, and rows of a name and a value that wraps.
struct TextSection {
    private(set) var text = ""
    private let width: Int
    private let colour: Bool

    /// Starts empty.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark headings with control sequences.
    init(width: Int, colour: Bool) {
        self.width = width
        self.colour = colour
    }

    /// Adds a heading, after an empty line.
    mutating func heading(_ heading: String) {
        for (index, line) in lines(heading, indent: 0).enumerated() {
            text += (index == 0 ? "\n" : "") + Style.heading.applied(to: line, colour: colour) + "\n"
        }
    }

    /// Adds a name and its value, which begins in a column of its own.
    mutating func row(_ name: String, _ value: String, style: Style = .plain) {
        let lines = lines(value, indent: Self.column)
        for (index, line) in lines.enumerated() {
            let start = index == 0 ? "  " + name : ""
            let blanks = String(repeating: " ", count: max(1, Self.column - TerminalText.width(start)))
            text += start + blanks + style.applied(to: line, colour: colour) + "\n"
        }
    }

    /// Adds a list under a name; nothing if it is empty.
    mutating func row(_ name: String, list: [String]) {
        // A list of names breaks between them, never inside.
        if !list.isEmpty { row(name, list.joined(separator: ", ")) }
    }

    /// Adds a paragraph.
    mutating func paragraph(_ paragraph: String, indent: Int = 2, style: Style = .plain) {
        for line in lines(paragraph, indent: indent) {
            text += String(repeating: " ", count: indent) + style.applied(to: line, colour: colour) + "\n"
        }
    }

    /// Adds text as it is; it must be harmless.
    mutating func add(_ lines: String) { text += lines }

    private func lines(_ text: String, indent: Int) -> [String] {
        LineWrap.lines(of: TerminalText.escape(text), width: max(20, width - indent))
    }

    private static let column = 16
}
