internal import Transcript

/// Turns a line of a transcript into its event: the counterpart of `EventEncoder`.
enum EventDecoder {
    /// What a line holds.
    struct Line: Equatable {
        /// The event; nil if it is of a kind that is not known here: a newer version has it.
        let event: Event?
        /// What it says of the line before it.
        let previous: TranscriptLine.Previous
    }

    /// Reads a line, given without its newline.
    static func decode(_ line: [UInt8]) throws(LineFault) -> Line {
        let fields = try JSONFields(line: line)
        let monotonic: UInt64 = try fields.number("t")
        let wall = try fields.wall("time")
        let connection: UInt64? = try fields.optionalNumber("connection")
        let name = try fields.text("event")
        let kind = try kind(name, fields.named(name))
        let event = kind.map { Event(connection: connection, monotonic: monotonic, wall: wall, kind: $0) }
        return Line(event: event, previous: previous(fields))
    }

    private static func kind(_ name: String, _ fields: JSONFields) throws(LineFault) -> Event.Kind? {
        if let kind = try fields.runEvent(name) { return kind }
        if let kind = try fields.connectionEvent(name) { return kind }
        return try fields.sessionEvent(name)
    }

    /// Reads what the line says of the one before it, which is no part of the event: nothing about it is an error here.
    private static func previous(_ fields: JSONFields) -> TranscriptLine.Previous {
        guard fields.has("previous") else { return .absent }
        do throws(LineFault) {
            guard try !fields.isNull("previous") else { return .none }
            let digest = try fields.hexadecimal("previous")
            return digest.count == 32 ? .digest(digest) : .malformed
        } catch {
            return .malformed
        }
    }
}
