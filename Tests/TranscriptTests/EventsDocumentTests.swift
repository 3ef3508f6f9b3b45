import Foundation
import TestSupport
import Testing
import Transcript

/// `docs/events.md` is the contract with readers: it must name what is written, and nothing else.
struct EventsDocumentTests {
    private let document: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        document = try String(contentsOf: root.appending(path: "docs/events.md"), encoding: .utf8)
    }

    @Test(arguments: EventSample.everyKind)
    func showsTheLineOfEveryKind(_ sample: EventSample) throws {
        let name = try #require(try fields(of: sample.line)["event"] as? String)
        #expect(try section(name).contains("```json\n\(sample.line)```\n"))
    }

    @Test func namesEveryFieldAndNoOther() throws {
        var written: [String: Set<String>] = [:]
        for sample in EventSample.everyKind + EventSample.variants {
            let line = try fields(of: sample.line)
            let name = try #require(line["event"] as? String)
            written[name, default: []].formUnion(paths(line))
        }
        let common: Set<String> = ["t", "time", "connection", "event"]
        #expect(try documentedFields(in: section("Fields of every event", level: "##")) == common.union(["previous"]))
        #expect(written.count == 41)
        for (name, paths) in written {
            // An end in `closed` is written as in `ended`, where every way to end is shown.
            let ends = name == "closed" ? ["client", "origin"].flatMap { end in endPaths.map { end + $0 } } : []
            let expected = paths.subtracting(common).union(ends)
            #expect(try documentedFields(in: section(name)) == expected, "section \(name)")
        }
    }

    @Test func namesEveryTermOfTheVocabulary() {
        let terms =
            Side.allCases.map(\.rawValue) + Phase.allCases.map(\.rawValue)
            + [Party.client, .origin, .proxy].map(\.rawValue) + [Direction.received, .sent].map(\.rawValue)
            + [Decision.intercept, .tunnel, .refuse].map(\.rawValue) + TunnelContent.allCases.map(\.rawValue)
        for term in terms { #expect(document.contains("`\(term)`")) }
        for code in Failure.Code.allCases { #expect(document.contains("\n| `\(code.rawValue)` | ")) }
    }

    private let endPaths = [".how", ".code", ".name", ".errno"]

    private func fields(of line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// The text below a heading, up to the next one.
    private func section(_ heading: String, level: String = "###") throws -> Substring {
        let start = try #require(document.range(of: "\n\(level) \(heading)\n"), "no heading \(heading)")
        let rest = document[start.upperBound...]
        return rest[..<(rest.range(of: "\n##")?.lowerBound ?? rest.endIndex)]
    }

    /// The fields in the first column of a section's table.
    private func documentedFields(in section: Substring) throws -> Set<String> {
        let table = try #require(section.range(of: "| field | notation | meaning |\n|---|---|---|\n"))
        let rows = section[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
        let names = rows.prefix { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "`").dropFirst().first }
        return Set(names.map(String.init))
    }

    /// The paths of all values of a line: `extensions[].type`.
    private func paths(_ value: Any, at path: String = "") -> Set<String> {
        if let object = value as? [String: Any] {
            let nested = object.map { paths($1, at: path.isEmpty ? $0 : path + "." + $0) }
            return nested.reduce(into: []) { $0.formUnion($1) }
        }
        if let array = value as? [Any] { return array.first.map { paths($0, at: path + "[]") } ?? [] }
        return [path]
    }
}
