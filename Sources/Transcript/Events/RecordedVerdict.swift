/// What a connection showed of its client, in the words of a file.
public struct RecordedVerdict: Sendable, Equatable {
    /// What kind of verdict it is: `Verdict.name`.
    public var name: String
    /// The verdict in a few words: `Verdict.text`.
    public var text: String

    /// Joins a kind with its words.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Puts a verdict into words.
    public init(_ verdict: Verdict) {
        self.init(name: verdict.name, text: verdict.text)
    }
}
