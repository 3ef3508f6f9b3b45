internal import Glibc

/// A file to be made.
struct NewFile {
    let name: String
    let mode: mode_t
    var contents: [UInt8]
}

/// A folder to which, unless it may be open, only its owner has access, and in which files appear all or not at all.
///
/// **Ownership:** holds the folder open, so that renaming it does not send the files elsewhere.
struct PrivateFolder: ~Copyable {
    private let path: String
    private let descriptor: FileDescriptor
    /// The folders that did not exist before, outermost first.
    private let made: [String]

    /// Opens the folder, after making it and those above it if they do not exist.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - mayBeOpen: Whether a folder that exists may be open to others than this user.
    /// - Throws: `AuthorityError` if it cannot be made, or exists and others have access that may not.
    init(_ path: String, mayBeOpen: Bool = false) throws {
        let made = try makeFolders(path)
        let descriptor = try FileDescriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open the folder", path)
        let status = try descriptor.status(path)
        guard mayBeOpen || (status.st_mode & 0o077 == 0 && status.st_uid == geteuid()) else {
            throw AuthorityError(
                .notPrivate, "others than you have access to the folder \(path)",
                hint: "run `chmod 700 \(path)`, or name a folder that does not exist yet")
        }
        self.path = path
        self.descriptor = descriptor
        self.made = made
    }

    /// Throws if anything, even a dangling link, has one of these names.
    borrowing func requireAbsent(_ names: [String]) throws {
        for name in names {
            var status = stat()
            let found = descriptor.withNumber { fstatat($0, name, &status, AT_SYMLINK_NOFOLLOW) }
            if found == 0 { throw AuthorityError.exists("\(path)/\(name)") }
        }
    }

    /// Makes all the files, or none and not even the folder.
    borrowing func write(_ files: [NewFile]) throws {
        var written: [String] = []
        do {
            for file in files {
                let descriptor = try create(file)
                written.append(file.name)
                try descriptor.write(file.contents, "\(path)/\(file.name)")
            }
        } catch {
            for name in written { _ = descriptor.withNumber { unlinkat($0, name, 0) } }
            for folder in made.reversed() { rmdir(folder) }
            throw error
        }
    }

    private borrowing func create(_ file: NewFile) throws -> FileDescriptor {
        let place = "\(path)/\(file.name)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = descriptor.withNumber { openat($0, file.name, flags, file.mode) }
        if number < 0, errno == EEXIST { throw AuthorityError.exists(place) }
        return try FileDescriptor(number, "create", place)
    }
}

/// Makes a folder and those above it, for the owner only, and says which ones it made.
private func makeFolders(_ path: String) throws -> [String] {
    if mkdir(path, 0o700) == 0 { return [path] }
    switch errno {
    case EEXIST: return []
    case ENOENT:
        let end = path.lastIndex { $0 != "/" } ?? path.startIndex
        guard let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex else {
            throw AuthorityError.system("make the folder", path)
        }
        let above = try makeFolders(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 else { throw AuthorityError.system("make the folder", path) }
        return above + [path]
    default: throw AuthorityError.system("make the folder", path)
    }
}

extension AuthorityError {
    static func exists(_ path: String) -> AuthorityError {
        AuthorityError(
            .exists, "\(path) exists already, and what trusts it would break if it were replaced",
            hint: "use it, name another folder, or move it away first")
    }
}
