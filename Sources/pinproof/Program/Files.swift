internal import Glibc

/// Whole files, read and created with errors that name the path.
enum Files {
    /// Reads a file of at most `limit` bytes; pipes and devices are read to their end, within the same limit, if what they
    /// bring does not keep us waiting for longer than `patience`.
    static func read(
        _ path: String, limit: Int = 1 << 20, patience: Duration = .seconds(10)
    ) throws(CommandError) -> [UInt8] {
        // A named pipe that nobody writes to would block here otherwise.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw CommandError("cannot open file", at: "\(path): \(SystemCall.failure)")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        // Before somebody opens a named pipe to write, it reads as if it were empty.
        guard waitForBytes(descriptor, patience) else {
            throw CommandError("cannot read file", at: "\(path): \(SystemCall.failure)", mend: "nobody writes to it")
        }
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                if errno == EAGAIN, waitForBytes(descriptor, patience) { continue }
                throw CommandError("cannot read file", at: "\(path): \(SystemCall.failure)")
            }
            bytes += block[..<count]
            guard bytes.count <= limit else {
                throw CommandError("file is too large", at: path, mend: "at most \(limit) bytes are read")
            }
        }
    }

    /// Waits until a pipe has something to read; false, and `errno` says so, if nothing comes in time.
    private static func waitForBytes(_ descriptor: Int32, _ patience: Duration) -> Bool {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&source, 1, Int32(clamping: Int(patience / .milliseconds(1)))) == 0 else { return true }
        errno = ETIMEDOUT
        return false
    }

    /// Whether something is at `path`, as far as the folders above it can be looked into.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR) }

    /// Writes `bytes` to a new file; a file that is already there is left alone.
    static func create(_ path: String, _ bytes: [UInt8]) throws(CommandError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw CommandError(
                    "refusing to overwrite", at: path, mend: "remove it first, or choose another name")
            }
            throw CommandError("cannot create file", at: "\(path): \(SystemCall.failure)")
        }
        defer { close(descriptor) }
        guard SystemCall.writeAll(bytes, to: descriptor) else {
            let reason = SystemCall.failure
            unlink(path)
            throw CommandError("cannot write file", at: "\(path): \(reason)")
        }
    }
}
