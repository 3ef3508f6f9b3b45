internal import Glibc
internal import Synchronization
package import Transcript

/// The transcript on disk: JSON Lines, whole lines only, readable by its owner only.
// Sendable: only the recorder's thread for this consumer touches the state.
package final class TranscriptFile: EventConsumer, @unchecked Sendable {
    private let descriptor: Int32
    private let encoder = EventEncoder()
    private var lines: [UInt8] = []
    /// Events that the disk would not take and no gap tells of yet.
    private var lost: UInt64 = 0
    private let lostInAll = Atomic<UInt64>(0)
    /// The length of the file in whole lines.
    private var length = 0
    /// How many events the disk did not take.
    package var lostEvents: UInt64 { lostInAll.load(ordering: .relaxed) }
    /// The path that was opened.
    package let path: String

    /// Creates the file, with mode 0600; what is there already, a file or not, is left alone.
    ///
    /// - Parameter path: Where it goes.
    /// - Throws: `EngineError` if something is there, or it cannot be made.
    package init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw EngineError(
                    "cannot write the transcript \(path): it is there already, and may be evidence",
                    hint: "move it away, or choose another name")
            }
            throw EngineError(
                "cannot write the transcript \(path): \(EngineError.text(errno))",
                hint: "name a file in a folder that exists and is yours with --transcript")
        }
        self.path = path
    }

    deinit { Glibc.close(descriptor) }

    package func consume(_ events: [Event]) {
        var rest = events[...]
        while let next = rest.first {
            lines.removeAll(keepingCapacity: lines.capacity <= 2 * Self.piece)
            if lost > 0 {
                var gap = next
                gap.connection = nil
                gap.kind = .gap(lost: lost)
                encoder.encode(gap, into: &lines)
            }
            let before = rest.count
            while let event = rest.first, lines.count < Self.piece {
                encoder.encode(event, into: &lines)
                rest = rest.dropFirst()
            }
            if write() {
                lost = 0
            } else {
                lost += UInt64(before - rest.count)
                lostInAll.add(UInt64(before - rest.count), ordering: .relaxed)
            }
        }
    }

    /// Writes the lines, all or none; false if the disk would not take them.
    private func write() -> Bool {
        let isWritten = lines.withUnsafeBytes { bytes in
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
        if isWritten {
            length += lines.count
        } else {
            // Half a line would spoil the next one too.
            ftruncate(descriptor, length)
            lseek(descriptor, length, SEEK_SET)
        }
        return isWritten
    }

    /// What is encoded before it is written.
    private static let piece = 1 << 20
}
