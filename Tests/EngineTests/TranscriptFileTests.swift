import Engine
import Foundation
import Reactor
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
                {"t":1,"time":"1970-01-01T00:00:00.000000Z","connection":1,"event":"firstData","side":"client",\
                "previous":null}
                {"t":1,"time":"1970-01-01T00:00:00.000000Z","connection":2,"event":"firstData","side":"client",\
                "previous":"7dca33085b610be5c6bfe52e53f5c0d403a534b86eccf76c02ffc960b5678d6d"}

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

    /// Two runs whose files mix are the evidence of neither.
    @Test func furtherFileOfAnotherRunIsLeftAlone() throws {
        let folder = try Folder()
        try "evidence".write(toFile: folder.path("run.12.jsonl"), atomically: false, encoding: .utf8)
        for name in ["run.jsonl.2", "run.02.jsonl", "run.x.jsonl", "other.2.jsonl", "run.1.jsonl"] {
            try "nothing to do with it".write(toFile: folder.path(name), atomically: false, encoding: .utf8)
        }
        let path = folder.path("run.jsonl")
        let error = #expect(throws: EngineError.self) { try TranscriptFile(path: path) }
        #expect(
            error?.message == "cannot write the transcript \(path): \(folder.path("run.12.jsonl")) is there already, "
                + "and is part of another one")
        #expect(!FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(atPath: folder.path("run.12.jsonl"))
        _ = try TranscriptFile(path: path)
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
            let troubles = Guarded([RecordingTrouble]())
            let file = try TranscriptFile(path: folder.path("full")) { trouble in
                troubles.withLock { $0.append(trouble) }
            }
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
            #expect(troubles.withLock { $0 } == [.refused(errno: EFBIG), .over(missing: 2)])
            let lines = try folder.text("full").split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[1].contains(#""connection":null,"event":"gap","lost":2,"#))
            #expect(lines[2].contains(#""connection":1,"event":"firstData","side":"client","#))
            // What was not written is no link of the chain.
            #expect(try chain(of: [folder.path("full")]) == file.closingDigest)
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

/// Follows the digests of the lines of a run's files, by sha256sum; the last of them, or the number of the line that does
/// not fit.
private func chain(of paths: [String]) throws -> String {
    var previous = "null"
    for path in paths {
        for (number, line) in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").enumerated() {
            guard line.hasSuffix(",\"previous\":\(previous)}") else { return "\(path) line \(number + 1)" }
            previous = "\"\(try sha256sum(String(line)))\""
        }
    }
    return previous.replacing("\"", with: "")
}

private func sha256sum(_ text: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: answer.prefix(64), as: UTF8.self)
}

/// Transcripts that go on in further files.
@Suite struct TranscriptRotationTests {
    private let run = RunStarted(tool: "0", openssl: "3", listeners: [], authorities: ["aa"], label: "build 7")

    private func event(_ connection: UInt64?, _ kind: Event.Kind) -> Event {
        Event(connection: connection, monotonic: 1, wall: 0, kind: kind)
    }

    @Test(arguments: [
        ("run.jsonl", "run.2.jsonl"), ("/a.b/run", "/a.b/run.2"), ("x/.hidden", "x/.hidden.2"),
        ("run.tar.gz", "run.tar.2.gz"),
    ])
    func aFurtherFileHasItsNumberBeforeTheExtension(_ first: String, _ second: String) {
        #expect(TranscriptRotation.path(first, number: 1) == first)
        #expect(TranscriptRotation.path(first, number: 2) == second)
    }

    /// Every file begins with its predecessor's digest, says which run it is of, and holds the certificates it names.
    @Test func filesAreLinkedAndCompleteInThemselves() throws {
        let folder = try Folder()
        let path = folder.path("run.jsonl")
        let file = try TranscriptFile(path: path, rotation: TranscriptRotation(size: 1500))
        file.consume([
            event(nil, .runStarted(run)), event(nil, .certificate(digest: "cc", der: [1, 2, 3])),
            event(1, .chain(.origin, ["cc"])),
        ])
        for number in 2...20 { file.consume([event(UInt64(number), .chain(.origin, ["cc"]))]) }
        file.consume([event(nil, .runEnded(RunEnded(connections: 20, lost: 0)))])

        let paths = (1...4).map { TranscriptRotation.path(path, number: $0) }.filter(FileManager.default.fileExists)
        #expect(paths.count > 1)
        #expect(file.currentPath == paths.last)
        #expect(try chain(of: paths) == file.closingDigest)
        for (index, path) in paths.enumerated() {
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let beginning = index == 0 ? #""event":"runStarted","# : #""event":"runContinued","#
            #expect(lines[0].contains(beginning))
            #expect(lines[0].contains(#""label":"build 7""#))
            if index > 0 { #expect(lines[0].contains("\"file\":\(index + 1),")) }
            let certificate = try #require(lines.firstIndex { $0.contains(#""digest":"cc""#) })
            let naming = try #require(lines.firstIndex { $0.contains(#""digests":["cc"]"#) })
            #expect(certificate < naming)
            #expect(lines.count { $0.contains(#""event":"certificate""#) } == 1)
            if index < paths.count - 1 { #expect((1500...1900).contains(lines.joined(separator: "\n").utf8.count)) }
        }
    }

    @Test func theOldestFilesGo() throws {
        let folder = try Folder()
        let path = folder.path("run.jsonl")
        let file = try TranscriptFile(path: path, rotation: TranscriptRotation(size: 1, kept: 2))
        file.consume([event(nil, .runStarted(run))] + (1...3).map { event($0, .firstData(.client)) })
        let there = (1...5).filter {
            FileManager.default.fileExists(atPath: TranscriptRotation.path(path, number: $0))
        }
        #expect(there == [3, 4])
    }

    /// Somebody else's file in the way of a further one: the recording goes on where it is.
    @Test func aNameThatIsTakenIsLeftAlone() throws {
        let folder = try Folder()
        let troubles = Guarded([RecordingTrouble]())
        let file = try TranscriptFile(
            path: folder.path("run.jsonl"), rotation: TranscriptRotation(size: 1)
        ) { trouble in troubles.withLock { $0.append(trouble) } }
        let further = folder.path("run.2.jsonl")
        try "theirs".write(toFile: further, atomically: false, encoding: .utf8)
        file.consume([event(nil, .runStarted(run))] + (1...3).map { event($0, .firstData(.client)) })
        #expect(try folder.text("run.2.jsonl") == "theirs")
        #expect(try folder.text("run.jsonl").split(separator: "\n").count == 4)
        let reason = "cannot write the transcript \(further): it is there already, and may be evidence"
        #expect(troubles.withLock { $0 } == [.cannotGoOn(path: further, reason: reason)])
        #expect(try chain(of: [folder.path("run.jsonl")]) == file.closingDigest)
    }

    /// A transcript holds no more than was asked for it, whatever others have the engine tell.
    @Test func whatWasNotAskedForIsLeftOut() throws {
        let secrets = ["CLIENT_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0", "CLIENT_RANDOM"].map {
            event(1, .secret(.client, SessionSecret(label: $0, clientRandom: [1], secret: [2])))
        }
        let more = [
            event(1, .traffic(.client, .sent, offset: 5, [1])), event(1, .data(.client, offset: 0, [1])),
            event(1, .contentEnded(.client, exchange: 1, bytes: 1)),
        ]
        func kept(_ capture: Capture) throws -> [String] {
            let folder = try Folder()
            let file = try TranscriptFile(path: folder.path("run.jsonl"), capture: capture)
            file.consume(secrets + more)
            return try folder.text("run.jsonl").split(separator: "\n").compactMap {
                $0.firstMatch(of: /"event":"(\w+)"/).map { String($0.1) }
            }
        }
        #expect(try kept(Capture()) == ["secret"])
        #expect(try kept(Capture(secrets: true)) == ["secret", "secret", "secret"])
        #expect(try kept(Capture(wire: true)) == ["secret", "traffic"])
        #expect(try kept(Capture(bytes: 7)) == ["secret", "data"])
        #expect(try kept(Capture(heads: true)) == ["secret", "contentEnded"])
        #expect(try kept(.all).count == 6)
    }
}

private func setFileSizeLimit(_ limit: rlim_t) throws {
    var limits = rlimit(rlim_cur: limit, rlim_max: .max)
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else {
        throw CocoaError(.fileWriteUnknown)
    }
}
