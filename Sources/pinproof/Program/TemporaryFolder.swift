internal import Foundation

/// A folder of the process's own, which nobody else can look into and which goes when it does.
final class TemporaryFolder {
    let url: URL

    init() throws {
        // Six of these at its end is what mkdtemp(3) replaces.
        let placeholder = String(repeating: "X", count: 6)
        let template = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(placeholder)").path
        var path = Array(template.utf8CString)
        guard mkdtemp(&path) != nil else {
            throw CommandError("cannot make a temporary folder", at: "\(template): \(SystemCall.failure)")
        }
        url = URL(filePath: String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
