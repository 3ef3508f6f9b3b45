internal import Glibc

/// More than any file of certificates or keys needs.
private let longestFile = 1 << 20

/// Reads a file of certificates or keys.
///
/// - Parameters:
///   - path: The file; a symbolic link is followed.
///   - mustBePrivate: Whether access by others than the owner is refused. Looked at after opening, so that the file
///     cannot be swapped in between.
/// - Returns: The bytes.
/// - Throws: `AuthorityError` if it is no regular file, longer than 1 MiB, not private or not readable.
func readFile(_ path: String, mustBePrivate: Bool) throws -> [UInt8] {
    // A pipe without a writer would block here otherwise.
    let file = try FileDescriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), "read", path)
    let status = try file.status(path)
    guard status.st_mode & S_IFMT == S_IFREG else {
        throw AuthorityError(.inputOutput, "\(path) is not a regular file", hint: "name the file itself")
    }
    guard status.st_size <= longestFile else {
        throw AuthorityError(
            .inputOutput, "\(path) is longer than 1 MiB", hint: "name a file of certificates or keys alone")
    }
    if mustBePrivate, status.st_mode & 0o077 != 0 {
        throw AuthorityError(
            .notPrivate, "others than its owner have access to the private key in \(path)",
            hint: "run `chmod 600 \(path)`, and make a new key if someone may have read it")
    }
    return try file.read(upTo: Int(status.st_size), path)
}

/// The one owner of a file descriptor of a file or folder.
struct FileDescriptor: ~Copyable {
    private let raw: Int32

    /// Takes over what `open` returned.
    init(_ raw: Int32, _ action: String, _ path: String) throws {
        guard raw >= 0 else { throw AuthorityError.system(action, path) }
        self.raw = raw
    }

    deinit { close(raw) }

    /// Lends the number; it is valid only inside `body`.
    borrowing func withNumber<R>(_ body: (Int32) throws -> R) rethrows -> R { try body(raw) }

    /// What kind of file it is, how long, and who has access.
    borrowing func status(_ path: String) throws -> stat {
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw AuthorityError.system("read", path) }
        return status
    }

    /// Reads to the end, or `limit` bytes.
    borrowing func read(upTo limit: Int, _ path: String) throws -> [UInt8] {
        // Room for everything at once: growing would leave copies of a key behind in freed memory.
        var count = 0
        let bytes = try [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            while count < limit {
                let step = Glibc.read(raw, buffer.baseAddress.map { $0 + count }, limit - count)
                if step < 0, errno == EINTR { continue }
                guard step >= 0 else { throw AuthorityError.system("read", path) }
                if step == 0 { break }
                count += step
            }
            filled = count
        }
        return bytes
    }

    /// Writes everything and has it on the disk when it returns.
    borrowing func write(_ bytes: [UInt8], _ path: String) throws {
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let step = Glibc.write(raw, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if step < 0, errno == EINTR { continue }
                guard step >= 0 else { throw AuthorityError.system("write", path) }
                rest = rest.dropFirst(step)
            }
        }
        guard fsync(raw) == 0 else { throw AuthorityError.system("write", path) }
    }
}

extension AuthorityError {
    /// What `errno` says about a path.
    static func system(_ action: String, _ path: String) -> AuthorityError {
        let number = errno
        return AuthorityError(
            .inputOutput, "cannot \(action) \(path): \(String(cString: strerror(number)))",
            hint: "check the path and its permissions")
    }
}
