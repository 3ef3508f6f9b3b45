import Engine
import Foundation
import Testing
import Transcript

@Suite struct TranscriptFileTests {
    private func event(_ connection: UInt64, _ kind: Event.Kind = .firstData(.client)) -> Event {
        Event(connection: connection, monotonic: 1, wall: 0, kind: kind)
    }

    @Test func linesAreWrittenAtOnceForTheOwnerAlone() throws {
        let folder = try Folder()
        let file = try TranscriptFile(path: folder.path("new.jsonl"))
        #expect(try folder.mode("new.jsonl") == 0o600)
        file.consume([event(1), event(2)])
        #expect(
            try folder.text("new.jsonl") == """
                {"t":1,"time":"1970-01-01T00:00:00.000000Z","connection":1,"event":"firstData","side":"client"}
                {"t":1,"time":"1970-01-01T00:00:00.000000Z","connection":2,"event":"firstData","side":"client"}

                """)
        file.consume([event(3)])
        #expect(try folder.text("new.jsonl").split(separator: "\n").count == 3)
    }

    /// It may be the evidence of an earlier run.
    @Test func fileThatIsThereIsLeftAlone() throws {
        let folder = try Folder()
        try "somebody else's".write(toFile: folder.path("old"), atomically: false, encoding: .utf8)
        let error = #expect(throws: EngineError.self) { try TranscriptFile(path: folder.path("old")) }
        #expect(error?.hint == "move it away, or choose another name")
        #expect(try folder.text("old") == "somebody else's")
    }

    @Test func linkIsRefusedAndItsTargetUntouched() throws {
        let folder = try Folder()
        try "precious".write(toFile: folder.path("target"), atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("target"))
        #expect(throws: EngineError.self) { try TranscriptFile(path: folder.path("link")) }
        #expect(try folder.text("target") == "precious")
    }

    @Test(arguments: [
        ("absent/transcript", "name a file in a folder that exists and is yours with --transcript"),
        (".", "move it away, or choose another name"),
    ])
    func placeThatCannotBeWrittenIsNamed(_ name: String, _ hint: String) throws {
        let folder = try Folder()
        let path = folder.path(name)
        let error = #expect(throws: EngineError.self) { try TranscriptFile(path: path) }
        #expect(error?.message.hasPrefix("cannot write the transcript \(path): ") == true)
        #expect(error?.hint == hint)
    }

    /// A device is no file, and keeps its mode: everyone needs /dev/null.
    @Test func deviceIsRefusedAndKeepsItsMode() throws {
        let before = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.posixPermissions] as? Int
        #expect(throws: EngineError.self) { try TranscriptFile(path: "/dev/null") }
        let after = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.posixPermissions] as? Int
        #expect(after == before)
    }

    /// A pipe without a reader does not hold the program up.
    @Test func pipeIsRefusedAtOnce() throws {
        let folder = try Folder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(throws: EngineError.self) { try TranscriptFile(path: folder.path("pipe")) }
    }

    /// A disk that is full in the middle of a line: what is there is whole lines, and a later line says what is missing.
    @Test func fullDiskLeavesWholeLinesAndAGap() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let file = try TranscriptFile(path: folder.path("full"))
            let event = Event(connection: 1, monotonic: 1, wall: 0, kind: .firstData(.client))
            file.consume([event])
            let line = try folder.text("full")
            // Room for one line and a half.
            signal(SIGXFSZ, SIG_IGN)
            try setFileSizeLimit(rlim_t(line.utf8.count * 5 / 2))
            file.consume([event, event])
            #expect(try folder.text("full") == line)
            try setFileSizeLimit(.max)
            file.consume([event])
            let gap = line.replacing(
                #""connection":1,"event":"firstData","side":"client""#,
                with: #""connection":null,"event":"gap","lost":2"#)
            #expect(try folder.text("full") == line + gap + line)
        }
    }

    /// More than is encoded in one piece.
    @Test func largeBatchIsWrittenWhole() throws {
        let folder = try Folder()
        let file = try TranscriptFile(path: folder.path("large"))
        let bytes = [UInt8](repeating: 7, count: 200_000)
        file.consume((1...20).map { event($0, .wire(.client, .received, bytes)) })
        let lines = try folder.text("large").split(separator: "\n")
        #expect(lines.count == 20)
        #expect(lines.enumerated().allSatisfy { $0.element.contains("\"connection\":\($0.offset + 1),") })
    }
}

private func setFileSizeLimit(_ limit: rlim_t) throws {
    var limits = rlimit(rlim_cur: limit, rlim_max: .max)
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else {
        throw CocoaError(.fileWriteUnknown)
    }
}
