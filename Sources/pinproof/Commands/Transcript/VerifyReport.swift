internal import Recheck
internal import Report
internal import Transcript
internal import Wire

/// What came of checking a transcript, for people.
struct VerifyReport {
    private let width: Int
    private let colour: Bool

    /// Says how the text is to look.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark what was found with control sequences.
    init(width: Int = 80, colour: Bool = false) {
        self.width = width
        self.colour = colour
    }

    // MARK: The whole

    /// The summary: a table of claims, why some are not proven, what is false, and the closing digest.
    func text(for summary: CheckSummary) -> String {
        let kinds = Claim.Kind.allCases.filter { summary.rows[$0] != nil }
        var text = table(kinds, summary)
        let reasons = kinds.flatMap { kind in
            (summary.rows[kind]?.reasons ?? [:]).sorted { $0.key < $1.key }.map { reason, count in
                "\(kind.title): \(count > 1 ? "\(count) times " : "")\(reason)"
            }
        }
        text += section("Not proven", reasons)
        text += section("False", summary.failures.map(line))
        if summary.failed > UInt64(summary.failures.count) {
            text += "  … and \(summary.failed - UInt64(summary.failures.count)) more\n"
        }
        text += section("Not checked", [Self.unchecked])
        text += "\nClosing digest\n  \(Hex.encode(summary.closingDigest))\n\n"
        return text + conclusion(summary)
    }

    /// What no message, record or certificate of a session tells.
    private static let unchecked =
        "times, addresses, the hosts that were asked for, phases and commands, why something failed, how an origin's "
        + "certificate was trusted, and what went first of that which went in different directions: "
        + "all this rests on the closing digest alone"

    private func table(_ kinds: [Claim.Kind], _ summary: CheckSummary) -> String {
        var table = TextTable(columns: [
            .init("Claim"), .init("Proven", alignment: .right, wraps: false),
            .init("Not proven", alignment: .right, wraps: false), .init("False", alignment: .right, wraps: false),
        ])
        for kind in kinds {
            guard let row = summary.rows[kind] else { continue }
            func cell(_ count: UInt64, _ style: Style) -> TextTable.Cell {
                count == 0 ? "-" : .init("\(count)", style: style)
            }
            table.add(row: [
                .init(kind.title), cell(row.proven, .good), cell(row.notProven, .warning), cell(row.failed, .bad),
            ])
        }
        return table.text(width: width, colour: colour)
    }

    private func line(_ failure: CheckSummary.Failure) -> String {
        let connection = failure.connection.map { "connection \($0)" }
        let line = failure.claim.line.map { "line \($0)" }
        let place = [failure.file, connection, side(failure.claim), line].compactMap { $0 }.joined(separator: ", ")
        return "\(place): \(failure.claim.kind.title): \(failure.claim.result.reason ?? "")"
    }

    private func side(_ claim: Claim) -> String? { claim.side.map { "\($0.rawValue) side" } }

    private func section(_ title: String, _ paragraphs: [String]) -> String {
        guard !paragraphs.isEmpty else { return "" }
        return "\n\(title)\n" + paragraphs.map { paragraph($0, indentation: "  ") }.joined()
    }

    /// A text in lines of the terminal's width, all but the first of them indented further.
    private func paragraph(_ text: String, indentation: String) -> String {
        var table = TextTable(columns: [.init("")])
        table.add(row: [.init(text)])
        let lines = table.text(width: max(width - indentation.count - 2, 20)).split(separator: "\n").dropFirst()
        return lines.enumerated().map { index, line in
            "\(indentation)\(index == 0 ? "" : "  ")\(line)\n"
        }.joined()
    }

    /// The result in a line.
    func conclusion(_ summary: CheckSummary) -> String {
        let read = "\(summary.lines) lines, \(summary.connections) connections"
        let incomplete = summary.incomplete > 0 ? ", \(summary.incomplete) of them not all here" : ""
        let result =
            if summary.failed > 0 {
                "\(summary.failed) \(summary.failed == 1 ? "claim is" : "claims are") false."
            } else if summary.provenOfConnections == 0 {
                "Nothing could be proven of any connection."
            } else {
                "All that can be checked holds."
            }
        return "\(read)\(incomplete). \(result)\n"
    }

    // MARK: A connection

    /// Every claim of a connection.
    func text(for check: ConnectionCheck) -> String {
        var table = TextTable(columns: [
            .init("Line", alignment: .right, wraps: false), .init("Side", wraps: false), .init("Claim"),
            .init("Result"),
        ])
        for claim in check.claims {
            table.add(row: [
                .init(claim.line.map { "\($0)" } ?? "-"), .init(claim.side?.rawValue ?? "-"), .init(claim.kind.title),
                result(claim.result),
            ])
        }
        let note = check.incompleteness.map { "\(TerminalText.escape($0))\n" } ?? ""
        return "Connection \(check.number)\n\(note)\n\(table.text(width: width, colour: colour))\n"
    }

    private func result(_ result: Claim.Result) -> TextTable.Cell {
        switch result {
        case .proven: .init("proven", style: .good)
        case .notProven(let reason): .init("not proven: \(reason)", style: .warning)
        case .failed(let reason): .init("FALSE: \(reason)", style: .bad)
        }
    }
}
