internal import Glibc

/// A new file for what is recorded, readable by its owner only: pieces are in it whole or not at all.
///
/// **Thread:** used by one thread at a time.
final class RecordingFile {
    private let descriptor: Int32
    /// The length of the file in whole pieces.
    private(set) var length = 0
    /// Whether events were to go into it; if none ever were, it is removed: what was asked for did not even start.
    var isBegun = false
    /// The path that was opened.
    let path: String

    /// Creates the file, with mode 0600; what is there already, a file or not, is left alone.
    ///
    /// - Parameters:
    ///   - path: Where it goes.
    ///   - what: What is written, for errors: "the key log".
    ///   - option: The option that named it, for errors.
    /// - Throws: `EngineError` if something is there, or it cannot be made.
    init(path: String, what: String, option: String) throws(EngineError) {
        // Nothing else may throw: what is removed at the end is a file that was made here.
        descriptor = try Self.create(path, what: what, option: option)
        self.path = path
    }

    private static func create(_ path: String, what: String, option: String) throws(EngineError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor < 0 else { return descriptor }
        if errno == EEXIST {
            throw EngineError(
                "cannot write \(what) \(path): it is there already, and may be evidence",
                hint: "move it away, or choose another name")
        }
        throw EngineError(
            "cannot write \(what) \(path): \(EngineError.text(errno))",
            hint: "name a file in a folder that exists and is yours with \(option)")
    }

    deinit {
        if !isBegun { unlink(path) }
        close(descriptor)
    }

    /// Appends a piece, all of it or nothing.
    ///
    /// - Parameter piece: The octets.
    /// - Returns: Whether the disk took them; if not, `errno` says why.
    func append(_ piece: [UInt8]) -> Bool {
        let isWritten = piece.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                rest = rest.dropFirst(written)
            }
            return true
        }
        if isWritten {
            length += piece.count
        } else {
            // Half a piece would spoil the next one too. The reason is for the caller.
            let reason = errno
            ftruncate(descriptor, length)
            lseek(descriptor, length, SEEK_SET)
            errno = reason
        }
        return isWritten
    }
}
