/// A table as text, fitted to the width of a terminal where that can be.
///
/// Cells that are too long wrap inside their column. Every text is escaped for the terminal (`TerminalText`).
public struct TextTable: Sendable {
    /// Where a cell stands in its column.
    public enum Alignment: Sendable, Equatable {
        /// At the left edge.
        case left
        /// At the right edge, as numbers do.
        case right
    }

    /// A column.
    public struct Column: Sendable, Equatable {
        /// The heading.
        public var title: String
        /// Where the cells stand.
        public var alignment: Alignment
        /// Whether the column may become narrower than its longest cell.
        public var wraps: Bool

        /// Describes a column.
        public init(_ title: String, alignment: Alignment = .left, wraps: Bool = true) {
            self.title = title
            self.alignment = alignment
            self.wraps = wraps
        }
    }

    /// A cell.
    public struct Cell: Sendable, Equatable, ExpressibleByStringLiteral {
        /// The texts of the cell; each begins on a line of its own.
        public var paragraphs: [String]
        /// What the cell means.
        public var style: Style

        /// Makes a cell of one text.
        public init(_ text: String, style: Style = .plain) {
            self.init(paragraphs: [text], style: style)
        }

        /// Makes a cell of several texts below one another.
        public init(paragraphs: [String], style: Style = .plain) {
            self.paragraphs = paragraphs.map(TerminalText.escape)
            self.style = style
        }

        /// Makes a plain cell of a literal.
        public init(stringLiteral text: String) {
            self.init(text)
        }
    }

    private let columns: [Column]
    private var rows: [[Cell]] = []

    /// Starts a table without rows.
    public init(columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row, with a cell for every column.
    public mutating func add(row: [Cell]) {
        precondition(row.count == columns.count, "a row has a cell for every column")
        rows.append(row)
    }

    /// Writes the table.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal. The table is wider only if its columns cannot shrink further.
    ///   - colour: Whether to show the styles of the cells with control sequences.
    /// - Returns: Its lines, each with a newline at its end and no blanks before it.
    public func text(width: Int = 80, colour: Bool = false) -> String {
        guard !columns.isEmpty else { return "" }
        let heading = columns.map { Cell($0.title, style: .heading) }
        let widths = columnWidths(heading: heading, total: width)
        let rule = widths.map { Cell(String(repeating: "-", count: $0)) }
        return ([heading, rule] + rows).map { render($0, widths: widths, colour: colour) }.joined()
    }

    /// Renders one row; it takes as many lines as its tallest cell.
    private func render(_ row: [Cell], widths: [Int], colour: Bool) -> String {
        let cells = zip(row, widths).map { cell, width in
            cell.paragraphs.flatMap { LineWrap.lines(of: $0, width: width) }
        }
        let height = cells.map(\.count).max() ?? 0
        return (0..<height).map { index in
            var line = ""
            var blanks = 0
            for (column, lines) in cells.enumerated() {
                let text = index < lines.count ? lines[index] : ""
                let padding = max(0, widths[column] - TerminalText.width(text))
                if !text.isEmpty {
                    // Blanks are written only when something follows them, so that no line ends in blanks.
                    if columns[column].alignment == .right { blanks += padding }
                    line += String(repeating: " ", count: blanks)
                    line += row[column].style.applied(to: text, colour: colour)
                    blanks = columns[column].alignment == .left ? padding : 0
                } else {
                    blanks += padding
                }
                blanks += Self.gap
            }
            return line + "\n"
        }.joined()
    }

    /// The blanks between two columns.
    private static let gap = 2
    /// A column is not made narrower than this, nor than its heading's longest word.
    private static let narrowest = 8

    /// Gives every column the width of its longest text, then narrows the widest until the table fits.
    private func columnWidths(heading: [Cell], total: Int) -> [Int] {
        let available = total - Self.gap * (columns.count - 1)
        var least: [Int] = []
        var widths: [Int] = []
        for (index, column) in columns.enumerated() {
            let cells = [heading[index]] + rows.map { $0[index] }
            let longest = cells.flatMap(\.paragraphs).map { TerminalText.width($0) }.max() ?? 0
            let words = heading[index].paragraphs.flatMap { $0.split(separator: " ") }
            let longestWord = words.map { TerminalText.width($0) }.max() ?? 0
            least.append(column.wraps ? min(longest, max(Self.narrowest, longestWord)) : longest)
            widths.append(column.wraps ? max(least[index], min(longest, available)) : longest)
        }
        while widths.reduce(0, +) > available {
            let narrowable = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = narrowable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
        }
        return widths
    }
}
