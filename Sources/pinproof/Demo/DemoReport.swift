internal import Foundation
internal import Recheck
internal import Report

/// The demo's table as text and as JSON.
struct DemoReport {
    let cells: [DemoCell]
    let transcript: String
    /// What the transcript proves of its connections.
    let proof: CheckSummary
    let seconds: Double

    /// The cells that are not as expected.
    var surprises: [DemoCell] { cells.filter { !$0.isAsExpected } }

    /// The table, what it means and where the transcript is.
    func text(width: Int, colour: Bool) -> String {
        // On a narrow terminal the reasons would be a word a line.
        let showsReasons = width >= Self.widthWithReasons
        var table = TextTable(
            columns: [
                .init("Client"), .init("Way", wraps: false), .init("Expected", wraps: false),
                .init("Actual", wraps: false),
            ] + (showsReasons ? [.init("Why")] : []))
        var last: DemoClient?
        for cell in cells {
            let row: [TextTable.Cell] = [
                .init(cell.client == last ? "" : cell.client.rawValue),
                .init(cell.route.rawValue),
                .init(cell.expected.text),
                .init(cell.actual.text, style: cell.isAsExpected ? .good : .bad),
            ]
            table.add(row: row + (showsReasons ? [.init(cell.actual.why)] : []))
            last = cell.client
        }
        return table.text(width: width, colour: colour) + "\n" + conclusion
    }

    private static let widthWithReasons = 110

    private var conclusion: String {
        var text =
            surprises.isEmpty
            ? "All \(cells.count) cells are as expected, in \(String(format: "%.1f", seconds)) s.\n"
            : "\(surprises.count) of \(cells.count) cells are not as expected:\n"
        for cell in surprises {
            text += "  \(cell.client.rawValue), \(cell.route.rawValue): expected \(cell.expected.text), "
            text += "got \(cell.actual.text): \(cell.actual.why)\n"
        }
        return text + """
            Every handshake is recorded in \(transcript)
            \(proof.provenOfConnections) claims of it about \(proof.connections) connections are proven again, \
            \(proof.failed == 0 ? "none is" : "\(proof.failed) are") false: pinproof transcript verify \(transcript)

            """
    }

    /// The same as one JSON document.
    func json() throws -> [UInt8] {
        let rows = cells.map { cell -> [String: Any] in
            var row: [String: Any] = [
                "client": cell.client.rawValue, "way": cell.route.rawValue,
                "expected": cell.expected.outcome.rawValue, "rule": cell.expected.rule, "why": cell.actual.why,
                "asExpected": cell.isAsExpected,
            ]
            row["actual"] = cell.actual.outcome?.rawValue ?? NSNull()
            return row
        }
        let document: [String: Any] = [
            "cells": rows, "transcript": transcript, "proven": proof.provenOfConnections,
            "false": proof.failed, "seconds": seconds,
        ]
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return [UInt8](try JSONSerialization.data(withJSONObject: document, options: options)) + [0x0A]
    }
}
