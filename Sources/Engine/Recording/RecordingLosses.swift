internal import Synchronization

/// Counts what a file does not take, and has it told once when that begins and once when it is over.
final class RecordingLosses: Sendable {
    private struct Counts {
        var pending: UInt64 = 0
        var total: UInt64 = 0
    }

    private let counts = Mutex(Counts())
    private let onTrouble: @Sendable (RecordingTrouble) -> Void

    /// Names who is told.
    init(_ onTrouble: @escaping @Sendable (RecordingTrouble) -> Void) { self.onTrouble = onTrouble }

    /// Events that were lost since the file last took some.
    var pending: UInt64 { counts.withLock(\.pending) }
    /// All that were lost.
    var total: UInt64 { counts.withLock(\.total) }

    /// Notes that the disk did not take events.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - reason: The number of the error.
    func refuse(_ count: UInt64, errno reason: Int32) {
        let isFirst = counts.withLock { counts in
            defer {
                counts.pending += count
                counts.total += count
            }
            return counts.pending == 0
        }
        if isFirst { onTrouble(.refused(errno: reason)) }
    }

    /// Notes that the disk took what it was given.
    func recover() {
        let missing = counts.withLock { counts in
            defer { counts.pending = 0 }
            return counts.pending
        }
        if missing > 0 { onTrouble(.over(missing: missing)) }
    }

    /// Tells of something else.
    func tell(_ trouble: RecordingTrouble) { onTrouble(trouble) }
}
