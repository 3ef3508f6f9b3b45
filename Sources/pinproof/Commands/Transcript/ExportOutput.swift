internal import Glibc

/// Where an export goes: standard output, or a new file that only its owner may read.
///
/// The file has no name until nothing is missing in it: what is there is whole, however the command ends.
final class ExportOutput {
    private let path: String?
    private var file: (descriptor: Int32, isNamed: Bool)?
    private var isKept = false

    /// Names a file, or standard output with nil; something that is there already is left alone.
    init(_ path: String?) throws(CommandError) {
        self.path = path
        if let path, Files.exists(path) { throw Self.occupied(path) }
    }

    deinit {
        guard let file, let path else { return }
        close(file.descriptor)
        if file.isNamed, !isKept { unlink(path) }
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        guard let path else { return try StandardStream.output.write(bytes) }
        if file == nil { file = try create(path) }
        guard let file, SystemCall.writeAll(bytes, to: file.descriptor) else {
            throw CommandError("cannot write file", at: "\(path): \(SystemCall.failure)")
        }
    }

    /// Says that nothing is missing: the file gets its name.
    ///
    /// - Throws: `CommandError` if something has that name meanwhile.
    func keep() throws(CommandError) {
        if let file, let path, !file.isNamed {
            let source = "/proc/self/fd/\(file.descriptor)"
            guard linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 else { throw Self.failure(path) }
        }
        isKept = true
    }

    private func create(_ path: String) throws(CommandError) -> (descriptor: Int32, isNamed: Bool) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        let nameless = open(folder, Self.unnamed | O_WRONLY | O_CLOEXEC, 0o600)
        if nameless >= 0 { return (nameless, false) }
        // Some file systems have no files without names, and some say so in a way of their own (open(2)).
        let named = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard named >= 0 else { throw Self.failure(path) }
        return (named, true)
    }

    /// `O_TMPFILE`, which is a composed macro and not imported (open(2)); the numbers are those of x86 and Arm.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

    private static func failure(_ path: String) -> CommandError {
        errno == EEXIST ? occupied(path) : CommandError("cannot create file", at: "\(path): \(SystemCall.failure)")
    }

    private static func occupied(_ path: String) -> CommandError {
        CommandError("refusing to overwrite", at: path, mend: "remove it first, or choose another name")
    }
}
