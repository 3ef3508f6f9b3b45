internal import Glibc

/// Where an export goes: standard output, or a new file that only its owner may read.
///
/// The file is made with the first bytes, and removed if the rest never comes: what is there is whole.
final class ExportOutput {
    private let path: String?
    private var descriptor: Int32?
    private var isKept = false

    /// Names a file, or standard output with nil; something that is there already is left alone.
    init(_ path: String?) throws(CommandError) {
        self.path = path
        if let path, Files.exists(path) { throw Self.occupied(path) }
    }

    deinit {
        guard let descriptor, let path else { return }
        close(descriptor)
        if !isKept { unlink(path) }
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        guard let path else { return try StandardStream.output.write(bytes) }
        if descriptor == nil { descriptor = try create(path) }
        guard let descriptor, SystemCall.writeAll(bytes, to: descriptor) else {
            throw CommandError("cannot write file", at: "\(path): \(SystemCall.failure)")
        }
    }

    /// Says that nothing is missing.
    func keep() { isKept = true }

    private func create(_ path: String) throws(CommandError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor < 0 else { return descriptor }
        guard errno != EEXIST else { throw Self.occupied(path) }
        throw CommandError("cannot create file", at: "\(path): \(SystemCall.failure)")
    }

    private static func occupied(_ path: String) -> CommandError {
        CommandError("refusing to overwrite", at: path, mend: "remove it first, or choose another name")
    }
}
