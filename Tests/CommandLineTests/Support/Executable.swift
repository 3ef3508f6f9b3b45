import Foundation
import Testing

/// The built program, run as users run it.
enum Executable {
    /// What a run left behind.
    struct Outcome {
        let code: Int32
        let output: [UInt8]
        let error: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The program, which stands next to the bundle of the tests.
    static let url: URL = {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appendingPathComponent("pinproof")
    }()

    /// Runs the program to its end, which it has to reach within a minute.
    ///
    /// HOME is not in its environment unless it is named; `output` takes standard output instead of the outcome.
    static func run(
        _ arguments: String..., environment: [String: String] = [:], output: FileHandle? = nil
    ) throws -> Outcome {
        try run(url, arguments, environment: environment, output: output)
    }

    /// Runs another program in the same way; `input` is its standard input.
    static func run(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [],
        output: FileHandle? = nil
    ) throws -> Outcome {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: folder.file("input", input))
        process.standardOutput = try output ?? FileHandle(forWritingTo: folder.file("output", []))
        process.standardError = try FileHandle(forWritingTo: folder.file("error", []))
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        guard ended.wait(timeout: .now() + 60) == .success else {
            process.terminate()
            throw RunningTooLong(program: program.lastPathComponent, arguments: arguments)
        }
        try #require(process.terminationReason == .exit, "\(arguments) ended by a signal")
        return Outcome(
            code: process.terminationStatus, output: try folder.bytes("output"),
            error: String(decoding: try folder.bytes("error"), as: UTF8.self))
    }

    struct RunningTooLong: Error {
        let program: String
        let arguments: [String]
    }
}
