internal import Engine
internal import Transcript
internal import TranscriptFiles

/// The lines of a run whose transcript is in one file or in several, one after the other.
struct RecordedRun {
    /// What the reader of the result has to know of the files.
    private(set) var remarks: [String] = []
    /// What is known of the end so far.
    private(set) var state = TranscriptState()
    /// The files that are still to be read.
    private var rest: ArraySlice<String>
    /// The first file, if further ones of the run are looked for beside it.
    private let first: String?
    private var reader: (reader: TranscriptReader, path: String)?
    /// The number of the file that is read, as the run counts them; nil before the first.
    private var number: Int?
    private var isAtBeginning = false
    private var hasEnded = false

    /// Takes the files in their order.
    init(_ paths: [String]) {
        rest = paths[...]
        first = nil
    }

    /// Takes a file, and where the run goes on in further ones, as `run.2.jsonl` after `run.jsonl`, those too.
    init(from path: String) {
        rest = [path]
        first = path
    }

    /// The next event; nil at the end of the last file.
    mutating func next() throws(CommandError) -> Event? {
        while let line = try nextLine() {
            if let event = line.event { return event }
        }
        return nil
    }

    /// The next line; nil at the end of the last file.
    mutating func nextLine() throws(CommandError) -> TranscriptLine? {
        while true {
            if reader == nil { try open() }
            guard let (reader, path) = reader else { return nil }
            do throws(TranscriptError) {
                if let line = try reader.nextLine() {
                    if isAtBeginning, try !begin(with: line, path) {
                        self.reader = nil
                        return nil
                    }
                    isAtBeginning = false
                    if case .runEnded = line.event?.kind { hasEnded = true }
                    return line
                }
            } catch {
                throw CommandError(error, path: path)
            }
            finish(reader, path)
            self.reader = nil
        }
    }

    private mutating func open() throws(CommandError) {
        if rest.isEmpty, let first, !hasEnded, let number {
            let path = TranscriptRotation.path(first, number: number + 1)
            if Files.exists(path) { rest = [path] }
        }
        guard let path = rest.popFirst() else { return }
        do throws(TranscriptError) {
            reader = (try TranscriptReader(path: path), path)
        } catch {
            throw CommandError(error, path: path)
        }
        isAtBeginning = true
    }

    /// Checks that a file goes on where the one before it ended.
    ///
    /// - Returns: Whether it is to be read: one that was only found beside another may be of another run.
    private mutating func begin(with line: TranscriptLine, _ path: String) throws(TranscriptError) -> Bool {
        let former = number
        let current = if case .runContinued(let run) = line.event?.kind { run.file } else { 1 }
        guard let former else {
            number = current
            if current != 1 { remarks.append("\(path): the run began in an earlier file, which is not given") }
            return true
        }
        if first != nil, current != former + 1 { return false }
        number = current
        guard current > former else {
            throw TranscriptError(
                .wrongValue, line: 1, reason: "it does not follow the file before it: another run, or another order")
        }
        if current > former + 1 {
            remarks.append("\(path): \(current - former - 1) files of the run before it are not given")
        }
        return true
    }

    private mutating func finish(_ reader: TranscriptReader, _ path: String) {
        state.truncatedLength = reader.truncatedLength
        state.unknownEvents += reader.unknownEvents
        if let length = reader.truncatedLength {
            remarks.append("\(path): the last line is broken: \(length) octets are left out")
        }
        if reader.unknownEvents > 0 {
            remarks.append(
                "\(path): \(reader.unknownEvents) events of kinds that this version does not know are left out")
        }
    }
}

/// What is known of the end of a transcript.
struct TranscriptState {
    /// How many octets of a broken last line were left out; nil if it is whole.
    var truncatedLength: Int?
    /// How many events of unknown kinds were passed over.
    var unknownEvents: UInt64 = 0
}
