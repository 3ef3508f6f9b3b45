/// A transcript in a format of other programs, made event by event.
///
/// It is a fold as all that follows from events: it keeps something of open connections only, so that a file may be of any
/// size, and what is recorded right now can be converted right now.
package protocol TranscriptExport: Sendable {
    /// Appends what stands before everything else.
    ///
    /// - Parameter output: What is appended to.
    mutating func begin(into output: inout [UInt8])

    /// Appends what follows from the next event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - output: What is appended to.
    mutating func add(_ event: Event, into output: inout [UInt8])

    /// Appends what stands after everything else.
    ///
    /// - Parameter output: What is appended to.
    mutating func finish(into output: inout [UInt8])

    /// Whether nothing was found so far that belongs into the result.
    var isEmpty: Bool { get }

    /// What the reader of the result has to know of it: what is missing, and how to record it; a phrase each.
    var remarks: [String] { get }
}

extension TranscriptExport {
    /// Most formats have no beginning.
    package mutating func begin(into output: inout [UInt8]) {}

    /// Most formats have no end.
    package mutating func finish(into output: inout [UInt8]) {}
}

extension Int {
    /// The number with what is counted: "1 session", "2 sessions".
    func counting(_ noun: String, plural: String? = nil) -> String {
        self == 1 ? "1 \(noun)" : "\(self) \(plural ?? noun + "s")"
    }
}

extension UInt64 {
    /// The sum, or the largest number if that is too large: files may say anything.
    func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
