/// Tells where events are missing between those that are there.
///
/// What is missing may be of any connection that is open then: the events that say so have none.
public struct MissingEvents: Sendable {
    /// The file of the run that is read; nil before its first line.
    private var file: Int?
    /// How often events were missing so far.
    public private(set) var places: UInt64 = 0

    /// Starts before the first event.
    public init() {}

    /// Takes the next event into account.
    ///
    /// - Parameter event: What happened.
    /// - Returns: Whether events are missing before it: it says so itself, or begins a file that does not follow.
    @discardableResult
    public mutating func add(_ event: Event) -> Bool {
        let isMissing: Bool
        switch event.kind {
        case .gap: isMissing = true
        case .runContinued(let continued):
            isMissing = file.map { continued.file != $0 &+ 1 } ?? false
            file = continued.file
        case .runStarted:
            file = 1
            isMissing = false
        default: isMissing = false
        }
        if isMissing { places &+= 1 }
        return isMissing
    }
}
