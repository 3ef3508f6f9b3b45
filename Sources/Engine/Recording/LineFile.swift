internal import Glibc

/// A new file of lines, readable by its owner only, that never holds half a line as long as the program lives.
///
/// **Ownership:** owns its descriptor. **Thread:** used by one thread at a time.
package final class LineFile {
    /// The path that was opened.
    package let path: String
    /// The length of the file in whole lines.
    package private(set) var length = 0
    private let descriptor: Int32

    /// Creates the file, with mode 0600; what is there already, a file or not, is left alone.
    ///
    /// - Parameters:
    ///   - path: Where it goes.
    ///   - what: What it holds, for errors: "transcript".
    ///   - option: The option that names it, for errors: "--transcript".
    /// - Throws: `EngineError` if something is there, or it cannot be made.
    package init(path: String, what: String, option: String) throws(EngineError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw EngineError(
                    "cannot write the \(what) \(path): it is there already, and may be evidence",
                    hint: "move it away, or choose another name")
            }
            throw EngineError(
                "cannot write the \(what) \(path): \(EngineError.text(errno))",
                hint: "name a file in a folder that exists and is yours with \(option)")
        }
        self.path = path
    }

    deinit { Glibc.close(descriptor) }

    /// Writes lines, all or none; false if the disk would not take them.
    package func write(_ lines: [UInt8]) -> Bool {
        let isWritten = lines.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                rest = rest.dropFirst(written)
            }
            return true
        }
        if isWritten {
            length += lines.count
        } else {
            // Half a line would spoil the next one too.
            ftruncate(descriptor, length)
            lseek(descriptor, length, SEEK_SET)
        }
        return isWritten
    }
}
