internal import Engine
internal import Glibc
internal import Transcript
internal import TranscriptFiles

/// The events of a run that is being recorded, file by file, as they are written.
///
/// A line that is not whole yet is waited for. Where a file ends and `run.2.jsonl` is there beside `run.jsonl`, reading
/// goes on there.
final class FollowedTranscript {
    private let isInterrupted: () -> Bool
    private var path: String
    private let first: String
    private var number = 1
    private var reader: TranscriptReader?
    private var unknownEvents: UInt64 = 0
    private var isOver = false

    /// How long nothing is done where nothing has come.
    private static let pause: Int32 = 250

    /// Names the first file; it has to be there once the first event is asked for.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isInterrupted: Whether to wait no longer.
    init(path: String, isInterrupted: @escaping () -> Bool) {
        self.path = path
        first = path
        self.isInterrupted = isInterrupted
    }

    /// The next event, as soon as it is there; nil once the run is over, or waiting was interrupted.
    func next() throws(CommandError) -> Event? {
        while !isOver {
            do throws(TranscriptError) {
                let reader = if let current = self.reader { current } else { try open() }
                if let event = try reader.next() {
                    if case .runEnded = event.kind { isOver = true }
                    return event
                }
                unknownEvents += reader.unknownEvents
            } catch {
                throw CommandError(error, path: path)
            }
            // The file is over: the next one follows, if it is there.
            let following = TranscriptRotation.path(first, number: number + 1)
            guard !isInterrupted(), Files.exists(following) else { break }
            number += 1
            path = following
            reader = nil
        }
        isOver = true
        return nil
    }

    /// What is known of the end so far.
    var state: TranscriptState {
        TranscriptState(truncatedLength: reader?.truncatedLength, unknownEvents: unknownEvents)
    }

    private func open() throws(TranscriptError) -> TranscriptReader {
        let following = TranscriptRotation.path(first, number: number + 1)
        let stops = isInterrupted
        let file = try GrowingFile(path)
        let opened = TranscriptReader { () throws(TranscriptError) in
            while true {
                // Asked before reading: what was written before the next file began is read first.
                let isComplete = Files.exists(following) || stops()
                let piece = try file.read()
                if !piece.isEmpty || isComplete { return piece }
                _ = poll(nil, 0, Self.pause)
            }
        }
        reader = opened
        return opened
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
