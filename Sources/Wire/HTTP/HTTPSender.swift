/// Whose bytes they are that an observer of a connection is shown.
public enum HTTPSender: Sendable, CaseIterable {
    /// The client's: requests.
    case client
    /// The origin's: responses.
    case origin
}
