internal import Report
internal import Synchronization
internal import Transcript

/// A table on a terminal that is written again in the same place.
final class TerminalBoard: Sendable {
    private let stream: StandardStream
    /// What stands there, and in how many lines.
    private let shown = Mutex("")

    /// Writes to a stream that is a terminal.
    init(_ stream: StandardStream) { self.stream = stream }

    /// Shows findings in the place of those that are shown.
    func show(_ findings: [Finding]) throws {
        let report = FindingsReport(width: stream.columns ?? 80, colour: true)
        // The line of the cursor is needed too.
        let text = report.board(for: findings, height: max((stream.rows ?? 24) - 1, 1))
        try shown.withLock { shown in
            guard text != shown else { return }
            try stream.write(Self.erase(shown) + text)
            shown = text
        }
    }

    /// Takes away what is shown.
    func clear() throws {
        try shown.withLock { shown in
            try stream.write(Self.erase(shown))
            shown = ""
        }
    }

    /// Moves to the first line of a text and erases from there on (ECMA-48: CUU, ED).
    private static func erase(_ text: String) -> String {
        let lines = text.utf8.count { $0 == 0x0A }
        return lines == 0 ? "" : "\u{1B}[\(lines)A\u{1B}[J"
    }
}
