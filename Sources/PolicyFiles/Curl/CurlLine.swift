/// One line of a configuration file of curl's, taken apart as curl does.
struct CurlLine {
    /// The line without blanks before it.
    let text: Substring
    /// The option, with its dashes if it has any.
    let option: String
    /// Its parameter; nil for none.
    let parameter: String?
    /// What follows an unquoted parameter and is not read; nil for nothing.
    let garbage: String?

    /// Reads a line.
    init(_ line: ArraySlice<UInt8>) {
        let line = String(decoding: line, as: UTF8.self)
        text = line.drop(while: Self.isBlank)
        let isDashed = text.first == "-"
        let isSeparator: (Character) -> Bool = { Self.isBlank($0) || !isDashed && ($0 == "=" || $0 == ":") }
        let word = text.prefix { !isSeparator($0) }
        option = String(word)
        var rest = text[word.endIndex...].drop(while: isSeparator)
        if rest.first == "\"" {
            parameter = Self.quoted(rest.dropFirst())
            garbage = nil
            return
        }
        let bare = rest.prefix { !Self.isBlank($0) }
        parameter = bare.isEmpty ? nil : String(bare)
        rest = rest[bare.endIndex...].drop(while: Self.isBlank)
        garbage = rest.isEmpty || rest.first == "#" ? nil : String(rest)
    }

    /// Whether there is nothing in it.
    var isComment: Bool { text.first.map { "#/*".contains($0) } ?? true }

    /// The text up to the quotation mark that ends it, or else all of it.
    private static func quoted(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let escaped = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch escaped {
            case "t": result.append("\t")
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "v": result.append("\u{B}")
            default: result.append(escaped)
            }
        }
        return result
    }

    private static func isBlank(_ character: Character) -> Bool {
        [" ", "\t", "\r", "\n", "\r\n", "\u{B}", "\u{C}"].contains(character)
    }
}
