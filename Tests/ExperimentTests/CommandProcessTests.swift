import Foundation
import Testing
import Transcript

@testable import Experiment

/// Commands as processes: how they end, what they print, and what they leave behind.
@Suite struct CommandProcessTests {
    private let environment = ["PATH": "/usr/bin:/bin"]

    private func shell(_ script: String) throws -> CommandProcess {
        try CommandProcess(["sh", "-c", script], variables: environment)
    }

    @Test(arguments: [("exit 0", CommandEnded.Ending.exit(0)), ("exit 7", .exit(7)), ("kill -9 $$", .signal(9))])
    func `its own end is told`(_ script: String, _ ending: CommandEnded.Ending) throws {
        let process = try shell(script)
        #expect(process.wait(limit: .seconds(30), interrupted: { false }) == nil)
        #expect(process.finish(nil).ended.ending == ending)
    }

    @Test func `both outputs are kept apart, and input is empty`() throws {
        let process = try shell("cat; printf out; printf error >&2; printf \"$PATH\"")
        #expect(process.wait(limit: .seconds(30), interrupted: { false }) == nil)
        let output = process.finish(nil).output
        #expect(String(decoding: output.standard.bytes, as: UTF8.self) == "out/usr/bin:/bin")
        #expect(String(decoding: output.error.bytes, as: UTF8.self) == "error")
    }

    @Test func `more output than a pipe holds does not stop it`() throws {
        let process = try shell("head -c 3000000 /dev/zero; printf end")
        #expect(process.wait(limit: .seconds(30), interrupted: { false }) == nil)
        let bytes = process.finish(nil).output.standard.bytes
        #expect(bytes.count == 1_048_576)
        #expect(bytes.suffix(4) == [0] + Array("end".utf8))
    }

    @Test func `who hangs and prints without end is ended when the time is up`() throws {
        let process = try shell("yes")
        #expect(process.wait(limit: .milliseconds(200), interrupted: { false }) == .timeLimit)
        #expect(process.finish(.timeLimit).ended.ending == .timeLimit)
    }

    @Test func `an interruption ends the waiting`() throws {
        let process = try shell("sleep 600")
        #expect(process.wait(limit: .seconds(600), interrupted: { true }) == .interrupted)
        #expect(process.finish(.interrupted).ended.ending == .interrupted)
    }

    @Test func `who does not listen to SIGTERM is killed`() throws {
        let process = try shell("trap '' TERM; printf ready; while :; do sleep 600; done")
        #expect(process.wait(limit: .milliseconds(300), interrupted: { false }) == .timeLimit)
        let (ended, output) = process.finish(.timeLimit)
        #expect(ended.ending == .timeLimit)
        #expect(output.standard.bytes == Array("ready".utf8))
    }

    @Test func `children that it leaves behind end with it`() async throws {
        let process = try shell("sleep 600 & echo $!; trap '' TERM; sleep 600 & echo $!")
        #expect(process.wait(limit: .seconds(30), interrupted: { false }) == nil)
        let text = String(decoding: process.finish(nil).output.standard.bytes, as: UTF8.self)
        let children = text.split(separator: "\n").compactMap { pid_t($0) }
        #expect(children.count == 2)
        for child in children {
            // The signal is on its way when `finish` returns.
            let deadline = ContinuousClock.now + .seconds(30)
            while isRunning(child), ContinuousClock.now < deadline { await Task.yield() }
            #expect(!isRunning(child), "\(child)")
        }
    }

    /// Whether a process is there and not a zombie, which its new parent may be slow to reap.
    private func isRunning(_ id: pid_t) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
        // The state is the letter after the name in parentheses.
        let state = status.split(separator: ")").last?.split(separator: " ").first ?? "?"
        return state != "Z" && state != "X"
    }

    @Test func `what is not there cannot be started`() {
        #expect(throws: ExperimentError.cannotStart("pinproof-no-such-program", errno: ENOENT)) {
            try CommandProcess(["pinproof-no-such-program"], variables: environment)
        }
    }
}
