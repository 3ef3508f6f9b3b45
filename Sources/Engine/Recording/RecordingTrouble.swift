/// Why a file has gaps, as they come about.
package enum RecordingTrouble: Sendable, Equatable {
    /// The disk takes no more, for this reason; nothing is recorded until it does.
    case refused(errno: Int32)
    /// It takes events again; so many are missing.
    case over(missing: UInt64)
    /// Events came faster than they could be written; so many are missing.
    case tooSlow(missing: UInt64)
    /// The transcript cannot go on in this file, for this reason: it grows beyond its size where it is.
    case cannotGoOn(path: String, reason: String)
}
