internal import Report
internal import Transcript

/// Prints the connections of a transcript while it is read.
struct ConnectionListing {
    private let options: ShowOptions
    private let list: ConnectionList
    private let width: Int
    private var fold = ConnectionFold()
    private var census = TranscriptCensus()
    /// What is to be written, in pieces that are worth a system call.
    private var pending = ""

    private static let piece = 1 << 15

    /// Starts a list with the options of the command.
    init(_ options: ShowOptions) {
        self.options = options
        let output = StandardStream.output
        width = output.columns ?? 80
        list = ConnectionList(width: width, colour: output.takesColour)
    }

    /// Reads to the end and prints the list, with what it comes to at its end.
    ///
    /// - Parameters:
    ///   - next: The next event; nil at the end.
    ///   - state: What is known of the file's end, once it is reached.
    /// - Throws: `CommandError` if the transcript cannot be read on, after what could be read, or if nothing can be written.
    mutating func print(_ next: () throws -> Event?, state: () -> TranscriptState) throws {
        do {
            while let event = try next() { try add(event) }
        } catch {
            try flush()
            throw error
        }
        for line in fold.openLines { try add(ListedConnection(line, isOpen: true)) }
        let state = state()
        if !options.json {
            pending += "\n"
            pending += census.text(
                truncated: state.truncatedLength, brokenOrder: state.brokenOrder,
                unknownEvents: state.unknownEvents, width: width)
        }
        try flush()
    }

    private mutating func add(_ event: Event) throws {
        if case .runStarted = event.kind, !options.json { try begin() }
        if case .runContinued(let continued) = event.kind, !options.json, continued.file > 1, !hasBegun { try begin() }
        census.add(event)
        if let line = fold.add(event) { try add(ListedConnection(line)) }
    }

    private var hasBegun = false

    private mutating func begin() throws {
        hasBegun = true
        pending += list.heading
        if options.follows { try flush() }
    }

    private mutating func add(_ listed: ListedConnection) throws {
        guard listed.isSelected(host: options.host, verdicts: options.verdicts.map(\.rawValue)) else { return }
        census.add(listed)
        pending += options.json ? JSONReport().line(for: listed) + "\n" : list.text(for: listed)
        if options.follows || pending.utf8.count > Self.piece { try flush() }
    }

    private mutating func flush() throws {
        try StandardStream.output.write(pending)
        pending = ""
    }
}
