internal import Recheck
internal import TranscriptFiles

/// Follows the digests from line to line, up to the first that does not fit.
struct LineOrder {
    private var chain = LineChain()
    private var lastPlace: String?
    /// Where a line does not follow the one before it, for people; nil while all do.
    private(set) var fault: String?

    /// Takes the next line of a file.
    mutating func add(_ line: TranscriptLine, path: String) {
        guard fault == nil else { return }
        let place = "\(path): line \(line.number)"
        fault = chain.add(line, place: place, after: lastPlace)
        lastPlace = place
    }

    /// Files are missing here: what follows needs not fit.
    mutating func skip() { chain = LineChain() }
}
