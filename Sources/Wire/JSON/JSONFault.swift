/// What is wrong with a JSON text, and where.
public struct JSONFault: Error, Equatable {
    /// What kind of fault it is.
    public enum Kind: Sendable, Equatable {
        /// It is no JSON: cut off, overwritten, or of another format.
        case syntax
        /// It is JSON, of a kind that is not taken.
        case value
    }

    /// What kind of fault it is.
    public let kind: Kind
    /// The octet at which it was noticed, counted from 0.
    public let position: Int
    /// What is wrong, in a few words.
    public let reason: String

    /// Joins what is wrong with where.
    public init(_ kind: Kind, at position: Int, _ reason: String) {
        self.kind = kind
        self.position = position
        self.reason = reason
    }
}
