/// Breaks a text into lines of a width.
enum LineWrap {
    /// The lines of a text, of at most `width` columns each; at least one, which is empty if the text is.
    ///
    /// Lines break at blanks. A word that is too long for a line breaks after punctuation, as host names and paths
    /// have it, or else anywhere.
    static func lines(of text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty {
                if TerminalText.width(line) + 1 + TerminalText.width(word) <= width {
                    line += " " + word
                    continue
                }
                lines.append(line)
            }
            var rest = word
            while TerminalText.width(rest) > width {
                let piece = firstPiece(of: rest, width: width)
                lines.append(String(piece))
                rest = rest[piece.endIndex...]
            }
            line = String(rest)
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines
    }

    /// The beginning of a word that is too long: at least one character, so that there is an end to it.
    private static func firstPiece(of word: Substring, width: Int) -> Substring {
        let fitting = TerminalText.prefix(of: word, columns: width)
        guard !fitting.isEmpty else { return word.prefix(1) }
        // A break in the first half would waste more than it is worth.
        let half = fitting.index(fitting.startIndex, offsetBy: fitting.count / 2)
        guard let punctuation = fitting[half...].lastIndex(where: "/.:,;-_=&?@".contains) else { return fitting }
        return word[...punctuation]
    }
}
