internal import Dispatch
internal import Glibc
internal import Transcript

/// A command in a process group of its own, so that whatever it starts ends with it.
///
/// **Ownership:** `finish` ends the group and reaps the command; until then its id cannot belong to another process.
/// **Thread:** one at a time.
final class CommandProcess {
    /// What a command printed.
    struct Output: Sendable {
        var standard = OutputTail()
        var error = OutputTail()
    }

    private let id: pid_t
    private let began = ContinuousClock.now
    /// The reading ends of its outputs, and of a pipe on which its end is told; -1 once closed.
    private var sources: [Int32]
    private var output = Output()
    /// When it ended by itself, or was seen to.
    private var exited: ContinuousClock.Instant?
    private var hasExited: Bool { exited != nil }

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - words: The program, found on the PATH, and its arguments.
    ///   - variables: Its environment.
    /// - Throws: `ExperimentError` if it cannot be started.
    init(_ words: [String], variables: [String: String]) throws {
        let pipes = try [Pipe(), Pipe(), Pipe()]
        do {
            id = try spawn(words, variables, output: pipes[0].writing, error: pipes[1].writing)
        } catch {
            for pipe in pipes { pipe.close() }
            throw error
        }
        close(pipes[0].writing)
        close(pipes[1].writing)
        sources = pipes.map(\.reading)
        let (id, told) = (id, pipes[2].writing)
        // A queue of its own: it blocks a thread for as long as the command runs.
        DispatchQueue(label: "pinproof.command").async {
            var information = siginfo_t()
            // It stays a zombie, and with it the group's id, until finish reaps it.
            while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            close(told)
        }
    }

    /// Waits for the command's own end, and takes what it prints.
    ///
    /// - Parameters:
    ///   - limit: How long it may run.
    ///   - interrupted: Asked again and again; true ends the waiting.
    /// - Returns: Why it did not end by itself; nil if it did.
    func wait(limit: Duration, interrupted: () -> Bool) -> CommandEnded.Ending? {
        let deadline = began + limit
        while !hasExited {
            if interrupted() { return .interrupted }
            if ContinuousClock.now >= deadline { return .timeLimit }
            pump()
        }
        return nil
    }

    /// Ends the whole group, first politely, and reaps the command.
    ///
    /// - Parameter reason: Why it is ended, if it did not end by itself.
    /// - Returns: How the command ended, and what it printed.
    func finish(_ reason: CommandEnded.Ending?) -> (ended: CommandEnded, output: Output) {
        let elapsed = (exited ?? .now) - began
        kill(-id, SIGTERM)
        let grace = ContinuousClock.now + Self.grace
        while !hasExited, ContinuousClock.now < grace { pump() }
        if !hasExited { kill(-id, SIGKILL) }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        // As long as anybody is in the group, its id is not given to another. Those that are dead stay in it until their
        // new parent reaps them, which may be never: they are not waited for.
        let graceOfOthers = ContinuousClock.now + Self.graceOfOthers
        while kill(-id, 0) == 0 {
            if ContinuousClock.now >= graceOfOthers {
                kill(-id, SIGKILL)
                break
            }
            pump()
        }
        // What was printed is in the pipes by now; whoever left the group may keep them open for ever.
        takeOutput(within: 0)
        for source in sources where source >= 0 { close(source) }
        sources = []
        let nanoseconds = UInt64(max(elapsed / .nanoseconds(1), 0))
        return (CommandEnded(ending: reason ?? Self.ending(status), nanoseconds: nanoseconds), output)
    }

    /// How long the command has between the polite signal and the other one.
    private static let grace = Duration.seconds(2)
    /// How long what it left behind has, once it is gone itself.
    private static let graceOfOthers = Duration.milliseconds(250)

    /// The layout of a status of wait(2).
    private static func ending(_ status: Int32) -> CommandEnded.Ending {
        status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }

    /// Takes what was printed, or waits a moment for it.
    private func pump() { takeOutput(within: 20) }

    private func takeOutput(within milliseconds: Int32) {
        var polled = sources.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
        var block = [UInt8](repeating: 0, count: 1 << 16)
        for (index, state) in polled.enumerated() where state.revents != 0 {
            // As much as a pipe holds: whoever prints without end must not keep the time limit from being looked at.
            let count = read(sources[index], &block, block.count)
            if count > 0 {
                if index == 0 { output.standard.append(block[..<count]) } else { output.error.append(block[..<count]) }
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                close(sources[index])
                sources[index] = -1
                if index == 2 { exited = .now }
            }
        }
    }
}

/// A pipe whose reading end does not block.
private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ExperimentError.cannotStart("a pipe", errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        (reading, writing) = (ends[0], ends[1])
    }

    func close() {
        Glibc.close(reading)
        Glibc.close(writing)
    }
}

/// Starts a program that has no input, in a process group of its own.
private func spawn(
    _ words: [String], _ variables: [String: String], output: Int32, error: Int32
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
    // What Pinproof ignores or blocks is its own affair.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var arguments = words.map { strdup($0) } + [nil]
    var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var id: pid_t = 0
    let result = posix_spawnp(&id, words.first ?? "", &actions, &attributes, &arguments, &environment)
    guard result == 0 else { throw ExperimentError.cannotStart(words.first ?? "", errno: result) }
    return id
}
