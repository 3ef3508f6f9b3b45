import Crypto
import Recheck
import Testing
import Transcript
import TranscriptFiles
import Wire

/// Lines that follow each other, and files that do.
@Suite struct LineTests {
    private let recording: Recording
    private let lines: [[UInt8]]

    init() throws {
        recording = try Recording()
        try recording.connect()
        recording.end()
        lines = Recording.lines(recording.events)
    }

    private func breaks(_ checked: Checked) -> [String] {
        checked.summary.failures.filter { $0.claim.kind == .lines }.compactMap(\.claim.result.reason)
    }

    @Test func aWholeChain() throws {
        let checked = try Checked(Recording.file(lines))
        #expect(breaks(checked) == [])
        // As `sha256sum` has it of the line without its newline.
        #expect(checked.summary.closingDigest == Digest.sha256(lines[lines.count - 1]))
    }

    @Test func aLineLeftOut() throws {
        var changed = lines
        changed.remove(at: 4)
        #expect(
            breaks(try Checked(Recording.file(changed)))
                == ["file 1: line 5 does not follow file 1: line 4, or that was changed"])
    }

    @Test func aLineChanged() throws {
        var changed = lines
        changed[2] = Array(
            String(decoding: changed[2], as: UTF8.self).replacing("127.0.0.1:1", with: "127.0.0.1:7").utf8)
        #expect(changed[2] != lines[2] || changed == lines)
        changed[1] = Array(
            String(decoding: changed[1], as: UTF8.self).replacing("127.0.0.1:1", with: "127.0.0.1:7").utf8)
        #expect(
            breaks(try Checked(Recording.file(changed)))
                == ["file 1: line 3 does not follow file 1: line 2, or that was changed"])
    }

    @Test func linesInAnotherOrder() throws {
        var changed = lines
        changed.swapAt(4, 5)
        #expect(breaks(try Checked(Recording.file(changed))).count == 3)
    }

    @Test func aBeginningThatIsCutOff() throws {
        var changed = lines
        changed.remove(at: 1)
        #expect(
            breaks(try Checked(Recording.file(changed)))
                == [
                    "file 1: line 2 does not follow file 1: line 1, or that was changed",
                    "the connection is not open here",
                ])
    }

    /// A process that is killed leaves a broken line.
    @Test func aBrokenEndIsTold() throws {
        let cut = Recording.file(Array(lines.dropLast())) + lines[lines.count - 1].prefix(20)
        let checked = try Checked(cut)
        #expect(checked.summary.warnings == ["file 1: the last line is broken: 20 octets are left out"])
        #expect(checked.failedKinds == [])
        #expect(checked.summary.closingDigest == Digest.sha256(lines[lines.count - 2]))
        #expect(checked.summary.rows[.completeness]?.notProven == 1)
    }

    /// Older versions chained no lines; this one does.
    @Test func filesWithoutDigestsAreNotChained() throws {
        func loose(_ version: String) -> [UInt8] {
            var events = recording.events
            if case .runStarted(var run) = events[0].kind {
                run.tool = version
                events[0].kind = .runStarted(run)
            }
            return events.flatMap { event in
                var line: [UInt8] = []
                EventEncoder().encode(event, into: &line)
                return line
            }
        }
        let checked = try Checked(loose("0"))
        #expect(checked.failedKinds == [])
        #expect(checked.summary.rows[.lines]?.proven == 0)
        let words = "\(recording.events.count) lines name no line before them"
        #expect(checked.summary.rows[.lines]?.reasons == ["\(words): an older version wrote them": 1])
        #expect(breaks(try Checked(loose(Recording.version))) == [words])
    }

    @Test func somethingThatIsNoDigest() throws {
        var changed = lines
        changed[1] = Array(
            String(decoding: changed[1], as: UTF8.self).replacing(/"previous":"[0-9a-f]+"/, with: #""previous":5"#).utf8
        )
        #expect(
            breaks(try Checked(Recording.file(changed))).first == "file 1: line 2 names no digest of the line before it"
        )
    }

    // MARK: Further files

    /// The same run in two files.
    private func divided() throws -> (first: [UInt8], second: [UInt8]) {
        guard case .runStarted(let run) = recording.events[0].kind else { throw Missing() }
        let middle = recording.events.count / 2
        let continued = Event(
            connection: nil, monotonic: 9, wall: 0, kind: .runContinued(RunContinued(run: run, file: 2)))
        let first = Recording.lines(Array(recording.events[..<middle]))
        let second = Recording.lines(
            [continued] + recording.events[middle...], after: Digest.sha256(first[first.count - 1]))
        return (Recording.file(first), Recording.file(second))
    }

    private struct Missing: Error {}

    @Test func filesInTheirOrder() throws {
        let (first, second) = try divided()
        let checked = try Checked(first, second)
        #expect(checked.summary.failures == [])
        #expect(checked.summary.connections == 1)
        #expect(checked.summary.incomplete == 0)
        #expect(checked.summary.rows[.completeness]?.proven == 1)
    }

    @Test func filesInAnotherOrder() throws {
        let (first, second) = try divided()
        #expect(
            breaks(try Checked(second, first)).contains { $0.hasPrefix("file 2: line 1 says that it is the first") })
    }

    @Test func aFurtherFileAlone() throws {
        let (first, second) = try divided()
        let checked = try Checked(second)
        #expect(checked.failedKinds == [])
        let predecessor = first.split(separator: 0x0A).last.map { Hex.encode(Digest.sha256(Array($0))) } ?? ""
        #expect(
            checked.summary.rows[.lines]?.reasons.keys.contains {
                $0 == "the file before the first one is not here; its closing digest is \(predecessor)"
            } == true)
        #expect(checked.connections.map(\.incompleteness) == ["its first events are not in the file"])
        #expect(checked.summary.rows[.completeness]?.reasons == ["the run's first file is not here": 1])
    }

    @Test func aFileOfAnotherRun() throws {
        let (first, _) = try divided()
        let other = Event(
            connection: nil, monotonic: 9, wall: 0,
            kind: .runContinued(
                RunContinued(run: RunStarted(tool: "9", openssl: "", listeners: [], authorities: []), file: 2)))
        let digest = Digest.sha256(Array(first.split(separator: 0x0A).last ?? []))
        let checked = try Checked(first, Recording.file(Recording.lines([other], after: digest)))
        #expect(breaks(checked) == ["the file belongs to another run"])
    }

    // MARK: Hostile files

    /// More connections are begun than are kept, and none of them ends.
    @Test func openConnectionsAreBounded() throws {
        var check = TranscriptCheck(version: Recording.version) { _ in }
        // A run whose beginning is not here: its connections may have begun there.
        let run = RunStarted(tool: "0", openssl: "3", listeners: [], authorities: [])
        let beginning = Event.Kind.runContinued(RunContinued(run: run, file: 2))
        var text = Recording.file(
            Recording.lines([Event(connection: nil, monotonic: 0, wall: 0, kind: beginning)], after: Digest.sha256([])))
        let bytes = Base64.encode([UInt8](repeating: 0, count: 3000))
        for number in 1...200 {
            text += Array(
                (#"{"t":1,"time":"2026-03-01T14:02:07.123456Z","connection":\#(number),"event":"message","side":"client","#
                    + #""direction":"received","type":1,"name":"x","bytes":"\#(bytes)"}"# + "\n").utf8)
        }
        try check.read(TranscriptReader(bytes: text), name: "x")
        let summary = check.finish()
        #expect(summary.connections == 200)
        #expect(summary.incomplete == 200)
        #expect(summary.failed == 0)
    }
}

extension Checked {
    fileprivate var failedKinds: Set<Claim.Kind> { failed }
}
