/// A configuration file: long options without their dashes, one a line, as curl's.
///
/// `name value`, `name = value` and `name: value` mean the same. A value with blanks, or one that begins with a quote
/// or `#`, stands in double quotes, in which `\"`, `\\`, `\t`, `\n` and `\r` are escapes. `#` begins a comment at the
/// start of a line or after a blank.
enum ConfigurationFile {
    /// One option of the file.
    struct Entry: Equatable {
        let name: String
        let value: String?
        /// The line, counted from 1.
        let line: Int
    }

    /// Why a line cannot be read.
    struct Fault: Error, Equatable {
        let what: String
        let line: Int
        let remedy: String
    }

    /// Reads the text of a file.
    static func parse(_ bytes: [UInt8]) throws(Fault) -> [Entry] {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        var entries: [Entry] = []
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let text = String(validating: line, as: UTF8.self) else {
                throw Fault(what: "not UTF-8 text", line: index + 1, remedy: "save the file as UTF-8")
            }
            if let entry = try entry(of: text, line: index + 1) { entries.append(entry) }
        }
        return entries
    }

    private static func entry(of text: String, line: Int) throws(Fault) -> Entry? {
        guard text.unicodeScalars.allSatisfy({ $0 == "\t" || $0.properties.generalCategory != .control }) else {
            throw Fault(what: "control character", line: line, remedy: "remove it; this is not a text file")
        }
        var rest = text[...].trimmingBlanks
        guard let first = rest.first, first != "#" else { return nil }
        if rest.hasPrefix("--") { rest = rest.dropFirst(2) }
        let name = rest.prefix { !$0.isBlank && $0 != "=" && $0 != ":" }
        guard !name.isEmpty else {
            throw Fault(what: "no option name", line: line, remedy: "write 'name value', or '#' before a comment")
        }
        rest = afterSeparator(rest.dropFirst(name.count))
        return Entry(name: String(name), value: try value(of: rest, line: line), line: line)
    }

    /// Drops what stands between a name and its value: blanks, with one `=` or `:` among them.
    ///
    /// A colon after a blank separates only if a blank or nothing follows: `listen ::1` names an address.
    private static func afterSeparator(_ text: Substring) -> Substring {
        let trimmed = text.trimmingBlanks
        let isAttached = text.first == ":"
        if trimmed.first == "=" { return trimmed.dropFirst().trimmingBlanks }
        if trimmed.first == ":", isAttached || trimmed.dropFirst().first?.isBlank ?? true {
            return trimmed.dropFirst().trimmingBlanks
        }
        return trimmed
    }

    private static func value(of text: Substring, line: Int) throws(Fault) -> String? {
        guard let first = text.first, first != "#" else { return nil }
        if first == "\"" { return try quoted(text.dropFirst(), line: line) }
        let value = text.prefix { !$0.isBlank }
        try expectEnd(text.dropFirst(value.count), line: line)
        return String(value)
    }

    private static func quoted(_ text: Substring, line: Int) throws(Fault) -> String {
        var value = ""
        var rest = text
        while let character = rest.popFirst() {
            switch character {
            case "\"":
                try expectEnd(rest, line: line)
                return value
            case "\\":
                guard let escaped = rest.popFirst(), let meant = escapes[escaped] else {
                    throw Fault(
                        what: "unknown escape", line: line,
                        remedy: #"inside quotes use \\ for a backslash, and \" \t \n \r"#)
                }
                value.append(meant)
            default: value.append(character)
            }
        }
        throw Fault(what: "quote is not closed", line: line, remedy: "end the value with a double quote")
    }

    private static let escapes: [Character: Character] = ["\"": "\"", "\\": "\\", "t": "\t", "n": "\n", "r": "\r"]

    private static func expectEnd(_ text: Substring, line: Int) throws(Fault) {
        let rest = text.trimmingBlanks
        guard rest.isEmpty || (rest.first == "#" && text.first != "#") else {
            throw Fault(
                what: "text after the value", line: line,
                remedy: "put a value with blanks in double quotes, and a blank before a comment")
        }
    }
}

extension Substring {
    /// The text without the blanks at its start and end.
    fileprivate var trimmingBlanks: Substring {
        var trimmed = drop { $0.isBlank }
        while trimmed.last?.isBlank == true { trimmed.removeLast() }
        return trimmed
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
