import Foundation

/// Files of the source tree that tests read.
enum Repository {
    /// The folder with `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func golden(_ name: String) throws -> String { try text("Tests/CommandLineTests/Golden/\(name).txt") }
}
