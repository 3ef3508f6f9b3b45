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
    private(set) var sessions: [SessionRecord] = []
    private(set) var fold = VerdictFold()
    private(set) var verdict: SessionRecord.Said<RecordedVerdict>?
    private(set) var forged: SessionRecord.Said<String>?
    private(set) var mirrored: [OriginFault] = []
    /// The CA of its phase, if an event says so.
    private(set) var authority: String?
    var gap: Gap?

    init(number: UInt64) { self.number = number }

    /// How many octets it takes, about.
    var size: Int { sessions.reduce(Self.overhead) { $0 + $1.size } }

    private static let overhead = 1024
    /// An origin is connected to twice at most; whatever a file says, no more sessions than this are told apart.
    private static let sessionLimit = 8

    /// Takes the connection's next event into account.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - line: The line that says so.
    mutating func add(_ kind: Event.Kind, line: Int) {
        fold.add(kind)
        switch kind {
        case .connected: beginAnotherOrigin()
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
        case .secured(let side, let parameters): change(side) { $0.secured = .init(value: parameters, line: line) }
        case .chain(let side, let digests): change(side) { $0.chain = .init(value: digests, line: line) }
        case .forged(_, let digest, _, _, let faults):
            forged = .init(value: digest, line: line)
            mirrored = faults
        case .phase(_, let authority): self.authority = authority
        case .verdict(let verdict): self.verdict = .init(value: verdict, line: line)
        case .runStarted, .runEnded, .runContinued, .gap, .acceptingPaused, .acceptingResumed, .commandStarted,
            .commandEnded, .opened, .requested, .decided, .withheldHTTP2, .notTLS, .certificate, .issuerFetched,
            .framing, .head, .contentEnded, .headsStopped, .data, .firstData, .firstRequest, .answered, .ended, .failed,
            .closed:
            break
        }
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
