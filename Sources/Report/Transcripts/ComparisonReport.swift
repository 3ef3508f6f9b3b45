public import Transcript
import Wire

/// What differs between two handshakes as a table.
public struct ComparisonReport: Sendable {
    private let width: Int
    private let colour: Bool

    /// Says how the text is to look.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark headings and differences with control sequences.
    public init(width: Int = 80, colour: Bool = false) {
        self.width = width
        self.colour = colour
    }

    /// Which connections are compared, and what differs, with a newline at the end.
    ///
    /// - Parameters:
    ///   - comparison: What differs.
    ///   - first: The connection of the first transcript.
    ///   - second: The connection of the second one.
    /// - Returns: Lines that are harmless to a terminal whatever the transcripts hold.
    public func text(for comparison: HandshakeComparison, _ first: HandshakeRecord, _ second: HandshakeRecord) -> String
    {
        var section = TextSection(width: width, colour: colour)
        for (name, record) in [("A", first), ("B", second)] {
            section.paragraph(
                "\(name): connection \(record.connection), \(record.endpoint?.description ?? "no host"), "
                    + (record.judgement?.text ?? "not over"), indent: 0)
            if record.lacksEvents {
                section.paragraph(
                    "Events are missing that may have been its own: what it lacks may have been lost.", style: .warning)
            }
        }
        if comparison.isEqual { section.add("\n" + Style.good.applied(to: "No difference.", colour: colour) + "\n") }
        for part in HandshakeDifference.Part.allCases {
            let differences = comparison.differences.filter { $0.part == part }
            guard !differences.isEmpty else { continue }
            let title = part.rawValue.prefix(1).uppercased() + part.rawValue.dropFirst()
            section.heading(title)
            section.add(table(of: differences))
        }
        return section.text
    }

    private func table(of differences: [HandshakeDifference]) -> String {
        var table = TextTable(columns: [.init("What", wraps: false), .init("A"), .init("B")])
        for difference in differences {
            table.add(row: [
                .init(difference.isInformation ? "(\(difference.what))" : difference.what),
                cell(difference.first, difference), cell(difference.second, difference),
            ])
        }
        return table.text(width: width, colour: colour)
    }

    private func cell(_ values: [String], _ difference: HandshakeDifference) -> TextTable.Cell {
        let shown = values.prefix(Self.longestList)
        let rest = values.count - shown.count
        let more = rest > 0 ? ["… and \(rest) more"] : []
        let style: Style = difference.isInformation || values.isEmpty ? .plain : .warning
        return .init(paragraphs: values.isEmpty ? ["-"] : shown + more, style: style)
    }

    private static let longestList = 40
}
