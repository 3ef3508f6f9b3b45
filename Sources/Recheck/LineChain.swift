internal import Crypto
internal import Transcript
package import TranscriptFiles
internal import Wire

/// Follows the digests from line to line, over all files of a run.
package struct LineChain: Sendable {
    /// The digest of the line that was taken last; nil before the first one.
    private(set) var closing: [UInt8]?
    /// How many lines named the line before them rightly.
    private(set) var links: UInt64 = 0
    /// How many name none, as older versions wrote them.
    private(set) var loose: UInt64 = 0
    /// What comes before the first line and is not here, as its digest.
    private(set) var predecessor: [UInt8]?

    /// Starts before the first line.
    package init() {}

    /// Takes the next line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - place: Where the line is, for people.
    ///   - before: Where the line before it is.
    /// - Returns: How the chain breaks between the two; nil if it does not.
    package mutating func add(_ line: TranscriptLine, place: String, after before: String?) -> String? {
        defer { closing = Digest.sha256(line.bytes) }
        switch (line.previous, closing) {
        case (.absent, _):
            loose += 1
            return nil
        case (.malformed, _): return "\(place) names no digest of the line before it"
        case (.none, nil): return nil
        case (.none, _?): return "\(place) says that it is the first, and \(before ?? "a line") stands before it"
        case (.digest(let digest), nil):
            guard case .runContinued = line.event?.kind else {
                return "\(place) follows a line that is not here (\(Hex.encode(digest).prefix(16))…)"
            }
            predecessor = digest
            return nil
        case (.digest(let digest), let last?):
            guard digest == last else {
                return "\(place) does not follow \(before ?? "the line before it"), or that was changed"
            }
            links += 1
            return nil
        }
    }
}
