import Transcript
import TranscriptFiles

/// What a reader made of a transcript.
struct Reading {
    var events: [Event] = []
    var unknownEvents: UInt64 = 0
    var truncatedLength: Int?

    /// Reads to the end.
    init(_ bytes: [UInt8], lineLimit: Int = TranscriptReader.lineLimit) throws(TranscriptError) {
        try self.init(TranscriptReader(bytes: bytes, lineLimit: lineLimit))
    }

    /// Reads to the end.
    init(_ reader: TranscriptReader) throws(TranscriptError) {
        while let event = try reader.next() { events.append(event) }
        unknownEvents = reader.unknownEvents
        truncatedLength = reader.truncatedLength
    }
}

/// The first line of a transcript.
let beginning =
    #"{"t":0,"time":"2026-03-01T14:02:07.123456Z","connection":null,"event":"runStarted","formatVersion":1,"#
    + #""tool":"0.1.0","openssl":"OpenSSL 3.0.22","listeners":[],"authorities":[],"label":null,"#
    + #""rotatesPhases":false}"# + "\n"

/// The error of a transcript whose second line is this one and whose third is whole; nil if there is none.
func complaint(secondLine line: some Sequence<UInt8>) -> String? {
    let bytes = Array(beginning.utf8) + line + Array("\n".utf8) + Array(gap(9).utf8)
    do throws(TranscriptError) {
        _ = try Reading(bytes)
        return nil
    } catch {
        return error.description
    }
}

/// A line about lost events.
func gap(_ lost: Int) -> String {
    #"{"t":1500,"time":"2026-03-01T14:02:07.123456Z","connection":null,"event":"gap","lost":\#(lost)}"# + "\n"
}

/// The line of an event of connection 12 with these members.
func line(_ members: String) -> String {
    #"{"t":1500,"time":"2026-03-01T14:02:07.123456Z","connection":12,"# + members + "}"
}
