import Glibc

/// The preparation of one `posix_spawn`.
///
/// **Ownership:** the child's ends of sockets are closed when this goes away; the test's ends belong to who asked for them.
struct Spawn: ~Copyable {
    struct Failed: Error {
        let step: String
        let errno: Int32
    }

    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    private var ofChild: [Int32] = []

    /// Prepares a start, if so without the terminal from which the tests are run.
    init(inOwnSession: Bool = false) throws {
        try Self.check("prepare", posix_spawn_file_actions_init(&actions))
        try Self.check("prepare", posix_spawnattr_init(&attributes))
        // The threads that tests run on block signals; the child must not inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // POSIX_SPAWN_SETSID, which is for GNU sources only and not imported.
        let session: Int32 = inOwnSession ? 0x80 : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | session))
    }

    deinit {
        var actions = actions
        posix_spawn_file_actions_destroy(&actions)
        var attributes = attributes
        posix_spawnattr_destroy(&attributes)
        for descriptor in ofChild { close(descriptor) }
    }

    /// Gives the child a file as its standard input.
    mutating func openInput(_ path: String) throws {
        try Self.check(path, posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDONLY, 0))
    }

    /// Joins the child's descriptor to one of the test's by a pair of sockets; returns the test's.
    ///
    /// Unlike a pipe, a socket can be written to without a signal when the child is gone.
    mutating func join(_ descriptor: Int32) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failed(step: "socketpair", errno: errno) }
        ofChild.append(ends[0])
        try Self.check("redirect", posix_spawn_file_actions_adddup2(&actions, ends[0], descriptor))
        return ends[1]
    }

    /// Starts the program and returns its id.
    mutating func start(
        _ path: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> pid_t {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var id: pid_t = 0
        try Self.check(path, posix_spawn(&id, path, &actions, &attributes, &words, &variables))
        return id
    }

    private static func check(_ step: String, _ result: Int32) throws {
        guard result == 0 else { throw Failed(step: step, errno: result) }
    }
}
