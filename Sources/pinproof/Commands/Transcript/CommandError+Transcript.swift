internal import TranscriptFiles

extension CommandError {
    /// Why a file cannot be read as a transcript.
    init(_ error: TranscriptError, path: String) {
        let place = "\(path): \(error)"
        switch error.code {
        case .unreadable: self.init("cannot read file", at: place)
        case .notATranscript:
            self.init("not a transcript", at: place, mend: "--transcript FILE of 'pinproof run' writes one")
        case .compressed:
            self.init(
                "compressed transcript", at: place,
                mend: "unpack it first, as in 'zcat FILE | pinproof transcript show -'")
        case .unknownVersion: self.init("unknown version", at: place, mend: "read it with the Pinproof that wrote it")
        case .lineTooLong, .brokenLine, .wrongValue: self.init("broken transcript", at: place)
        }
    }
}
