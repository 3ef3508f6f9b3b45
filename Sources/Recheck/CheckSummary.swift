/// How many claims of each kind hold, and why others do not.
public struct CheckSummary: Sendable, Equatable {
    /// What came of the claims of one kind.
    public struct Row: Sendable, Equatable {
        /// How many are proven.
        public fileprivate(set) var proven: UInt64 = 0
        /// How many are not.
        public fileprivate(set) var notProven: UInt64 = 0
        /// How many are false.
        public fileprivate(set) var failed: UInt64 = 0
        /// Why some are not proven, with how many there are for each reason.
        public fileprivate(set) var reasons: [String: UInt64] = [:]

        /// More reasons than that are not told apart.
        fileprivate static let reasonLimit = 32
    }

    /// A claim that is false.
    public struct Failure: Sendable, Equatable {
        /// The file that says it.
        public let file: String
        /// The connection; nil for the run itself.
        public let connection: UInt64?
        /// The claim.
        public let claim: Claim
    }

    /// What came of each kind of claim; only kinds that were claimed.
    public private(set) var rows: [Claim.Kind: Row] = [:]
    /// The claims that are false, as many as are kept.
    public private(set) var failures: [Failure] = []
    /// How many connections were checked.
    public private(set) var connections: UInt64 = 0
    /// How many of them are not all there.
    public private(set) var incomplete: UInt64 = 0
    /// How many lines were read.
    public internal(set) var lines: UInt64 = 0
    /// The SHA-256 of the last whole line.
    public internal(set) var closingDigest: [UInt8] = []
    /// What the reader has to know of the files besides.
    public internal(set) var warnings: [String] = []

    /// How many false claims are kept one by one.
    public static let failureLimit = 1000

    /// How many claims are false.
    public var failed: UInt64 { rows.values.reduce(0) { $0 + $1.failed } }

    /// How many claims about connections are proven; that lines follow each other proves nothing of them.
    public var provenOfConnections: UInt64 {
        rows.reduce(0) { $0 + ($1.key.isAboutRun ? 0 : $1.value.proven) }
    }

    mutating func add(_ check: ConnectionCheck, file: String) {
        connections += 1
        if check.incompleteness != nil { incomplete += 1 }
        for claim in check.claims { add(claim, connection: check.number, file: file) }
    }

    mutating func add(_ claim: Claim, connection: UInt64? = nil, file: String) {
        var row = rows[claim.kind] ?? Row()
        switch claim.result {
        case .proven: row.proven += 1
        case .notProven(let reason):
            row.notProven += 1
            if row.reasons[reason] != nil || row.reasons.count < Row.reasonLimit {
                row.reasons[reason, default: 0] += 1
            }
        case .failed:
            row.failed += 1
            if failures.count < Self.failureLimit {
                failures.append(Failure(file: file, connection: connection, claim: claim))
            }
        }
        rows[claim.kind] = row
    }

    /// Counts many proven claims of the same kind at once.
    mutating func add(proven count: UInt64, of kind: Claim.Kind) {
        if count > 0 { rows[kind, default: Row()].proven += count }
    }
}
