/// What the connections of one host and client stack showed in one phase, counted by what it is worth.
public struct PhaseEvidence: Sendable, Equatable {
    /// A connection and its verdict.
    public struct Sample: Sendable, Equatable {
        /// The number of the connection within the run.
        public var connection: UInt64
        /// What it showed.
        public var verdict: Verdict

        /// Joins a connection and its verdict.
        public init(connection: UInt64, verdict: Verdict) {
            self.connection = connection
            self.verdict = verdict
        }
    }

    /// What was given away by clients that turned away.
    public struct LeakTotal: Sendable, Equatable {
        /// In how many connections.
        public var connections: UInt64 = 0
        /// How many application bytes in all.
        public var bytes: UInt64 = 0
        /// In how many connections application data came before the handshake was done.
        public var early: UInt64 = 0
        /// In how many connections a client certificate was given.
        public var identities: UInt64 = 0

        /// Starts with nothing given away.
        public init() {}
    }

    /// How many samples are kept; the counts go on.
    public static let sampleLimit = 32

    /// How many connections there were.
    public private(set) var connections: UInt64 = 0
    /// The first of them, with their verdicts.
    public private(set) var samples: [Sample] = []
    /// How many clients sent application data and stayed.
    public private(set) var accepted: UInt64 = 0
    /// How many application bytes those sent.
    public private(set) var acceptedBytes: UInt64 = 0
    /// How many clients turned away with an alert about certificates, by its number: each a firm rejection.
    public private(set) var alerts: [UInt8: UInt64] = [:]
    /// How many ended silently before their Finished, and no origin had failed.
    public private(set) var silentBeforeFinished: UInt64 = 0
    /// How many ended silently after their Finished without any data, and no origin had failed.
    public private(set) var silentAfterFinished: UInt64 = 0
    /// How many ended silently, or did nothing, when the origin had failed: that is never blamed on the client.
    public private(set) var excused: UInt64 = 0
    /// How many sent data and ended silently before any answer: they refused, or had said all that they wanted.
    public private(set) var leftAfterSending: UInt64 = 0
    /// How many finished the handshake and did nothing that tells, and no origin had failed; those that ended silently later
    /// than right after the handshake are among them.
    public private(set) var idle: UInt64 = 0
    /// How many tell nothing, by the reason.
    public private(set) var notTested: [NotTestedReason: UInt64] = [:]
    /// What was given away by those that turned away.
    public private(set) var leaks = LeakTotal()
    /// In how many of the connections that were not accepted the origin failed, or ended first.
    public private(set) var originFailures: UInt64 = 0
    /// In how many of those that turned away no application protocol was agreed on, though some were offered.
    public private(set) var lackingProtocol: UInt64 = 0

    /// Starts with no connection.
    public init() {}

    /// How many firm rejections there were.
    public var firm: UInt64 { alerts.values.reduce(0, &+) }

    /// How many clients turned away silently, without having sent data and without an excuse.
    public var silent: UInt64 { silentBeforeFinished &+ silentAfterFinished }

    /// How many connections tell nothing for any of the reasons that satisfy a condition.
    func untested(_ isMeant: (NotTestedReason) -> Bool) -> UInt64 {
        notTested.reduce(0) { isMeant($1.key) ? $0 &+ $1.value : $0 }
    }

    /// Counts a connection.
    mutating func add(_ connection: ConnectionVerdict) {
        connections &+= 1
        if samples.count < Self.sampleLimit {
            samples.append(Sample(connection: connection.connection, verdict: connection.verdict))
        }
        if connection.originFailed, !connection.verdict.isAccepted { originFailures &+= 1 }
        if let leak = connection.verdict.leak { leaks.add(leak) }
        if let refusal = connection.verdict.refusal { return add(refusal, of: connection) }
        switch connection.verdict {
        case .accepted(let bytes):
            accepted &+= 1
            acceptedBytes &+= bytes
        case .idle where connection.originFailed: excused &+= 1
        case .idle: idle &+= 1
        case .notTested(let reason): notTested[reason, default: 0] &+= 1
        case .rejected, .rejectedSilently, .abandoned, .leaked: break
        }
    }

    private mutating func add(_ refusal: Refusal, of connection: ConnectionVerdict) {
        if connection.lacksProtocol { lackingProtocol &+= 1 }
        switch refusal {
        case .alert(let code, _): alerts[code, default: 0] &+= 1
        case .silence where (connection.verdict.leak?.bytes ?? 0) > 0: leftAfterSending &+= 1
        case .silence where connection.originFailed: excused &+= 1
        // It may not have needed the connection after all.
        case .silence where !connection.isPrompt: idle &+= 1
        case .silence(_, .beforeFinished): silentBeforeFinished &+= 1
        case .silence(_, .afterFinished): silentAfterFinished &+= 1
        }
    }
}

extension PhaseEvidence.LeakTotal {
    fileprivate mutating func add(_ leak: Leak) {
        connections &+= 1
        bytes &+= leak.bytes
        early &+= leak.isEarly ? 1 : 0
        identities &+= leak.identity ? 1 : 0
    }
}
