internal import Glibc
package import Transcript

/// The secrets of all sessions on disk as they come to be, a line each, for programs that decrypt while it is written.
// Sendable: only the recorder's thread for this consumer touches the file.
package final class KeyLogFile: EventConsumer, @unchecked Sendable {
    private let file: RecordingFile
    private let losses: RecordingLosses
    /// How many secrets the disk did not take.
    package var lostEvents: UInt64 { losses.total }
    /// The path that was opened.
    package let path: String

    /// Creates the file, with mode 0600; what is there already, a file or not, is left alone.
    ///
    /// A file that never gets an event is removed again.
    ///
    /// - Parameters:
    ///   - path: Where it goes.
    ///   - onTrouble: Told when something is lost, and when that is over; on the recorder's thread.
    /// - Throws: `EngineError` if something is there, or it cannot be made.
    package init(
        path: String, onTrouble: @escaping @Sendable (RecordingTrouble) -> Void = { _ in }
    ) throws(EngineError) {
        file = try RecordingFile(path: path, what: "the key log", option: "--keylog")
        self.path = path
        losses = RecordingLosses(onTrouble)
    }

    package func consume(_ events: [Event]) {
        file.isBegun = true
        var lines: [UInt8] = []
        var count: UInt64 = 0
        for event in events {
            switch event.kind {
            case .secret(_, let secret): if secret.appendKeyLogLine(to: &lines) { count += 1 }
            case .gap(let missing): losses.tell(.tooSlow(missing: missing))
            default: break
            }
        }
        guard !lines.isEmpty else { return }
        if file.append(lines) { losses.recover() } else { losses.refuse(count, errno: errno) }
    }
}
