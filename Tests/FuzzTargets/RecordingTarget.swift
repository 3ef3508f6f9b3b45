internal import Recheck
internal import Report
internal import Transcript
internal import TranscriptFiles
internal import Wire

extension FuzzTarget {
    /// What is made of a transcript that somebody sent: proofs, ladders, packets and archives.
    static let recording = FuzzTarget("recording") { input throws(BrokenProperty) in
        var events: [Event] = []
        let reader = TranscriptReader(bytes: input)
        do throws(TranscriptError) {
            while let event = try reader.next() { events.append(event) }
        } catch {
            return
        }
        try requireCountedClaims(of: input)
        try requireHarmlessText(of: events)
        try requireWholeBlocks(in: exported(events, by: PcapngExport()))
        _ = exported(events, by: KeyLogExport())
        _ = exported(events, by: CertificateExport())
        try require(
            exported(events, by: HARExport(tool: "0")).allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A },
            "an archive is ASCII")
    }

    /// Every claim of a connection is one of the summary's, and whatever is read is judged.
    private static func requireCountedClaims(of input: [UInt8]) throws(BrokenProperty) {
        var claims = 0
        var check = TranscriptCheck(version: "0.1.0") { claims += $0.claims.count }
        do throws(TranscriptError) {
            try check.read(TranscriptReader(bytes: input), name: "input")
        } catch {
            throw BrokenProperty(description: "what can be read can be verified: \(error.reason)")
        }
        let rows = check.finish().rows.filter { row in !Claim.Kind.ofTheRun.contains(row.key) }
        let counted = rows.values.reduce(0) { $0 + $1.proven + $1.notProven + $1.failed }
        try require(counted >= UInt64(claims), "no claim is lost")
    }

    /// Peers decide on names and texts, and a terminal obeys what it is sent.
    private static func requireHarmlessText(of events: [Event]) throws(BrokenProperty) {
        let number = events.lazy.compactMap(\.connection).first ?? 1
        var story = ConnectionStory(connection: number)
        for event in events { story.add(event) }
        let text = ConnectionReport().text(
            for: story, certificates: [:], parts: [.verdict, .ladder, .chains, .hellos, .messages])
        try require(
            text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control },
            "nothing controls the terminal")
    }

    private static func exported(_ events: [Event], by export: some TranscriptExport) -> [UInt8] {
        var export = export
        var output: [UInt8] = []
        export.begin(into: &output)
        for event in events { export.add(event, into: &output) }
        export.finish(into: &output)
        return output
    }

    /// Each block has its length at both ends (draft-ietf-opsawg-pcapng section 3.1).
    private static func requireWholeBlocks(in capture: [UInt8]) throws(BrokenProperty) {
        func number(at place: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(capture[place + $1]) << (8 * $1) }
        }
        var start = 0
        while start < capture.count {
            try require(start + 12 <= capture.count, "a block has a beginning and an end")
            let length = number(at: start + 4)
            try require(length >= 12 && length % 4 == 0, "it is of whole words")
            try require(start + length <= capture.count, "it is all there")
            try require(number(at: start + length - 4) == length, "its length is at its end too")
            start += length
        }
    }
}

extension Claim.Kind {
    /// Those of the run, which belong to no connection.
    fileprivate static let ofTheRun: Set<Claim.Kind> = [
        .certificates, .text, .lines, .closingDigest, .signature, .completeness,
    ]
}
