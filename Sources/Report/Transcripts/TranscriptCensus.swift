public import Transcript

/// Counts a transcript, and says whether it is whole.
public struct TranscriptCensus: Sendable {
    private var opened: UInt64 = 0
    private var shown: UInt64 = 0
    private var verdicts: [String: UInt64] = [:]
    private var clientBytes: UInt64 = 0
    private var originBytes: UInt64 = 0
    private var closed: UInt64 = 0
    private var lost: UInt64 = 0
    private var expected: UInt64?
    private var firstFile = 1
    private var file: Int?
    /// The files of the run that are missing between others: how many, the first of them and the last one.
    private var missingFiles: (count: Int, first: Int, last: Int)?
    private var missingEvents: UInt64 = 0
    private var undecided: UInt64 = 0
    private var notOver: UInt64 = 0
    /// Whether the run ended in good order.
    public private(set) var hasEnd = false

    /// Starts with nothing counted.
    public init() {}

    /// Takes the next event into account.
    public mutating func add(_ event: Event) {
        switch event.kind {
        case .opened: opened &+= 1
        case .closed: closed &+= 1
        case .runStarted: file = 1
        case .runContinued(let continued): add(continued)
        case .gap(let count): lost = Self.sum(lost, count)
        case .runEnded(let run):
            hasEnd = true
            expected = run.connections
            lost = max(lost, run.lost)
        default: break
        }
    }

    /// Takes a connection that is listed into account.
    public mutating func add(_ listed: ListedConnection) {
        let line = listed.line
        shown &+= 1
        clientBytes = Self.sum(clientBytes, line.closed.clientBytes)
        originBytes = Self.sum(originBytes, line.closed.originBytes)
        if listed.evidence == .eventsMissing { missingEvents &+= 1 }
        guard let verdict = listed.judgement else {
            if listed.evidence == .notOver { notOver &+= 1 }
            return
        }
        // A recorded verdict may have any name.
        if Self.words(for: verdict.name) == nil { undecided &+= 1 } else { verdicts[verdict.name, default: 0] &+= 1 }
    }

    private mutating func add(_ continued: RunContinued) {
        if let file, file > 0, continued.file > file &+ 1 {
            let (count, first) = (missingFiles?.count ?? 0, missingFiles?.first ?? file + 1)
            missingFiles = (count &+ (continued.file - file - 1), first, continued.file - 1)
        } else if file == nil {
            firstFile = continued.file
        }
        file = continued.file
    }

    /// What verdicts of this kind are called in a sentence; nil for a name that none has.
    static func words(for name: String) -> String? { order.first { $0.0 == name }?.1 }

    /// What all connections come to, and whether the transcript is whole, as paragraphs.
    ///
    /// It is said what was checked, and no more: that nothing was altered is for `transcript verify` to prove.
    ///
    /// - Parameters:
    ///   - truncated: How many octets of a broken last line were left out; nil if it is whole.
    ///   - brokenOrder: The first place at which a line does not follow the one before it; nil if none is known.
    ///   - unknownEvents: How many events of unknown kinds were passed over.
    ///   - width: The columns of the terminal.
    /// - Returns: Lines with newlines.
    public func text(truncated: Int? = nil, brokenOrder: String? = nil, unknownEvents: UInt64 = 0, width: Int = 80)
        -> String
    {
        var kinds = Self.order.compactMap { name, words in verdicts[name].map { "\($0) \(words)" } }
        for (count, words) in [(undecided, "undecided"), (notOver, "not over")] where count > 0 {
            kinds.append("\(count) \(words)")
        }
        let totals = Self.number(shown, "connection") + (kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", "))
        let amounts = "\(Quantity.bytes(clientBytes)) up, \(Quantity.bytes(originBytes)) down"
        let faults = faults(truncated: truncated)
        var state =
            faults.isEmpty
            ? "The run ended; no event was lost while it was recorded."
            : "The transcript is not whole: \(faults.joined(separator: "; "))."
        if let brokenOrder {
            state +=
                " Lines are missing, were added or were changed, first where \(brokenOrder); 'pinproof transcript verify'"
                + " tells more."
        }
        if missingEvents > 0 {
            state +=
                " Of \(Self.number(missingEvents, "listed connection")) events may be missing; what is said of"
                + " \(missingEvents == 1 ? "it" : "them") is what was recorded, not what the events show."
        }
        if unknownEvents > 0 { state += " \(Self.number(unknownEvents, "event")) of unknown kinds left out." }
        return [totals, amounts, state].flatMap { LineWrap.lines(of: TerminalText.escape($0), width: width) }.map {
            $0 + "\n"
        }.joined()
    }

    private func faults(truncated: Int?) -> [String] {
        var faults: [String] = []
        if firstFile > 1 { faults.append("it begins with file \(firstFile) of the run") }
        if let (count, first, last) = missingFiles {
            let range = "\(first) to \(last)"
            faults.append(
                first == last
                    ? "file \(first) is missing"
                    : last - first + 1 == count
                        ? "files \(range) are missing" : "\(count) of the files \(range) are missing")
        }
        if !hasEnd { faults.append("the run was not over when it ends") }
        if let truncated { faults.append("its last line is broken (\(Self.number(UInt64(truncated), "octet")))") }
        if lost > 0 { faults.append("\(Self.number(lost, "event")) missing") }
        if let expected, expected != opened, firstFile == 1 {
            faults.append("the run had \(Self.number(expected, "connection"))")
        }
        if opened > closed { faults.append("\(opened - closed) without an end") }
        return faults
    }

    private static func number(_ count: UInt64, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }

    private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, isBeyond) = one.addingReportingOverflow(other)
        return isBeyond ? .max : sum
    }

    private static let order = [
        ("accepted", "accepted"), ("rejected", "rejected"), ("rejectedSilently", "rejected silently"),
        ("abandoned", "abandoned"), ("leaked", "leaked"), ("idle", "idle"), ("notTested", "not tested"),
    ]
}
