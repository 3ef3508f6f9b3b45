import Foundation

/// A folder of the test's own that goes away with its last use.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("pinproof-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("left behind: \(path): \(error)")
        }
    }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file; returns where.
    @discardableResult
    func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
        let url = URL(fileURLWithPath: path(name))
        try Data(bytes).write(to: url)
        return url
    }

    /// Reads a file; an absent one is empty.
    func bytes(_ name: String) throws -> [UInt8] {
        FileManager.default.fileExists(atPath: path(name))
            ? [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name)))) : []
    }

    /// The permission bits of a file or of the folder itself.
    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }
}
