import Foundation
import Testing
import Transcript
import TranscriptFiles

/// Files: where they end, what they are, and what a newer version put into them.
@Suite struct TranscriptReaderTests {
    /// A small transcript.
    private let whole = Array((beginning + gap(1) + gap(2) + gap(3)).utf8)

    private func error(_ text: String, lineLimit: Int = TranscriptReader.lineLimit) -> TranscriptError? {
        do throws(TranscriptError) {
            _ = try Reading(Array(text.utf8), lineLimit: lineLimit)
            return nil
        } catch {
            return error
        }
    }

    private func lost(_ events: [Event]) -> [UInt64] {
        events.compactMap { event in
            if case .gap(let lost) = event.kind { lost } else { nil }
        }
    }

    /// Wherever a process is killed: what was written is read, and the rest of the last line is told.
    @Test func mayEndAnywhere() throws {
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        for length in (ends[0])...whole.count {
            let reading = try Reading(Array(whole[..<length]))
            // A line that only lacks its newline is whole.
            let lines = ends.count { $0 <= length }
            #expect(reading.events.count == lines)
            #expect(lost(reading.events) == Array([1, 2, 3].prefix(lines - 1)))
            let lineStart = (ends.last { $0 < length } ?? -1) + 1
            let isWhole = lineStart == length || ends.contains(length)
            #expect(reading.truncatedLength == (isWhole ? nil : length - lineStart))
        }
    }

    @Test(arguments: [
        Array("\0\0\0\0\0\0\0\0".utf8), Array(#"{"t":15"#.utf8) + [0, 0, 0], [0xFF, 0xFE], Array("{\"t\":15\n".utf8),
        Array("\0\0\0\n".utf8),
    ])
    func whatAPowerCutLeavesIsABrokenEnd(_ rest: [UInt8]) throws {
        let reader = TranscriptReader(bytes: whole + rest)
        let reading = try Reading(reader)
        #expect(reading.events.count == 4)
        #expect(reading.truncatedLength == rest.count { $0 != UInt8(ascii: "\n") })
        #expect(reader.truncatedLength != nil)
        #expect(try reader.next() == nil)
    }

    @Test func aBrokenLineInTheMiddleIsAnError() {
        #expect(
            error(beginning + gap(1) + "{\"t\":15\n" + gap(2))
                == TranscriptError(.brokenLine, line: 3, reason: "it is cut off"))
        #expect(error(beginning + gap(1) + "{\"t\":15\n" + gap(2))?.description == "line 3: it is cut off")
    }

    /// A last line that is JSON was not cut off, so it is no broken end.
    @Test(arguments: ["", "\n"])
    func aWrongLastLineIsAnError(_ end: String) {
        #expect(
            error(beginning + gap(1) + line(#""event":"gap""#) + end)
                == TranscriptError(.wrongValue, line: 3, path: "gap.lost", reason: "it is missing"))
    }

    @Test func nothingFollowsAnError() throws {
        let reader = TranscriptReader(bytes: Array((beginning + "[]\n" + gap(1)).utf8))
        #expect(try reader.next() != nil)
        #expect(throws: TranscriptError.self) { try reader.next() }
        #expect(try reader.next() == nil)
    }

    @Test func whatIsNotKnownIsPassedOver() throws {
        let text =
            beginning + line(#""event":"pushed","how":{"deep":[1,2,{"x":null}]},"n":-1.5e-7"#) + "\n"
            + line(#""new":[],"event":"gap","lost":4,"more":{"lost":5}"#) + "\n"
            + line(#""event":"ended","side":"client","end":{"how":"fin","why":"x"},"phase":"relay""#) + "\n"
        let reading = try Reading(Array(text.utf8))
        #expect(reading.unknownEvents == 1)
        #expect(lost(reading.events) == [4])
        #expect(reading.events.last?.kind == .ended(.client, .fin, .relay))
    }

    /// Members may come in any order with any blanks; other programs write them so.
    @Test func theFormOfALineIsFree() throws {
        let text =
            "\n" + beginning
            + "\r\n \t{ \"lost\" : 7 ,\"event\":\"\\u0067ap\",\r\"connection\": null , \"time\":\"2026-03-01T14:02:07.123456Z\", \"t\":0}\r\n\n"
        #expect(throws: TranscriptError.self) { try Reading(Array(("\r" + text).utf8)) }
        let reading = try Reading(Array(text.replacing("\n\r\n", with: "\n").utf8))
        #expect(lost(reading.events) == [7])
        let opened = line(#""event":"opened","client":"\u0041\u00e9\ud83d\ude00\/\b\f","listener":"é😀""#)
        #expect(
            try Reading(Array((beginning + opened).utf8)).events.last?.kind
                == .opened(client: "Aé😀/\u{8}\u{C}", listener: "é😀"))
    }

    @Test func anotherVersionIsAnErrorThatNamesIt() {
        let next = beginning.replacing(#""formatVersion":1"#, with: #""formatVersion":2"#)
            .replacing("tool", with: "program")
        #expect(
            error(next)
                == TranscriptError(
                    .unknownVersion, line: 1, reason: "version 2 of the format is not known here, only 1"))
    }

    @Test(arguments: [
        "", "\n", "hello", "\u{FEFF}{}", "%PDF-1.7\n", #"{"t":0"#, "{}\n", "[]", gap(1), #"{"event":"runStarted"}"#,
        line(#""event":"startedRun""#), "\0\0\0\0",
    ])
    func anotherFileIsNoTranscript(_ text: String) {
        #expect(error(text)?.code == .notATranscript, "\(text)")
        #expect(error(text + "\n" + beginning)?.code == (text.isEmpty || text == "\n" ? nil : .notATranscript))
    }

    @Test func aBeginningThatIsWrongSaysWhatIs() {
        let text = beginning.replacing(#""openssl":"OpenSSL 3.0.22""#, with: #""openssl":null"#)
        #expect(
            error(text)
                == TranscriptError(.wrongValue, line: 1, path: "runStarted.openssl", reason: "a string is expected"))
        #expect(error(beginning.replacing(#""openssl":"OpenSSL 3.0.22","#, with: ""))?.path == "runStarted.openssl")
    }

    /// What is younger than the format is not in transcripts that are older.
    @Test func aBeginningMayLackWhatIsYoungerThanTheFormat() throws {
        let older = beginning.replacing(#","rotatesPhases":false"#, with: "").replacing(#","label":null"#, with: "")
        #expect(older != beginning)
        #expect(try Reading(Array(older.utf8)).events == Reading(Array(beginning.utf8)).events)
    }

    @Test func recordsOfTheLiveViewAreToldApart() {
        #expect(
            error(#"{"record":"run","connections":5}"#)?.description
                == "line 1: this is a record of --json, and what --transcript writes is needed")
        #expect(error("")?.description == "it is empty")
        #expect(error("x")?.description == "line 1: a transcript begins with the event runStarted or runContinued")
    }

    @Test func twoTranscriptsInOneFileAreAnError() {
        #expect(
            error(beginning + gap(1) + beginning)?.description
                == "line 3: a second run begins: these are two transcripts in one file")
    }

    @Test func aLineHasALimit() throws {
        let long = line(#""event":"gap","lost":1,"new":""# + String(repeating: "x", count: 10 << 20) + "\"")
        #expect(
            error(beginning + long + "\n" + gap(2))?.description == "line 2: the line is longer than 8388608 octets")
        let length = gap(1).utf8.count - 1
        let text = beginning.replacing(
            #""tool":"0.1.0","openssl":"OpenSSL 3.0.22","#, with: #""tool":"","openssl":"","#)
        #expect(error(text + gap(1), lineLimit: text.utf8.count - 1) == nil)
        #expect(error(text + gap(1), lineLimit: text.utf8.count - 2)?.code == .lineTooLong)
        #expect(length < text.utf8.count)
    }

    @Test func filesAreReadPieceByPiece() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinproof-reader-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Lines that cross the ends of pieces, and one of several pieces.
        var text = beginning
        for number in 1...20_000 { text += gap(number) }
        text += line(#""event":"gap","lost":20001,"new":""# + String(repeating: "x", count: 1 << 20) + "\"") + "\n"
        text += #"{"t":15"#
        let file = folder.appending(path: "run.jsonl")
        try Data(text.utf8).write(to: file)
        let reading = try Reading(try TranscriptReader(path: file.path))
        #expect(lost(reading.events) == Array(1...20_001))
        #expect(reading.truncatedLength == 7)
        #expect(throws: TranscriptError(.unreadable, reason: "Is a directory")) {
            try Reading(try TranscriptReader(path: folder.path))
        }
        #expect(throws: TranscriptError(.unreadable, reason: "No such file or directory")) {
            try TranscriptReader(path: folder.appending(path: "none").path)
        }
    }

    /// Times from the calendar: GNU date's answers.
    @Test(arguments: [
        ("1970-01-01T00:00:00.000000Z", 0), ("1969-12-31T23:59:59.999999Z", -1),
        ("2000-02-29T12:00:00.000001Z", 951_825_600_000_001), ("2026-03-01T14:02:07.123456Z", 1_772_373_727_123_456),
        ("2100-02-28T23:59:59.000000Z", 4_107_542_399_000_000), ("2100-03-01T00:00:00.000000Z", 4_107_542_400_000_000),
        ("0000-01-01T00:00:00.000000Z", -62_167_219_200_000_000),
        ("0000-02-29T00:00:00.000000Z", -62_162_121_600_000_000),
        ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ])
    func timesAreThoseOfTheCalendar(_ time: String, _ microseconds: Int64) throws {
        let text = gap(1).replacing("2026-03-01T14:02:07.123456Z", with: time)
        #expect(try Reading(Array((beginning + text).utf8)).events.last?.wall == microseconds)
    }

    /// The beginnings of what gzip, zstd, xz and bzip2 write.
    @Test(
        arguments: [
            ([0x1F, 0x8B, 8, 0, 0, 0], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD, 4], "zstd"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0], "xz"), ([0x42, 0x5A, 0x68, 0x39], "bzip2"),
        ] as [([UInt8], String)])
    func aCompressedFileIsKnown(_ bytes: [UInt8], _ format: String) {
        #expect(throws: TranscriptError(.compressed, reason: "it is compressed with \(format)")) {
            try TranscriptReader(bytes: bytes + Array("\n".utf8)).next()
        }
    }
}
