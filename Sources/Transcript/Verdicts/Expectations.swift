import Wire

/// What somebody expects of the hosts of a run: the lines of a file, one `pinned|unpinned|tunnelled|refused HOST-PATTERN`
/// each.
///
/// `#` begins a comment; empty lines are skipped. As with every per-host option the most specific pattern decides, and of
/// equally specific ones the last.
public struct Expectations: Sendable {
    /// What is expected of a host.
    public enum Expected: String, Sendable, Equatable, CaseIterable {
        /// It is pinned, and no data is given away to find that out.
        case pinned
        /// Ordinary validation and no more.
        case unpinned
        /// A rule relays it untouched.
        case tunnelled
        /// A rule refuses it.
        case refused
    }

    /// What is expected of hosts that no line names.
    public enum Default: String, Sendable, Equatable, CaseIterable {
        /// That they are pinned.
        case pinned
        /// That they are not.
        case unpinned
        /// Nothing.
        case any
    }

    /// A line that cannot be read.
    public struct ParseError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The line, counted from 1.
        public var line: Int
        /// What is wrong with it, and how it should be.
        public var description: String

        /// Joins a line and what is wrong with it.
        public init(line: Int, description: String) {
            self.line = line
            self.description = description
        }
    }

    /// A line of the file.
    struct Line: Sendable {
        let number: Int
        let pattern: HostPattern
        let expected: Expected
    }

    let lines: [Line]
    let table: HostTable<Line>
    let fallback: Default

    /// Expects the same of every host.
    ///
    /// - Parameter fallback: What is expected of it.
    public init(default fallback: Default = .any) {
        (lines, table, self.fallback) = ([], HostTable(), fallback)
    }

    /// Reads expectations.
    ///
    /// - Parameters:
    ///   - text: The lines.
    ///   - fallback: What is expected of hosts that no line names.
    /// - Throws: `ParseError` for the first line that cannot be read.
    public init(_ text: String, default fallback: Default = .any) throws(ParseError) {
        var lines: [Line] = []
        // "\r\n" is one character, and a line's end too.
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if let line = try Self.parse(line, number: index + 1) { lines.append(line) }
        }
        self.lines = lines
        table = HostTable(lines.map { ($0.pattern, $0) })
        self.fallback = fallback
    }

    private static func parse(_ text: Substring, number: Int) throws(ParseError) -> Line? {
        let words = text.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else { return nil }
        guard let expected = Expected(rawValue: String(first)) else {
            let known = Expected.allCases.map(\.rawValue).joined(separator: ", ")
            throw ParseError(line: number, description: "\"\(String(first).clipped)\" is none of \(known)")
        }
        guard words.count == 2 else {
            let found = words.count == 1 ? "a host is missing" : "there is more than one host"
            throw ParseError(line: number, description: "\(found): write \"\(expected.rawValue) HOST\"")
        }
        guard let pattern = HostPattern(String(words[1])) else {
            let problem = "\"\(String(words[1]).clipped)\" is no host pattern: write example.com, *.example.com or *"
            throw ParseError(line: number, description: problem)
        }
        return Line(number: number, pattern: pattern, expected: expected)
    }
}
