internal import Transcript
internal import TranscriptFiles

/// The lines of a run whose transcript is in one file or in several, one after the other.
struct RecordedRun {
    /// What the reader of the result has to know of the files.
    private(set) var remarks: [String] = []
    /// What is known of the end so far.
    private(set) var state = TranscriptState()
    /// The files that were read so far.
    private(set) var paths: [String] = []
    /// The files that are still to be read.
    private var rest: ArraySlice<String>
    /// Whether further files of the run are looked for.
    private let goesOn: Bool
    private var files: RunFiles?
    private var reader: (reader: TranscriptReader, path: String)?
    /// The number of the file that is read, as the run counts them; nil before the first.
    private var number: Int?
    private var isAtBeginning = false
    private var hasEnded = false
    /// What follows the digests of the lines, if that is wanted.
    private var order: LineOrder?

    /// Takes the files in their order.
    init(_ paths: [String]) {
        rest = paths[...]
        goesOn = false
    }

    /// Takes a file, and where the run goes on in further ones, as `run.2.jsonl` after `run.jsonl`, those too.
    ///
    /// - Parameters:
    ///   - path: The file, or `-` for standard input.
    ///   - followsDigests: Whether to find out if each line follows the one before it.
    init(from path: String, followsDigests: Bool = false) {
        rest = [path]
        goesOn = path != TranscriptInput.standard
        if followsDigests { order = LineOrder() }
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
                    if isAtBeginning { try begin(with: line, path) }
                    isAtBeginning = false
                    order?.add(line, path: path)
                    state.brokenOrder = order?.fault
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
        if rest.isEmpty, goesOn, !hasEnded, let number, let following = files?.next(after: number) {
            rest = [following.path]
        }
        guard let path = rest.popFirst() else { return }
        reader = (try TranscriptInput.open(path), path)
        paths.append(path)
        isAtBeginning = true
    }

    /// Checks that a file goes on where the one before it ended.
    private mutating func begin(with line: TranscriptLine, _ path: String) throws(TranscriptError) {
        let former = number
        let current = if case .runContinued(let run) = line.event?.kind { run.file } else { 1 }
        number = current
        guard let former else {
            if goesOn, let event = line.event { files = RunFiles(path: path, beginning: event) }
            if current != 1 { remarks.append("\(path): the run began in an earlier file, which is not given") }
            return
        }
        guard current > former else {
            throw TranscriptError(
                .wrongValue, line: 1, reason: "it does not follow the file before it: another run, or another order")
        }
        if current > former &+ 1 {
            order?.skip()
            remarks.append("\(path): " + MissingFiles.words(after: former, before: current))
        }
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
    /// Where a line does not follow the one before it; nil if all do, as far as they say.
    var brokenOrder: String?
}

/// What is said of files of a run that are missing between two others.
enum MissingFiles {
    /// Which files are missing.
    ///
    /// - Parameters:
    ///   - former: The file before them.
    ///   - current: The file after them.
    /// - Returns: A phrase without an end.
    static func words(after former: Int, before current: Int) -> String {
        let (first, last) = (former + 1, current - 1)
        return first == last
            ? "file \(first) of the run, which comes before it, is not there or not given"
            : "files \(first) to \(last) of the run, which come before it, are not there or not given"
    }
}
