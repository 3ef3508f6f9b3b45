internal import Transcript
internal import TranscriptFiles

extension FuzzTarget {
    /// `TranscriptReader`.
    static let transcript = FuzzTarget("transcript") { input throws(BrokenProperty) in
        let read = events(of: input)
        switch read.error {
        case nil: try require(!read.events.isEmpty, "a transcript has a beginning")
        case let error?: try require(error.reason.isEmpty == false, "a refusal has a reason")
        }
        guard let first = read.events.first else { return }
        guard case .runStarted = first.kind else { throw BrokenProperty(description: "it begins with runStarted") }

        let written = lines(of: read.events)
        let again = events(of: written)
        try require(again.error == nil, "what is written is a transcript")
        try require(again.truncatedLength == nil && again.unknownEvents == 0, "and a whole one")
        try require(again.events == read.events, "that says the same")
        // Equal texts may be spelt differently; lines may not.
        try require(lines(of: again.events) == written, "in the same octets")

        // A process that is killed leaves half a line behind.
        let half = events(of: [UInt8](written.dropLast(2)))
        let isBeginning = read.events.count == 1
        try require(half.error?.code == (isBeginning ? .notATranscript : nil), "half a line is no error")
        try require(half.events == Array(read.events.dropLast()), "and takes nothing away from those before it")
        try require(isBeginning || half.truncatedLength != nil, "it is told")
    }

    private static func events(
        of bytes: [UInt8]
    ) -> (events: [Event], error: TranscriptError?, truncatedLength: Int?, unknownEvents: UInt64) {
        let reader = TranscriptReader(bytes: bytes)
        var events: [Event] = []
        do throws(TranscriptError) {
            while let event = try reader.next() { events.append(event) }
            return (events, nil, reader.truncatedLength, reader.unknownEvents)
        } catch {
            return (events, error, reader.truncatedLength, reader.unknownEvents)
        }
    }

    private static func lines(of events: [Event]) -> [UInt8] {
        var lines: [UInt8] = []
        for event in events { EventEncoder().encode(event, into: &lines) }
        return lines
    }
}
