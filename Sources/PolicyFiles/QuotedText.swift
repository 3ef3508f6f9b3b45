extension String {
    /// The text in quotation marks, shortened.
    var quoted: String { "\"" + shortened(to: 80) + "\"" }

    /// The text fit for a message of one line: shortened, and without anything that moves a cursor.
    var oneLine: String {
        let shown = String.UnicodeScalarView(
            shortened(to: 1000).unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                    "\u{FFFD}"
                default: scalar
                }
            })
        return String(shown)
    }

    private func shortened(to limit: Int) -> String {
        let start = unicodeScalars.prefix(limit)
        return String(start) + (start.endIndex < unicodeScalars.endIndex ? "…" : "")
    }
}
