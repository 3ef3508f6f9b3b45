import Foundation

/// The package's own files, for tests about their structure.
enum SourceTree {
    /// The folder with Package.swift.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    struct File {
        let path: String
        let lines: [String]
        /// The target that it belongs to.
        var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    }

    /// The Swift files below a folder, in the order of their names.
    static func swiftFiles(_ folder: String) throws -> [File] {
        let base = root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOf: base.appending(path: path), encoding: .utf8)
            return File(path: "\(folder)/\(path)", lines: text.components(separatedBy: "\n"))
        }
    }

    /// What a command printed; the test fails if it failed.
    static func run(_ command: String...) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = root
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return data
    }
}
