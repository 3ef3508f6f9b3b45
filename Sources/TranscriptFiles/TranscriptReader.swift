public import Transcript

/// Reads the events of a transcript, one after the other.
///
/// What `docs/events.md` promises to readers is kept here: events and fields that are not known are passed over, and a
/// broken last line, which a killed process or a power cut leaves behind, ends the transcript and is reported. Everything
/// else that is wrong is an error with the line and the field; nothing follows it. Not more than one line and a piece of
/// the file are in memory. A reader is used by one thread at a time.
public final class TranscriptReader {
    /// How long a line may be.
    ///
    /// The longest that is written has the target of a client's request: as much as `--max-greeting` allows, 1 MiB, each
    /// octet as an escape of six.
    public static let lineLimit = 8 << 20

    /// How many events of unknown kinds were passed over so far.
    public private(set) var unknownEvents: UInt64 = 0
    /// How many blank lines were passed over; nobody who records writes any.
    public private(set) var blankLines: UInt64 = 0
    /// How many octets of a broken last line were left out; nil if the last line is whole, or not reached yet.
    public private(set) var truncatedLength: Int?

    private var lines: LineSource
    private var hasBegun = false
    private var isOver = false

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - lineLimit: How many octets a line may have.
    /// - Throws: `TranscriptError` if it cannot be opened.
    public init(path: String, lineLimit: Int = lineLimit) throws(TranscriptError) {
        let file = try InputFile(path)
        lines = LineSource(limit: lineLimit, read: file.read)
    }

    /// Reads what is in memory.
    ///
    /// - Parameters:
    ///   - bytes: The transcript.
    ///   - lineLimit: How many octets a line may have.
    public init(bytes: [UInt8], lineLimit: Int = lineLimit) {
        var rest = bytes
        lines = LineSource(limit: lineLimit) { () throws(TranscriptError) in
            defer { rest = [] }
            return rest
        }
    }

    /// Reads a stream.
    ///
    /// - Parameters:
    ///   - lineLimit: How many octets a line may have.
    ///   - read: Returns the next piece of it; nothing at its end.
    public init(lineLimit: Int = lineLimit, read: @escaping () throws(TranscriptError) -> [UInt8]) {
        lines = LineSource(limit: lineLimit, read: read)
    }

    /// The next event; nil at the end.
    ///
    /// - Throws: `TranscriptError` if what follows is none; after that there is nothing more.
    public func next() throws(TranscriptError) -> Event? {
        while let line = try nextLine() {
            if let event = line.event { return event }
        }
        return nil
    }

    /// The next line that is not empty, whether its event is known or not; nil at the end.
    ///
    /// - Throws: `TranscriptError` if what follows is no line of a transcript; after that there is nothing more.
    public func nextLine() throws(TranscriptError) -> TranscriptLine? {
        do throws(TranscriptError) {
            while !isOver, let line = try lines.next() {
                if let read = try read(line) { return read }
            }
            guard hasBegun || isOver else {
                throw TranscriptError(.notATranscript, reason: "it is empty")
            }
        } catch {
            isOver = true
            throw error
        }
        isOver = true
        return nil
    }

    /// Reads a line; nil if it is empty, or the broken end.
    private func read(_ line: LineSource.Line) throws(TranscriptError) -> TranscriptLine? {
        if line.bytes.isEmpty {
            blankLines += 1
            return nil
        }
        if lines.number == 1, let format = CompressedFormat(of: line.bytes) {
            throw TranscriptError(.compressed, reason: "it is compressed with \(format.rawValue)")
        }
        let decoded: EventDecoder.Line
        do throws(LineFault) {
            decoded = try EventDecoder.decode(line.bytes)
        } catch {
            try end(at: line, error)
            return nil
        }
        switch decoded.event?.kind {
        case .runStarted where hasBegun:
            throw TranscriptError(
                .wrongValue, line: lines.number, reason: "a second run begins: these are two transcripts in one file")
        // Further files of a run may be read alone, or joined to those before them.
        case .runStarted, .runContinued: hasBegun = true
        case nil, .some:
            guard hasBegun else { throw Self.noBeginning(lines.number) }
        }
        if decoded.event == nil { unknownEvents += 1 }
        return TranscriptLine(
            number: lines.number, bytes: line.bytes, event: decoded.event, previous: decoded.previous)
    }

    /// Ends the transcript at a broken last line; any other fault is an error.
    private func end(at line: LineSource.Line, _ fault: LineFault) throws(TranscriptError) {
        if fault.kind == .version {
            throw TranscriptError(.unknownVersion, line: lines.number, reason: fault.reason)
        }
        let isBeginning = ["runStarted.", "runContinued."].contains { fault.path?.hasPrefix($0) ?? false }
        guard hasBegun || isBeginning else {
            let isRecord = (try? JSONFields(line: line.bytes).has("record")) ?? false
            throw Self.noBeginning(lines.number, isRecord: isRecord)
        }
        guard fault.kind == .syntax else {
            throw TranscriptError(.wrongValue, line: lines.number, path: fault.path, reason: fault.reason)
        }
        let isLast = line.isTerminated ? try lines.isAtEnd() : true
        guard isLast else { throw TranscriptError(.brokenLine, line: lines.number, reason: fault.reason) }
        truncatedLength = line.bytes.count
        isOver = true
    }

    /// What is said of a file that does not begin with the beginning of a run.
    private static func noBeginning(_ line: Int, isRecord: Bool = false) -> TranscriptError {
        TranscriptError(
            .notATranscript, line: line,
            reason: isRecord
                ? "this is a record of --json, and what --transcript writes is needed"
                : "a transcript begins with the event runStarted or runContinued")
    }
}
