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
}
