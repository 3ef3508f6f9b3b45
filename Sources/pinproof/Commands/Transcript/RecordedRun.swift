internal import Transcript
internal import TranscriptFiles

/// The events of a run whose transcript is in one file or in several, one after the other.
struct RecordedRun {
    /// What the reader of the result has to know of the files.
    private(set) var remarks: [String] = []
    private var rest: ArraySlice<String>
    private var reader: (reader: TranscriptReader, path: String)?
    /// The number of the file that is read, as the run counts them.
    private var number: Int?
    private var isAtBeginning = false

    /// Takes the files in their order.
    init(_ paths: [String]) { rest = paths[...] }

    /// The next event; nil at the end of the last file.
    mutating func next() throws(CommandError) -> Event? {
        while true {
            if reader == nil {
                guard let path = rest.popFirst() else { return nil }
                do throws(TranscriptError) {
                    reader = (try TranscriptReader(path: path), path)
                } catch {
                    throw CommandError(error, path: path)
                }
                isAtBeginning = true
            }
            guard let (reader, path) = reader else { return nil }
            do throws(TranscriptError) {
                if let event = try reader.next() {
                    if isAtBeginning { try begin(with: event, path) }
                    isAtBeginning = false
                    return event
                }
            } catch {
                throw CommandError(error, path: path)
            }
            finish(reader, path)
            self.reader = nil
        }
    }

    /// Checks that a file goes on where the one before it ended.
    private mutating func begin(with event: Event, _ path: String) throws(TranscriptError) {
        let former = number
        number = if case .runContinued(let run) = event.kind { run.file } else { 1 }
        guard let former, let number else {
            if number != 1 { remarks.append("\(path): the run began in an earlier file, which is not given") }
            return
        }
        guard number > former else {
            throw TranscriptError(
                .wrongValue, line: 1, reason: "it does not follow the file before it: another run, or another order")
        }
        if number > former + 1 {
            remarks.append("\(path): \(number - former - 1) files of the run before it are not given")
        }
    }

    private mutating func finish(_ reader: TranscriptReader, _ path: String) {
        if let length = reader.truncatedLength {
            remarks.append("\(path): the last line is broken: \(length) octets are left out")
        }
        if reader.unknownEvents > 0 {
            remarks.append(
                "\(path): \(reader.unknownEvents) events of kinds that this version does not know are left out")
        }
    }
}
