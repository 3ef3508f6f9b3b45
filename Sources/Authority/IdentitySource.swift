public import Crypto
internal import Glibc
internal import Synchronization

/// An identity as it was last read from its file.
public struct LoadedIdentity: Sendable {
    /// What is presented.
    public let identity: TLSIdentity
    /// Where it comes from, as the user named it.
    public let source: String
    /// What is remarkable about the file.
    public let warnings: [IdentityWarning]
}

/// A file, or a pair of files, with the identity to present; it is read again when it was replaced.
///
/// The password is asked for once, when the file is first read, and kept in memory as long as the file may be replaced.
///
/// **Thread:** usable from any thread. Reading a replaced file derives a key from the password, which takes as long as
/// whoever made the file wanted.
public final class IdentitySource: Sendable {
    /// Where an identity is, and how to read it.
    public struct Location: Sendable, Equatable {
        /// The file: PKCS#12 or PEM.
        public var file: String
        /// The file with the key, if that is another one.
        public var key: String?
        /// Which one of several is meant: a subject, friendly name or fingerprint.
        public var selection: String?
        /// Whether an identity is taken that TLS refuses as too weak at its default level.
        public var allowsWeak = false

        /// Names a file.
        public init(file: String, key: String? = nil, selection: String? = nil, allowsWeak: Bool = false) {
            self.file = file
            self.key = key
            self.selection = selection
            self.allowsWeak = allowsWeak
        }

        /// The location as it could be given on a command line.
        var text: String { [file, key].compactMap { $0 }.joined(separator: ",") + (selection.map { "#\($0)" } ?? "") }
    }

    private struct State {
        var loaded: LoadedIdentity
        var versions: [FileVersion?]
    }

    private let location: Location?
    private let password: [UInt8]?
    private let state: Mutex<State>

    /// Reads the identity for the first time.
    ///
    /// - Parameters:
    ///   - location: Where it is.
    ///   - password: Gives the password, or nil if there is none to be had; called once at most, and only if the empty one
    ///     does not open the file.
    /// - Throws: `AuthorityError` that names the file, or what `password` throws.
    public init(_ location: Location, password: () throws -> [UInt8]?) throws {
        var known: [UInt8]?
        let versions = location.versions
        let loaded = try Self.load(location) {
            known = try password()
            return known
        }
        self.location = location
        self.password = known
        state = Mutex(State(loaded: loaded, versions: versions))
    }

    /// Takes an identity that is in no file, and never changes.
    ///
    /// - Parameters:
    ///   - identity: What is presented.
    ///   - source: Where it comes from, in words.
    public init(_ identity: TLSIdentity, named source: String) {
        location = nil
        password = nil
        state = Mutex(
            State(loaded: LoadedIdentity(identity: identity, source: source, warnings: []), versions: []))
    }

    /// The identity as it is in the file now.
    ///
    /// - Throws: `AuthorityError` if the file was replaced by something that cannot be used.
    public func current() throws -> LoadedIdentity {
        guard let location, isStale else { return state.withLock { $0.loaded } }
        // Looked at before reading: a file that changes meanwhile is read once more the next time. And read without the
        // lock: nobody waits who wants what is there.
        let versions = location.versions
        let loaded = try Self.load(location) { password }
        state.withLock { $0 = State(loaded: loaded, versions: versions) }
        return loaded
    }

    /// Whether the file was replaced since it was read, so that `current` has to read it.
    public var isStale: Bool {
        guard let location else { return false }
        let versions = location.versions
        return state.withLock { $0.versions != versions }
    }

    private static func load(
        _ location: Location, password: () throws -> [UInt8]?
    ) throws -> LoadedIdentity {
        let bytes = try readFile(location.file, mustBePrivate: false)
        let key = try location.key.map { try readFile($0, mustBePrivate: false) }
        do {
            let contents = try IdentityReader.read(
                bytes, key: key, at: Int64(time(nil)), allowsWeakKeys: location.allowsWeak, password: password)
            let chosen = try contents.select(location.selection)
            let identity = TLSIdentity(
                chain: chosen.identity.chain, key: chosen.identity.key, isWeak: chosen.weakness != nil)
            return LoadedIdentity(identity: identity, source: location.text, warnings: contents.warnings)
        } catch let error as IdentityError {
            throw AuthorityError(
                .unreadable, "the identity in \(location.text) cannot be used: \(error.message)", hint: error.hint)
        }
    }
}

extension IdentitySource.Location {
    /// What the files are at the moment; nil for one that is not there.
    fileprivate var versions: [FileVersion?] { [file, key].compactMap { $0 }.map(FileVersion.init) }
}

/// What tells a file from the one that had its path before.
private struct FileVersion: Equatable, Sendable {
    private let device: UInt
    private let number: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        number = UInt(status.st_ino)
        size = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
