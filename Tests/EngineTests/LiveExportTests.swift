import Engine
import Foundation
import Reactor
import Testing
import Transcript

/// Key logs and captures that are written while events come.
@Suite struct LiveExportTests {
    private static let run: [Event] = [
        event(.opened(client: "127.0.0.1:50312", listener: "127.0.0.1:8080")), event(.decided(.intercept, rule: nil)),
        event(.secret(.client, SessionSecret(label: "CLIENT_RANDOM", clientRandom: [0xAB], secret: [1]))),
        event(.wire(.client, .received, [0x16, 0x03, 0x01])),
    ]

    private static func event(_ kind: Event.Kind) -> Event { Event(connection: 1, monotonic: 1, wall: 0, kind: kind) }

    @Test func secretsAreInTheFileWithTheirBatch() throws {
        let folder = try Folder()
        let file = try KeyLogFile(path: folder.path("keys"))
        #expect(try folder.mode("keys") == 0o600)
        #expect(try folder.text("keys") == "")
        file.consume(Self.run)
        #expect(try folder.text("keys") == "CLIENT_RANDOM ab 01\n")
        file.consume(Self.run)
        #expect(try folder.text("keys") == "CLIENT_RANDOM ab 01\nCLIENT_RANDOM ab 01\n")
    }

    @Test func aCaptureIsReadableFromTheBeginning() throws {
        let folder = try Folder()
        let file = try PcapngFile(path: folder.path("run.pcapng"))
        #expect(try folder.mode("run.pcapng") == 0o600)
        let header = try folder.bytes("run.pcapng")
        #expect(header.prefix(4) == [0x0A, 0x0D, 0x0D, 0x0A])
        file.consume(Self.run)
        // A handshake is written when all its secrets are known, at the latest at the end.
        file.consume([
            Self.event(
                .closed(
                    Closed(
                        by: .client, phase: .clientHandshake, client: .fin, origin: nil, clientBytes: 0, originBytes: 0,
                        nanoseconds: 1)))
        ])
        let blocks = try folder.bytes("run.pcapng").dropFirst(header.count)
        // Secrets, block type 10, after the three packets that open the connection, of type 6.
        #expect(blocks.first == 6)
        #expect(blocks.count.isMultiple(of: 4) && blocks.contains(0x16))
    }

    @Test func whatIsThereIsLeftAlone() throws {
        let folder = try Folder()
        try "somebody else's".write(toFile: folder.path("old"), atomically: false, encoding: .utf8)
        #expect(throws: EngineError.self) { try KeyLogFile(path: folder.path("old")) }
        #expect(throws: EngineError.self) { try PcapngFile(path: folder.path("old")) }
        #expect(try folder.text("old") == "somebody else's")
    }

    /// A disk that is full in the middle of a line or a block: what is there is whole, and the loss is counted.
    @Test func aFullDiskLeavesWholePieces() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let troubles = Guarded([RecordingTrouble]())
            let keys = try KeyLogFile(path: folder.path("keys")) { trouble in troubles.withLock { $0.append(trouble) } }
            let capture = try PcapngFile(path: folder.path("capture")) { trouble in
                troubles.withLock { $0.append(trouble) }
            }
            let whole = try folder.bytes("capture")
            signal(SIGXFSZ, SIG_IGN)
            // Room for half a line, and for half a block behind the header.
            var limit = rlimit(rlim_cur: 10, rlim_max: .max)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            keys.consume(LiveExportTests.run)
            #expect(try folder.text("keys") == "")
            #expect(keys.lostEvents == 1)
            limit.rlim_cur = rlim_t(whole.count + 10)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            capture.consume(LiveExportTests.run)
            #expect(try folder.bytes("capture") == whole)
            #expect(capture.lostEvents == 4)
            limit.rlim_cur = .max
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            keys.consume(LiveExportTests.run)
            #expect(try folder.text("keys") == "CLIENT_RANDOM ab 01\n")
            #expect(
                troubles.withLock { $0 } == [.refused(errno: EFBIG), .refused(errno: EFBIG), .over(missing: 1)])
        }
    }

    /// What was asked for did not start: the name is free for the next try.
    @Test func whatNeverGotAnEventIsRemoved() throws {
        let folder = try Folder()
        do {
            let files: [any EventConsumer] = [
                try KeyLogFile(path: folder.path("keys")), try PcapngFile(path: folder.path("capture")),
                try TranscriptFile(path: folder.path("run.jsonl")),
            ]
            #expect(try folder.names() == ["capture", "keys", "run.jsonl"])
            _ = files
        }
        #expect(try folder.names() == [])
        do {
            let keys = try KeyLogFile(path: folder.path("keys"))
            keys.consume([Event(connection: 1, monotonic: 0, wall: 0, kind: .firstData(.client))])
        }
        #expect(try folder.names() == ["keys"])
    }

    /// A copy for other programs tells of what it misses, whoever was too slow.
    @Test func aGapIsTold() throws {
        let folder = try Folder()
        let troubles = Guarded([RecordingTrouble]())
        let gap = Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 3))
        try KeyLogFile(path: folder.path("keys")) { trouble in troubles.withLock { $0.append(trouble) } }.consume([gap])
        try PcapngFile(path: folder.path("capture")) { trouble in
            troubles.withLock { $0.append(trouble) }
        }.consume([gap])
        #expect(troubles.withLock { $0 } == [.tooSlow(missing: 3), .tooSlow(missing: 3)])
    }
}

extension Folder {
    fileprivate func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }
}
