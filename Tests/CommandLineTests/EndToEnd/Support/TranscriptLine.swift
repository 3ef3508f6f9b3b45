import Foundation
import Testing

/// A line of a transcript: docs/events.md.
struct TranscriptLine {
    let event: String
    let connection: Int?
    let fields: [String: Any]

    /// Reads a whole file, every line of which has to be a JSON object.
    static func read(_ path: String) throws -> [TranscriptLine] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let fields = try #require(object as? [String: Any])
            return TranscriptLine(
                event: try #require(fields["event"] as? String), connection: fields["connection"] as? Int,
                fields: fields)
        }
    }

    /// The text of a field; `end.how` is one inside another.
    func text(_ path: String) -> String? { value(path) as? String }

    /// The number in a field.
    func number(_ path: String) -> Int? { value(path) as? Int }

    private func value(_ path: String) -> Any? {
        path.split(separator: ".").reduce(fields as Any?) { ($0 as? [String: Any])?[String($1)] }
    }
}

extension TranscriptLine {
    /// Waits until a file that is still being written, or not there yet, has an event.
    static func wait(for event: String, in path: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while (try? String(contentsOfFile: path, encoding: .utf8))?.contains("\"event\":\"\(event)\"") != true {
            try #require(ContinuousClock.now < deadline, "no \(event) in \(path)")
            await Task.yield()
        }
    }
}
