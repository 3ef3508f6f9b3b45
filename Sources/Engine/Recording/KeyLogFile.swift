internal import Synchronization
package import Transcript

/// The secrets of all sessions on disk as they come to be, a line each, for programs that decrypt while it is written.
// Sendable: only the recorder's thread for this consumer touches the file.
package final class KeyLogFile: EventConsumer, @unchecked Sendable {
    private let file: RecordingFile
    private let lost = Atomic<UInt64>(0)
    /// How many secrets the disk did not take.
    package var lostEvents: UInt64 { lost.load(ordering: .relaxed) }
    /// The path that was opened.
    package let path: String

    /// Creates the file, with mode 0600; what is there already, a file or not, is left alone.
    ///
    /// - Parameter path: Where it goes.
    /// - Throws: `EngineError` if something is there, or it cannot be made.
    package init(path: String) throws(EngineError) {
        file = try RecordingFile(path: path, what: "the key log", option: "--keylog")
        self.path = path
    }

    package func consume(_ events: [Event]) {
        var lines: [UInt8] = []
        var count: UInt64 = 0
        for event in events {
            if case .secret(_, let secret) = event.kind, secret.appendKeyLogLine(to: &lines) { count += 1 }
        }
        if !lines.isEmpty, !file.append(lines) { lost.add(count, ordering: .relaxed) }
    }
}
