/// What a client is shown in an origin's place, and what becomes of an origin whose certificate is faulty.
public enum Scenario: String, Sendable, Equatable, CaseIterable {
    /// A sound leaf of the CA that the client was given; a faulty origin is told on a page inside.
    case trusted
    /// The same, but a leaf for a faulty origin has the origin's faults, and a client that takes it gets through.
    case mirror
}
