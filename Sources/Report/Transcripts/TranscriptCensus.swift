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
    /// Whether the run ended in good order.
    public private(set) var hasEnd = false

    /// Starts with nothing counted.
    public init() {}

    /// Takes the next event into account.
    public mutating func add(_ event: Event) {
        switch event.kind {
        case .opened: opened &+= 1
        case .closed: closed &+= 1
        case .runContinued(let continued) where opened == 0: firstFile = continued.file
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
        if let verdict = line.verdict { verdicts[verdict.name, default: 0] &+= 1 }
    }

    /// What all connections come to, and whether the transcript is whole, as paragraphs.
    ///
    /// - Parameters:
    ///
    /// - Parameters:
    ///   - truncated: How many octets of a broken last line were left out; nil if it is whole.
    ///   - unknownEvents: How many events of unknown kinds were passed over.
    ///   - width: The columns of the terminal.
    /// - Returns: Lines with newlines.
    public func text(truncated: Int? = nil, unknownEvents: UInt64 = 0, width: Int = 80) -> String {
        let kinds = Self.order.compactMap { name, words in verdicts[name].map { "\($0) \(words)" } }
        let totals = Self.number(shown, "connection") + (kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", "))
        let amounts = "\(Quantity.bytes(clientBytes)) up, \(Quantity.bytes(originBytes)) down"
        let faults = faults(truncated: truncated)
        var state =
            faults.isEmpty
            ? "The transcript is whole." : "The transcript is not whole: \(faults.joined(separator: "; "))."
        if unknownEvents > 0 { state += " \(Self.number(unknownEvents, "event")) of unknown kinds left out." }
        return [totals, amounts, state].flatMap { LineWrap.lines(of: $0, width: width) }.map { $0 + "\n" }.joined()
    }

    private func faults(truncated: Int?) -> [String] {
        var faults: [String] = []
        if firstFile > 1 { faults.append("it begins with file \(firstFile) of the run") }
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
