internal import Engine
internal import Glibc
internal import Transcript
internal import TranscriptFiles

/// The files of a run beside each other, as `--transcript-size` makes them: `run.jsonl`, `run.2.jsonl` and so on.
///
/// Any of them may be gone: `--transcript-keep` deletes the oldest. A file of another run with such a name is none of them.
struct RunFiles {
    private let first: String
    private let run: RunStarted
    /// When a file of the run was begun: those that follow are younger than it, and those of former runs are older.
    private let wall: Int64
    /// Files that are of another run.
    private var foreign: Set<Int> = []

    /// Takes a file and the event with which it begins; nil if that is no beginning.
    init?(path: String, beginning: Event) {
        switch beginning.kind {
        case .runStarted(let run):
            self.run = run
            first = path
        case .runContinued(let continued):
            run = continued.run
            first = Self.parts(path).flatMap { $0.number == continued.file ? $0.first : nil } ?? path
        default: return nil
        }
        wall = beginning.wall
    }

    /// The next file of the run that is there.
    ///
    /// - Parameter number: The file after which it comes, as the run counts them.
    /// - Returns: Which one it is, and its name; nil if none is there.
    mutating func next(after number: Int) -> (number: Int, path: String)? {
        let (following, isBeyond) = number.addingReportingOverflow(1)
        guard !isBeyond else { return nil }
        if isContinuation(following) { return (following, path(following)) }
        for candidate in Self.numbers(beside: first).sorted() where candidate > following {
            if isContinuation(candidate) { return (candidate, path(candidate)) }
        }
        return nil
    }

    private func path(_ number: Int) -> String { TranscriptRotation.path(first, number: number) }

    /// Whether a file goes on with the run; one whose first line is not whole yet does not yet.
    private mutating func isContinuation(_ number: Int) -> Bool {
        guard !foreign.contains(number), Self.isFile(path(number)),
            let line = try? TranscriptReader(path: path(number)).nextLine()
        else { return false }
        if let event = line.event, case .runContinued(let continued) = event.kind, continued.file == number,
            continued.run == run, event.wall >= wall
        {
            return true
        }
        foreign.insert(number)
        return false
    }
}

// MARK: Names

extension RunFiles {
    /// The oldest file of a run that is there, where another one of it was looked for in vain; nil if none is.
    static func oldest(insteadOf path: String) -> String? {
        let first = parts(path)?.first ?? path
        return numbers(beside: first).min().map { TranscriptRotation.path(first, number: $0) }
    }

    /// What the name of a further file says: the first file's name, and which one it is.
    private static func parts(_ path: String) -> (first: String, number: Int)? {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let pieces = path[start...].split(separator: ".", omittingEmptySubsequences: false)
        // The number stands before the extension, or at the end where there is none.
        for place in [pieces.count - 2, pieces.count - 1] where place > 0 {
            guard let number = Int(pieces[place]) else { continue }
            let name = (pieces[..<place] + pieces[(place + 1)...]).joined(separator: ".")
            let first = path[..<start] + name
            if TranscriptRotation.path(String(first), number: number) == path { return (String(first), number) }
        }
        return nil
    }

    /// The numbers of further files, by their names alone.
    private static func numbers(beside first: String) -> [Int] {
        let start = first.lastIndex(of: "/").map(first.index(after:)) ?? first.startIndex
        let folder = start == first.startIndex ? "." : String(first[..<start])
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var numbers: [Int] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let (other, number) = parts(first[..<start] + name), other == first { numbers.append(number) }
        }
        return numbers
    }

    /// Whether a path names a regular file: others may keep their reader waiting.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
