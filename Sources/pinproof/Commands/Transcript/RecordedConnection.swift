internal import Report
internal import Transcript

/// One connection of a transcript, with the certificates that it names.
struct RecordedConnection {
    /// Its events.
    let story: ConnectionStory
    /// What is known of the certificates that it names, by digest.
    let certificates: [String: CertificateOutline]

    /// Reads a transcript up to the connection's end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - connection: The number of the connection.
    /// - Throws: `CommandError` if the file cannot be read, or has no such connection.
    init(reading path: String, connection: UInt64) throws(CommandError) {
        var story = ConnectionStory(connection: connection)
        var shelf = CertificateShelf()
        var transcript = RecordedRun(from: path)
        while story.record.closed == nil, let event = try transcript.next() {
            shelf.add(event)
            story.add(event)
        }
        guard story.isKnown else {
            throw CommandError(
                "no such connection", at: "\(path): \(connection)",
                mend: "'pinproof transcript show' lists those that there are")
        }
        self.story = story
        certificates = shelf.outlines(of: story.record.digests)
    }
}
