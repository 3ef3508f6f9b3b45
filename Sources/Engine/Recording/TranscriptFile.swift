internal import Glibc
internal import Synchronization
package import Transcript

/// The transcript on disk: JSON Lines, written in whole lines, readable by its owner only.
// Sendable: only the recorder's thread for this consumer touches the state.
package final class TranscriptFile: EventConsumer, @unchecked Sendable {
    private let descriptor: Int32
    private let encoder = EventEncoder()
    private var lines: [UInt8] = []
    private var lost: UInt64 = 0
    private let lostInAll = Atomic<UInt64>(0)
    /// How many events the disk did not take.
    package var lostEvents: UInt64 { lostInAll.load(ordering: .relaxed) }
    /// The path that was opened.
    package let path: String

    /// Creates the file, with mode 0600; one that is there already is evidence, and left alone.
    ///
    /// - Parameter path: Where it goes.
    /// - Throws: `EngineError` if it is there or cannot be made.
    package init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw EngineError(
                    "the transcript \(path) is there already", hint: "move it away, or choose another name")
            }
            throw EngineError(
                "cannot write the transcript \(path): \(EngineError.text(errno))",
                hint: "name a file in a folder that exists and is yours with --transcript")
        }
        self.path = path
    }

    deinit { Glibc.close(descriptor) }

    package func consume(_ events: [Event]) {
        lines.removeAll(keepingCapacity: lines.capacity <= Self.kept)
        if lost > 0, var gap = events.first {
            gap.connection = nil
            gap.kind = .gap(lost: lost)
            encoder.encode(gap, into: &lines)
        }
        for event in events { encoder.encode(event, into: &lines) }
        if write() {
            lost = 0
        } else {
            lost += UInt64(events.count)
            lostInAll.add(UInt64(events.count), ordering: .relaxed)
        }
    }

    /// Writes the lines; false if the disk would not take them.
    private func write() -> Bool {
        lines.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                rest = rest.dropFirst(written)
            }
            return true
        }
    }

    private static let kept = 1 << 20
}
