/// One thing that differs between two handshakes.
public struct HandshakeDifference: Sendable, Equatable {
    /// Which part of a connection differs, in the order in which the parts are shown.
    public enum Part: String, Sendable, CaseIterable {
        /// What the client offered.
        case clientHello = "client's hello"
        /// What we offered to the origin.
        case originHello = "our hello to the origin"
        /// What was agreed on with the client, and shown to it.
        case clientSession = "session with the client"
        /// What was agreed on with the origin, and what it showed.
        case originSession = "session with the origin"
        /// What the connection came to.
        case outcome = "outcome"
    }

    /// Which part differs.
    public var part: Part
    /// What of it.
    public var what: String
    /// What only the first one has; empty if it has nothing in this place.
    public var first: [String]
    /// What only the second one has.
    public var second: [String]
    /// Whether it is worth knowing and no difference of conduct: order where order means nothing, and times.
    public var isInformation: Bool

    /// Joins what differs.
    public init(_ part: Part, _ what: String, _ first: [String], _ second: [String], isInformation: Bool = false) {
        self.part = part
        self.what = what
        self.first = first
        self.second = second
        self.isInformation = isInformation
    }
}
