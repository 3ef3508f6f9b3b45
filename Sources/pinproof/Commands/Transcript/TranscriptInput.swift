internal import Glibc
internal import TranscriptFiles

/// What a command reads: a file, or standard input with `-`.
enum TranscriptInput {
    /// The path that stands for standard input.
    static let standard = "-"

    /// Opens a transcript.
    ///
    /// - Parameter path: The file, or `-`.
    /// - Returns: Its reader.
    /// - Throws: `CommandError` if it cannot be opened; it names the run's oldest file if that is there instead.
    static func open(_ path: String) throws(CommandError) -> TranscriptReader {
        if path == standard { return TranscriptReader(read: readStandardInput) }
        do throws(TranscriptError) {
            return try TranscriptReader(path: path)
        } catch {
            throw complaint(error, path)
        }
    }

    /// Checks that transcripts are there and may be read, without opening any: what a pipe holds is there only once.
    ///
    /// - Parameter paths: The files.
    /// - Throws: `CommandError` for the first one that is not.
    static func check(_ paths: [String]) throws(CommandError) {
        for path in paths where path != standard {
            guard access(path, R_OK) != 0 else { continue }
            throw complaint(TranscriptError(.unreadable, reason: SystemCall.failure), path)
        }
    }

    /// Why a file cannot be read, and which one of the same run could be.
    static func complaint(_ error: TranscriptError, _ path: String) -> CommandError {
        guard error.code == .unreadable, !Files.exists(path), let oldest = RunFiles.oldest(insteadOf: path) else {
            return CommandError(error, path: path)
        }
        return CommandError(
            "cannot read file", at: "\(path): \(error)",
            mend: "the oldest file of the run that is there is \(oldest): --transcript-keep deletes those before it")
    }

    private static func readStandardInput() throws(TranscriptError) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(STDIN_FILENO, &block, block.count)
            if count >= 0 { return Array(block[..<count]) }
            if errno != EINTR { throw TranscriptError(.unreadable, reason: SystemCall.failure) }
        }
    }
}
