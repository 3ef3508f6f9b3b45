import Transcript

/// What stands for a whole transcript: whoever keeps it can tell later whether the file is still the same.
public struct TranscriptSeal: Sendable, Equatable {
    /// The first file.
    public var path: String
    /// The digest of the last line, in hexadecimal, which every line before it has part in.
    public var digest: String
    /// The file with a signature over the last file; nil without one.
    public var signature: String?

    /// Joins a file with its digest.
    public init(path: String, digest: String, signature: String? = nil) {
        self.path = path
        self.digest = digest
        self.signature = signature
    }

    /// The seal for people: two lines, three with a signature.
    public var text: String {
        "Transcript \(TerminalText.escape(path)), closing digest\n  \(digest)\n"
            + (signature.map { "Signed in \(TerminalText.escape($0))\n" } ?? "")
    }
}

extension JSONReport {
    /// The line of a seal, without a newline; the fields: `docs/events.md`.
    public func line(for seal: TranscriptSeal) -> String {
        object("transcript") { json in
            json.member("path", seal.path)
            json.member("digest", seal.digest)
            json.member("signature", seal.signature)
        }
    }
}
