import Foundation
import Testing

/// Rules of the house that a compiler does not check.
@Suite struct SourceTests {
    @Test func filesAreShort() throws {
        for file in try SourceTree.swiftFiles("Sources") + SourceTree.swiftFiles("Tests") {
            #expect(file.lines.count <= 500, "\(file.path) has \(file.lines.count) lines")
        }
    }

    /// One owner per C handle: each freeing function is called in one place.
    @Test func eachHandleIsFreedInOnePlace() throws {
        var places: [Substring: [String]] = [:]
        for file in try SourceTree.swiftFiles("Sources") {
            for line in file.lines where !line.trimmed.hasPrefix("//") {
                for match in line.matches(of: /\b([A-Za-z0-9_]+_free|nghttp2_\w+_del)\(/) {
                    places[match.1, default: []].append(file.path)
                }
            }
        }
        #expect(!places.isEmpty)
        for (function, files) in places { #expect(files.count == 1, "\(function) is called in \(files)") }
    }

    /// What the compiler cannot see is explained where it is claimed.
    @Test func uncheckedSendabilityIsExplained() throws {
        for file in try SourceTree.swiftFiles("Sources") {
            for (index, line) in file.lines.enumerated()
            where line.contains("@unchecked Sendable") && !line.trimmed.hasPrefix("//") {
                let above = file.lines[..<index].reversed().prefix {
                    $0.trimmed.hasPrefix("//") || $0.trimmed.hasPrefix("@")
                }
                #expect(above.contains { $0.contains("// Sendable:") }, "\(file.path):\(index + 1)")
            }
        }
    }

    @Test func nothingIsLeftForLater() throws {
        let marks = try Regex("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b|fatal" + "Error\\(")
        for file in try SourceTree.swiftFiles("Sources") {
            for (index, line) in file.lines.enumerated() where line.firstMatch(of: marks) != nil {
                Issue.record("\(file.path):\(index + 1): \(line.trimmed)")
            }
        }
    }

    /// Keys are minted where they are needed.
    @Test func noPrivateKeyIsCommitted() throws {
        let mark = "BEGIN [A-Z ]*PRIVATE " + "KEY"
        let tracked = try SourceTree.run("git", "ls-files").split(separator: 0x0A).map {
            String(decoding: $0, as: UTF8.self)
        }
        let pattern = try Regex("-----\(mark)-----\\r?\\n[A-Za-z0-9+/=]{16}")
        for path in tracked {
            guard let text = try? String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8) else {
                continue
            }
            #expect(text.firstMatch(of: pattern) == nil, "\(path)")
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
