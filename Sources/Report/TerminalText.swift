/// Text on a terminal: made harmless, measured, cut.
///
/// Whatever a peer may have put into a string goes through `escape` before it is printed.
public enum TerminalText {
    /// Replaces what a terminal would act on, or would not show, by visible escapes: `\n`, `\x1b`, `\u{202e}`.
    ///
    /// These are control and format characters (the latter turn text round or are invisible), separators of lines
    /// and what Unicode leaves unassigned or private.
    public static func escape(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                escaped.append(contentsOf: escapeSequence(of: scalar).unicodeScalars)
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// The number of columns that a text takes on a terminal; it must be free of control characters.
    static func width(_ text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    /// Cuts a text to a number of columns, with an ellipsis if something is left out.
    static func clip(_ text: String, to limit: Int) -> String {
        guard width(text) > limit else { return text }
        return String(prefix(of: text[...], columns: limit - 1)) + "…"
    }

    /// The longest beginning of a text that takes at most so many columns; characters stay whole.
    static func prefix(of text: Substring, columns: Int) -> Substring {
        var taken = 0
        let end = text.indices.first { index in
            taken += width(String(text[index]))
            return taken > columns
        }
        return text[..<(end ?? text.endIndex)]
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            return true
        default:
            return false
        }
    }

    private static func escapeSequence(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return #"\n"#
        case "\r": return #"\r"#
        case "\t": return #"\t"#
        default:
            let digits = String(scalar.value, radix: 16)
            guard scalar.value <= 0xFF else { return #"\u{\#(digits)}"# }
            return #"\x"# + (digits.count < 2 ? "0" : "") + digits
        }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar) ? 2 : 1
        }
    }

    /// Whether a scalar takes two columns: the classes Wide and Fullwidth of Unicode Standard Annex 11, by block.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F,  // Hangul Jamo, leading consonants
            0x2E80...0x303E, 0x3041...0x33FF,  // CJK radicals and punctuation, kana, CJK compatibility
            0x3400...0x4DBF, 0x4E00...0x9FFF,  // CJK ideographs
            0xA000...0xA4CF, 0xA960...0xA97F,  // Yi, Hangul Jamo extended
            0xAC00...0xD7A3, 0xF900...0xFAFF,  // Hangul syllables, CJK compatibility ideographs
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,  // compatibility forms, full-width forms
            0x1F300...0x1FAFF, 0x20000...0x3FFFD:  // pictographs, further ideographs
            true
        default:
            false
        }
    }
}
