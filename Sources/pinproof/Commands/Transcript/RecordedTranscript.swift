internal import Transcript
internal import TranscriptFiles

/// What is known of the end of a file.
struct TranscriptState {
    /// How many octets of a broken last line were left out; nil if it is whole.
    var truncatedLength: Int?
    /// How many events of unknown kinds were passed over.
    var unknownEvents: UInt64 = 0
}

/// The events of a file, with errors that name it.
final class RecordedTranscript {
    private let path: String
    private let reader: TranscriptReader

    /// Opens a file.
    init(path: String) throws(CommandError) {
        self.path = path
        do throws(TranscriptError) {
            reader = try TranscriptReader(path: path)
        } catch {
            throw CommandError(error, path: path)
        }
    }

    /// The next event; nil at the end.
    func next() throws(CommandError) -> Event? {
        do throws(TranscriptError) {
            return try reader.next()
        } catch {
            throw CommandError(error, path: path)
        }
    }

    /// What is known of its end so far.
    var state: TranscriptState {
        TranscriptState(truncatedLength: reader.truncatedLength, unknownEvents: reader.unknownEvents)
    }
}
