internal import Glibc
internal import Transcript
internal import TranscriptFiles

/// The events of a run that is being recorded, file by file, as they are written.
///
/// A line that is not whole yet is waited for. Where a later file of the run is there (`run.2.jsonl` beside `run.jsonl`),
/// reading goes on there once the current one is read: with the oldest that is left, if `--transcript-keep` has deleted
/// some of those between.
final class FollowedTranscript {
    private let isInterrupted: () -> Bool
    private let warn: (String) throws(CommandError) -> Void
    private var path: String
    private var files: RunFiles?
    /// The number of the file that is read, as the run counts them.
    private var number = 1
    private var reader: TranscriptReader?
    private var unknownEvents: UInt64 = 0
    private var order = LineOrder()
    private var isOver = false

    /// How long nothing is done where nothing has come.
    private static let pause: Int32 = 250

    /// Names the first file; it has to be there once the first event is asked for.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - warn: Told what the reader of the events has to know of the files.
    ///   - isInterrupted: Whether to wait no longer.
    init(
        path: String, warn: @escaping (String) throws(CommandError) -> Void, isInterrupted: @escaping () -> Bool
    ) {
        self.path = path
        self.warn = warn
        self.isInterrupted = isInterrupted
    }

    /// The next event, as soon as it is there; nil once the run is over, or waiting was interrupted.
    func next() throws(CommandError) -> Event? {
        while !isOver {
            if reader == nil { try open() }
            if let event = try nextInFile() { return event }
            guard !isInterrupted(), try goOn() else { break }
        }
        isOver = true
        return nil
    }

    /// What is known of the end so far.
    var state: TranscriptState {
        TranscriptState(
            truncatedLength: reader?.truncatedLength, unknownEvents: unknownEvents &+ (reader?.unknownEvents ?? 0),
            brokenOrder: order.fault)
    }

    private func nextInFile() throws(CommandError) -> Event? {
        do throws(TranscriptError) {
            while let line = try reader?.nextLine() {
                order.add(line, path: path)
                guard let event = line.event else { continue }
                note(event)
                return event
            }
            return nil
        } catch {
            throw CommandError(error, path: path)
        }
    }

    private func note(_ event: Event) {
        switch event.kind {
        case .runStarted, .runContinued:
            if case .runContinued(let continued) = event.kind { number = continued.file }
            files = files ?? RunFiles(path: path, beginning: event)
        case .runEnded: isOver = true
        default: break
        }
    }

    /// Opens the next file that is there; false if none is.
    private func goOn() throws(CommandError) -> Bool {
        // One that was there may be gone by the time that it is opened.
        while let following = files?.next(after: number) {
            let ended = reader
            path = following.path
            do throws(CommandError) {
                try open()
            } catch {
                if Files.exists(path) { throw error }
                continue
            }
            unknownEvents &+= ended?.unknownEvents ?? 0
            if following.number > number &+ 1 {
                order.skip()
                try warn("\(path): " + MissingFiles.words(after: number, before: following.number))
            }
            number = following.number
            return true
        }
        return false
    }

    private func open() throws(CommandError) {
        do throws(TranscriptError) {
            let file = try GrowingFile(path)
            reader = TranscriptReader { [unowned self] () throws(TranscriptError) in try next(of: file) }
        } catch {
            throw TranscriptInput.complaint(error, path)
        }
    }

    /// The next piece of the current file, once there is one; nothing if none will come.
    private func next(of file: GrowingFile) throws(TranscriptError) -> [UInt8] {
        while true {
            let piece = try file.read()
            guard piece.isEmpty else { return piece }
            // What was written before a later file began is read before that is gone on to.
            if files?.next(after: number) != nil || isInterrupted() { return try file.read() }
            _ = poll(nil, 0, Self.pause)
        }
    }
}

/// A file that may have more every time its end was reached.
private final class GrowingFile {
    private let descriptor: Int32

    init(_ path: String) throws(TranscriptError) {
        descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable }
    }

    deinit { close(descriptor) }

    /// The next piece; nothing if there is none yet.
    func read() throws(TranscriptError) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count >= 0 { return Array(block[..<count]) }
            if errno != EINTR { throw Self.unreadable }
        }
    }

    private static var unreadable: TranscriptError { TranscriptError(.unreadable, reason: SystemCall.failure) }
}
