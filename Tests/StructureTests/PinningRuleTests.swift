import Foundation
import Testing

/// The rules that docs/pinning-rules*.md list are those that tests and sources name.
@Suite struct PinningRuleTests {
    /// The identifiers in a text.
    private static func rules(in text: String) -> Set<String> {
        Set(text.matches(of: /PS-[0-9]+(?:\.[0-9]+)?(?:-[0-9]+|-G)?/).map { String($0.output) })
    }

    /// The identifiers in the documents whose names begin so.
    private static func documented(_ prefix: String) throws -> Set<String> {
        let folder = SourceTree.root.appending(path: "docs")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(".md") }
            .map { rules(in: try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
            .reduce([]) { $0.union($1) }
    }

    /// The identifiers in the Swift files below a folder.
    private static func named(_ folder: String) throws -> Set<String> {
        try SourceTree.swiftFiles(folder).map { rules(in: $0.lines.joined(separator: "\n")) }
            .reduce([]) { $0.union($1) }
    }

    @Test func everyListedRuleHasATest() throws {
        let listed = try Self.documented("pinning-rules")
        #expect(listed.count > 40)
        #expect(listed.subtracting(try Self.named("Tests")) == [])
    }

    @Test(arguments: ["Sources", "Tests"]) func everyRuleThatIsNamedIsListed(folder: String) throws {
        let listed = try Self.documented("pinning-rules").union(try Self.documented("PINNING"))
        // The name of a whole section will do for a rule of it.
        let sections = Set(listed.map { $0.split(separator: "-").prefix(2).joined(separator: "-") })
        #expect(try Self.named(folder).subtracting(listed).subtracting(sections) == [])
    }
}
