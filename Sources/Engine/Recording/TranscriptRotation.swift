internal import Glibc

/// When a transcript goes on in a further file, and how many of its files stay.
package struct TranscriptRotation: Sendable, Equatable {
    /// How many octets a file may have, about: its last line may go beyond.
    package var size: Int
    /// How many files stay, the one that is written included; nil for all.
    package var kept: Int?

    /// Joins a size with a number of files.
    package init(size: Int, kept: Int? = nil) {
        self.size = size
        self.kept = kept
    }

    /// The name of a further file: `run.2.jsonl` after `run.jsonl`.
    ///
    /// - Parameters:
    ///   - path: The first file's.
    ///   - number: Which file it is, from 1.
    /// - Returns: Its path.
    package static func path(_ path: String, number: Int) -> String {
        guard number > 1 else { return path }
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(path).\(number)" }
        return "\(path[..<dot]).\(number)\(path[dot...])"
    }

    /// The further files of a transcript that are there, whether its first one is or not.
    ///
    /// - Parameter path: The first file's.
    /// - Returns: Their numbers and paths, in order; nothing if the folder cannot be read.
    package static func furtherFiles(of path: String) -> [(number: Int, path: String)] {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        let prefix = slash.map { String(path[...$0]) } ?? ""
        var files: [(number: Int, path: String)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let number = number(of: prefix + name, after: path) else { continue }
            files.append((number, prefix + name))
        }
        return files.sorted { $0.number < $1.number }
    }

    /// Which of a transcript's further files this is; nil if it is none.
    private static func number(of candidate: String, after path: String) -> Int? {
        // The number stands where the names of two further files differ.
        let place = zip(Self.path(path, number: 2), Self.path(path, number: 3)).prefix { $0 == $1 }.count
        guard let number = Int(candidate.dropFirst(place).prefix(while: \.isWholeNumber)), number > 1,
            Self.path(path, number: number) == candidate
        else { return nil }
        return number
    }
}
