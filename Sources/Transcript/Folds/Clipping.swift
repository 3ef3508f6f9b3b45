/// What folds keep of texts that a peer may have made as long as it liked.
extension String {
    /// The text, cut to 256 characters with an ellipsis if it is longer.
    var clipped: String {
        // Scalars, since a character may hold any number of them.
        let scalars = unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: 256, limitedBy: scalars.endIndex) else {
            return self
        }
        return end == scalars.endIndex ? self : String(scalars[..<end]) + "…"
    }
}

extension RecordedVerdict {
    /// The verdict with its texts clipped.
    var clipped: RecordedVerdict { RecordedVerdict(name: name.clipped, text: text.clipped) }
}

extension Failure {
    /// The failure with its texts clipped.
    var clipped: Failure {
        var failure = self
        failure.detail = detail.clipped
        failure.hint = hint?.clipped
        return failure
    }
}
