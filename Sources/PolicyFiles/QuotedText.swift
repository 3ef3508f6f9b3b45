extension String {
    /// The text in quotation marks for a message of one line: shortened, and without anything that moves a cursor.
    var quoted: String {
        let limit = 80
        let scalars = unicodeScalars.prefix(limit).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                "\u{FFFD}"
            default: String(scalar)
            }
        }
        return "\"" + scalars.joined() + (unicodeScalars.count > limit ? "…" : "") + "\""
    }
}
