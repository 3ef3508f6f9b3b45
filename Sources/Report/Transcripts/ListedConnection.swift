public import Transcript
public import Wire

/// A connection in a list of a transcript.
public struct ListedConnection: Sendable, Equatable {
    /// What its verdict rests on.
    public enum Evidence: String, Sendable, Equatable {
        /// All its events.
        case whole
        /// What was recorded when it ended, if anything was: some of its events may be missing.
        case eventsMissing
        /// Nothing yet: the transcript has no end of it.
        case notOver
    }

    /// What is known of it.
    public var line: ConnectionLine
    /// Whether the transcript has no end of it.
    public var isOpen: Bool

    /// Joins a connection with whether it is over.
    public init(_ line: ConnectionLine, isOpen: Bool = false) {
        self.line = line
        self.isOpen = isOpen
    }

    /// What its verdict rests on.
    public var evidence: Evidence { line.lacksEvents ? .eventsMissing : isOpen ? .notOver : .whole }

    /// What it showed, by name and in words; nil where that is not known.
    public var judgement: RecordedVerdict? { evidence == .notOver ? nil : line.judgement }

    /// Whether it is one of those that are asked for.
    ///
    /// - Parameters:
    ///   - host: The hosts that are; nil for all.
    ///   - verdicts: The names of verdicts that are; none for all.
    /// - Returns: Whether it is one of both.
    public func isSelected(host: HostPattern?, verdicts: [String]) -> Bool {
        if let host { guard let endpoint = line.endpoint, host.matches(endpoint) else { return false } }
        return verdicts.isEmpty || judgement.map { verdicts.contains($0.name) } == true
    }
}
