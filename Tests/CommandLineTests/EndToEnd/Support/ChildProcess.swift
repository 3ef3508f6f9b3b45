import Foundation
import Glibc
import Synchronization

/// Another program, run as a process that cannot outlive the test that started it.
///
/// What it prints is collected as it comes, and whoever waits for something waits with a deadline. All descriptors are
/// closed on exec, so that programs which start at the same time do not hold each other's ends open.
///
/// **Ownership:** the last reference ends the process, by its id.
final class ChildProcess: Sendable {
    /// Where standard input comes from.
    enum Input {
        /// A file.
        case file(String)
        /// What the test writes.
        case test

        static let nothing = Input.file("/dev/null")
    }

    /// What is known of a process so far.
    struct Progress: Sendable {
        var output: [UInt8] = []
        var error: [UInt8] = []
        /// How it ended, once it has and everything it printed is here.
        var ending: Ending?

        var outputText: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: error, as: UTF8.self) }

        /// The lines of standard output that are complete.
        var lines: [Substring] {
            outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        }
    }

    enum Ending: Sendable, Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    /// The process's id; its owner may have ended it already.
    let id: pid_t
    private let name: String
    private let input: Int32?
    private let monitor: ProcessMonitor

    /// Starts a program with these words after its name, with nothing of the test's environment but what is named; in a
    /// session of its own it has no terminal, whatever the tests are run from.
    init(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:], input: Input = .nothing,
        inOwnSession: Bool = false
    ) throws {
        name = ([program.lastPathComponent] + arguments).joined(separator: " ")
        var spawn = try Spawn(inOwnSession: inOwnSession)
        switch input {
        case .file(let path):
            try spawn.openInput(path)
            self.input = nil
        case .test:
            self.input = try spawn.join(STDIN_FILENO)
        }
        let output = try spawn.join(STDOUT_FILENO)
        let error = try spawn.join(STDERR_FILENO)
        // A sanitized program needs to know what its sanitizer is to pass over.
        let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        let variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"].merging(sanitizers) { $1 }.merging(environment) { $1 }
        id = try spawn.start(program.path, arguments, variables)
        monitor = ProcessMonitor(id, name: name)
        monitor.begin(output: output, error: error)
    }

    deinit {
        monitor.signal(SIGKILL)
        if let input { close(input) }
    }

    /// Sends a signal; one that has ended already does not get it.
    func signal(_ number: Int32) { monitor.signal(number) }

    /// Writes to the process's standard input.
    func write(_ text: String) throws {
        guard let input else { throw Unwritable(process: name) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { throw Unwritable(process: name) }
            rest = rest.dropFirst(sent)
        }
    }

    /// Ends the process's standard input.
    func finishInput() {
        if let input { shutdown(input, Int32(SHUT_WR)) }
    }

    /// Waits until `condition` finds what it looks for in what the process did.
    ///
    /// - Throws: `Missed` when the time is up, or when the process ended and it is still not there.
    func wait<Value: Sendable>(
        for what: String, within limit: Duration = .seconds(60),
        _ condition: @escaping @Sendable (Progress) throws -> Value?
    ) async throws -> Value {
        try await monitor.wait(for: what, within: limit, condition)
    }

    /// Waits for the end.
    @discardableResult
    func end(within limit: Duration = .seconds(60)) async throws -> Progress {
        try await wait(for: "its end", within: limit) { $0.ending == nil ? nil : $0 }
    }

    struct Unwritable: Error {
        let process: String
    }

    /// What did not come.
    struct Missed: Error, CustomStringConvertible {
        let what: String
        let process: String
        let progress: Progress

        var description: String {
            let ending = progress.ending.map { ", which ended with \($0)" } ?? ""
            return "waited in vain for \(what) of '\(process)'\(ending); "
                + "it printed \(progress.outputText.suffix(1000)) and \(progress.errorText.suffix(1000))"
        }
    }
}
