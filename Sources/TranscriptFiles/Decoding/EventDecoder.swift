internal import Transcript

/// Turns a line of a transcript into its event: the counterpart of `EventEncoder`.
enum EventDecoder {
    /// What a line holds.
    enum Line: Equatable {
        case event(Event)
        /// An event of a kind that is not known here; a newer version has it.
        case unknown
    }

    /// Reads a line, given without its newline.
    static func decode(_ line: [UInt8]) throws(LineFault) -> Line {
        let fields = try JSONFields(line: line)
        let monotonic: UInt64 = try fields.number("t")
        let wall = try fields.wall("time")
        let connection: UInt64? = try fields.optionalNumber("connection")
        let name = try fields.text("event")
        guard let kind = try kind(name, fields.named(name)) else { return .unknown }
        return .event(Event(connection: connection, monotonic: monotonic, wall: wall, kind: kind))
    }

    private static func kind(_ name: String, _ fields: JSONFields) throws(LineFault) -> Event.Kind? {
        if let kind = try fields.runEvent(name) { return kind }
        if let kind = try fields.connectionEvent(name) { return kind }
        return try fields.sessionEvent(name)
    }
}
