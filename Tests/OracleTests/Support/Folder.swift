import Crypto
import Foundation
import Testing

/// A folder in which other programs run, with nothing of the test's environment; it goes away with its last owner.
final class Folder: Sendable {
    /// What a program did.
    struct Run {
        /// Its exit status; 124 if its time was up.
        let status: Int32
        /// What it printed, errors too.
        let output: String

        var lines: [Substring] { output.split(separator: "\n") }
    }

    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "pinproof-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Runs a program in the folder to its end, or until a minute is over.
    func run(_ program: Oracle, _ arguments: [String], input: String = "/dev/null") throws -> Run {
        let stream = try start(program, arguments, input: input)
        var output: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
        let status = pclose(stream)
        // A shell exits with the status of what it executes.
        return Run(status: status >> 8 & 0xFF, output: String(decoding: output, as: UTF8.self))
    }

    /// Starts a program in the folder; what it prints comes first with a line that is its process's id.
    ///
    /// By `popen`, because Foundation's `Process` leaks, which would hide our own leaks from the sanitizer.
    ///
    /// - Returns: What it prints; to be closed with `pclose`.
    func startNamed(_ program: Oracle, _ arguments: [String]) throws -> UnsafeMutablePointer<FILE> {
        try start(program, arguments, input: "/dev/null", saying: "echo $$; ")
    }

    private func start(
        _ program: Oracle, _ arguments: [String], input: String, saying greeting: String = ""
    ) throws -> UnsafeMutablePointer<FILE> {
        let words = (["/usr/bin/timeout", "60", program.rawValue] + arguments).map(Self.quoted).joined(separator: " ")
        let environment = "/usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8"
        let command = "\(greeting)cd \(Self.quoted(path)) && exec \(environment) \(words) <\(Self.quoted(input)) 2>&1"
        // A thread of a pool blocks every signal, and what it starts would inherit that: nothing could end it.
        var none = sigset_t()
        sigemptyset(&none)
        var before = sigset_t()
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // Closed on exec, or programs that start at the same time would hold each other's ends open.
        return try #require(popen(command, "re"))
    }

    private static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }

    func write(_ name: String, _ contents: [UInt8]) throws {
        try Data(contents).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func write(_ name: String, _ certificates: [Certificate]) throws {
        try write(name, Array(certificates.map(\.pem).joined().utf8))
    }

    /// What a file holds; nil if it cannot be read.
    func contents(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(path)/\(name)").map { Array($0) }
    }
}
