public import Transcript
public import Wire

/// A connection in a list of a transcript.
public struct ListedConnection: Sendable, Equatable {
    /// What is known of it.
    public var line: ConnectionLine
    /// Whether the transcript has no end of it.
    public var isOpen: Bool

    /// Joins a connection with whether it is over.
    public init(_ line: ConnectionLine, isOpen: Bool = false) {
        self.line = line
        self.isOpen = isOpen
    }

    /// Whether it is one of those that are asked for.
    ///
    /// - Parameters:
    ///   - host: The hosts that are; nil for all.
    ///   - verdicts: The names of verdicts that are; none for all.
    /// - Returns: Whether it is one of both.
    public func isSelected(host: HostPattern?, verdicts: [String]) -> Bool {
        if let host { guard let endpoint = line.endpoint, host.matches(endpoint) else { return false } }
        return verdicts.isEmpty || line.verdict.map { verdicts.contains($0.name) } == true
    }
}
