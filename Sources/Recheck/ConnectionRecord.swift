internal import Transcript

/// What a transcript has of one connection, kept until it closes.
struct ConnectionRecord {
    /// Why a connection cannot be compared with what is recorded of it.
    enum Gap: Equatable {
        /// Events of it are missing, somewhere.
        case lost(String)
        /// Its last events are.
        case unfinished
    }

    let number: UInt64
    /// How many gaps there were when it was opened.
    let gapsBefore: Int
    private(set) var sessions: [SessionRecord] = []
    private(set) var fold = VerdictFold()
    private(set) var verdict: SessionRecord.Said<RecordedVerdict>?
    private(set) var forged: SessionRecord.Said<String>?
    private(set) var mirrored: [OriginFault] = []
    private(set) var decision: SessionRecord.Said<Decision>?
    /// What is in the tunnel instead of TLS, if it is said to hold none.
    private(set) var content: SessionRecord.Said<TunnelContent>?
    private(set) var closed: SessionRecord.Said<Closed>?
    /// Whether the client asked for a target.
    private(set) var isRequested = false
    /// Whether an origin was connected to.
    private(set) var isConnected = false
    /// The first line that is older than the one before it.
    private(set) var lineBeforeItsTime: Int?
    private var time: UInt64 = 0
    /// The lines that say once more what can be said only once.
    private(set) var repetitions: [Int] = []
    /// The CA of its phase, if an event says so.
    private(set) var authority: String?
    var gap: Gap?
    private var isBroken = false

    init(number: UInt64, gapsBefore: Int) {
        self.number = number
        self.gapsBefore = gapsBefore
    }

    /// How many octets it takes, about.
    var size: Int { sessions.reduce(Self.overhead) { $0 + $1.size } }

    private static let overhead = 1024
    private static let repetitionLimit = 16
    /// An origin is connected to twice at most; whatever a file says, no more sessions than this are told apart.
    private static let sessionLimit = 8

    /// Takes the connection's next event into account.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - time: When, on the clock of the run.
    ///   - line: The line that says so.
    mutating func add(_ kind: Event.Kind, at time: UInt64, line: Int) {
        if time < self.time { lineBeforeItsTime = lineBeforeItsTime ?? line }
        self.time = max(self.time, time)
        fold.add(kind)
        switch kind {
        case .requested: isRequested = true
        case .connected:
            isConnected = true
            beginAnotherOrigin()
        case .message(let side, let direction, let bytes, _):
            change(side) { $0.add(message: bytes, direction, line: line) }
        case .wire(let side, let direction, let bytes): change(side) { $0.add(wire: bytes, direction) }
        case .traffic(let side, let direction, let offset, let bytes):
            change(side) { $0.add(traffic: bytes, direction, offset: offset) }
        case .alert(let side, let direction, let level, let code):
            change(side) { $0.add(.init(direction: direction, level: level, code: code, line: line)) }
        case .secret(let side, let secret): change(side) { $0.add(secret) }
        case .hello(let hello): change(.client) { $0.add(hello, line: line) }
        case .originHello(let hello): change(.origin) { $0.add(hello, line: line) }
        case .serverHello(let side, let hello): change(side) { $0.add(hello, line: line) }
        case .identity(let exchange): change(exchange.side) { $0.add(exchange, line: line) }
        case .secured(let side, let parameters): change(side) { $0.add(parameters, line: line) }
        case .chain(let side, let digests): change(side) { $0.add(chain: digests, line: line) }
        case .firstData(let side): change(side) { $0.addFirstData(line: line) }
        case .ended(let side, let end, _): change(side) { $0.add(end, line: line) }
        case .failed: isBroken = true
        case .decided(let decision, _): set(\.decision, decision, line)
        case .notTLS(let content): set(\.content, content, line)
        case .forged(_, let digest, _, _, let faults):
            set(\.forged, digest, line)
            mirrored = faults
        case .closed(let closed):
            set(\.closed, closed, line)
            end(closed)
        case .phase(_, let authority): self.authority = authority
        case .verdict(let verdict): set(\.verdict, verdict, line)
        case .runStarted, .runEnded, .runContinued, .gap, .acceptingPaused, .acceptingResumed, .commandStarted,
            .commandEnded, .opened, .withheldHTTP2, .certificate, .issuerFetched, .framing, .head,
            .contentEnded, .headsStopped, .data, .firstRequest, .answered:
            break
        }
    }

    private mutating func set<Value>(
        _ path: WritableKeyPath<ConnectionRecord, SessionRecord.Said<Value>?>, _ value: Value, _ line: Int
    ) {
        if self[keyPath: path] == nil {
            self[keyPath: path] = .init(value: value, line: line)
        } else if repetitions.count < Self.repetitionLimit {
            repetitions.append(line)
        }
    }

    /// Tells the sessions what the end of the connection says of them.
    private mutating func end(_ closed: Closed) {
        for (side, length) in [(Side.client, closed.clientBytes), (.origin, closed.originBytes)] {
            guard let index = sessions.lastIndex(where: { $0.side == side }) else { continue }
            sessions[index].dataLength = length
        }
        for index in sessions.indices { sessions[index].isBroken = isBroken }
    }

    /// A second connection to the origin has a session of its own.
    private mutating func beginAnotherOrigin() {
        guard sessions.contains(where: { $0.side == .origin && !$0.isEmpty }), sessions.count < Self.sessionLimit else {
            return
        }
        sessions.append(SessionRecord(side: .origin))
    }

    private mutating func change(_ side: Side, _ body: (inout SessionRecord) -> Void) {
        if let index = sessions.lastIndex(where: { $0.side == side }) {
            body(&sessions[index])
        } else {
            sessions.append(SessionRecord(side: side))
            body(&sessions[sessions.count - 1])
        }
    }
}
