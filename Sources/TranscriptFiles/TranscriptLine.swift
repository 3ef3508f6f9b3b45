public import Transcript

/// A line of a transcript, with all that is needed to follow the digests from line to line.
public struct TranscriptLine: Sendable, Equatable {
    /// What a line says of the one before it.
    public enum Previous: Sendable, Equatable {
        /// Nothing: it was written by a version that does not.
        case absent
        /// There is none before it in the run.
        case none
        /// Its digest, 32 octets.
        case digest([UInt8])
        /// Something that is no digest.
        case malformed
    }

    /// The number of the line in its file, counted from 1.
    public let number: Int
    /// The line without its newline.
    public let bytes: [UInt8]
    /// What it holds; nil if this version does not know such events.
    public let event: Event?
    /// What it says of the line before it.
    public let previous: Previous
}
