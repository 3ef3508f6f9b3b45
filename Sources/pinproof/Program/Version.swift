/// The version of Pinproof, as `--version` prints it and transcripts record it.
enum Version {
    static let number = "0.1.0"
}
