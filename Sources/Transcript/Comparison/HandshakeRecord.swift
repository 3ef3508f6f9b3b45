public import Wire

/// Folds the events of one connection into the facts of its two handshakes.
///
/// Of lists that a peer can lengthen only the first few members are kept; hellos and chains have the limits of TLS.
public struct HandshakeRecord: Sendable {
    /// The number of the connection within the run.
    public let connection: UInt64
    /// What the client asked for.
    public private(set) var endpoint: Endpoint?
    /// What the rules decided.
    public private(set) var decision: Decision?
    /// The rule that decided.
    public private(set) var rule: String?
    /// The phase of an experiment that it was for.
    public private(set) var phase: ExperimentPhase?
    /// The session with the client.
    public private(set) var client = SessionRecord()
    /// The session with the origin.
    public private(set) var origin = SessionRecord()
    /// The kind of the forged leaf's key.
    public private(set) var forgedKey: String?
    /// The faults of the origin's certificate that the leaf was given too.
    public private(set) var mirrors: [OriginFault] = []
    /// Whether the origin was not offered HTTP/2, because it ends handshakes that do.
    public private(set) var withheldHTTP2 = false
    /// What failed, the first eight times.
    public private(set) var failures: [Failure] = []
    /// The status of the page with which the proxy itself answered.
    public private(set) var answered: Int?
    /// What the file says that the connection showed.
    public private(set) var recordedVerdict: RecordedVerdict?
    /// How it ended; nil while it is open.
    public private(set) var closed: Closed?
    /// What the events say that the connection showed.
    public var verdict: Verdict { fold.verdict }
    /// What it showed by name and in words: what its events show, or where they decide nothing, what was recorded when it
    /// ended; nil if it is not over.
    public var judgement: RecordedVerdict? {
        if lacksEvents { return recordedVerdict ?? RecordedVerdict(verdict) }
        return closed == nil ? nil : RecordedVerdict(verdict)
    }

    /// Whether events of it may be missing, so that those that are left decide nothing.
    public private(set) var lacksEvents = false
    /// Whether any event was the connection's.
    public private(set) var isKnown = false

    private var fold = VerdictFold()
    private var missing = MissingEvents()
    private var begun: [Side: UInt64] = [:]

    /// Starts with nothing known of a connection.
    public init(connection: UInt64) { self.connection = connection }

    /// What is known of a session.
    public subscript(side: Side) -> SessionRecord { side == .client ? client : origin }

    /// The certificates that it names, as digests.
    public var digests: Set<String> {
        Set(client.chain + origin.chain + (client.identity?.chain ?? []) + (origin.identity?.chain ?? []))
    }

    /// Takes the next event into account; of those that are not the connection's only those that say that some are missing.
    public mutating func add(_ event: Event) {
        guard event.connection == connection else {
            if event.connection == nil, missing.add(event), isKnown, closed == nil { noteMissingEvents() }
            return
        }
        if !isKnown {
            isKnown = true
            if case .opened = event.kind {} else { noteMissingEvents() }
        }
        fold.add(event.kind)
        switch event.kind {
        case .requested(_, _, let endpoint): self.endpoint = self.endpoint ?? endpoint
        case .decided(let decision, let rule):
            self.decision = decision
            self.rule = rule?.clipped
        case .phase(let phase, _): self.phase = phase
        case .connected:
            // What the first attempt found is not what the relay stands on.
            origin = SessionRecord()
            begun[.origin] = nil
        case .withheldHTTP2: withheldHTTP2 = true
        case .hello(let record): client.hello = client.hello ?? record
        case .originHello(let record): origin.hello = origin.hello ?? record
        case .serverHello(let side, let record): note(side, record)
        case .message(let side, _, _, _): begun[side] = begun[side] ?? event.monotonic
        case .chain(let side, let digests):
            update(side) {
                $0.chain = Array(digests.prefix(Self.longestList))
                $0.chainTime = event.wall
            }
        case .identity(let exchange):
            update(exchange.side) { $0.identity = $0.identity ?? exchange }
        case .forged(_, _, let key, _, let mirrors):
            forgedKey = key.clipped
            self.mirrors = mirrors
        case .secured(let side, let parameters):
            let started = begun[side]
            update(side) {
                $0.agreed = parameters
                $0.handshakeTime = started.map { event.monotonic >= $0 ? event.monotonic - $0 : 0 }
            }
        case .alert(let side, let direction, _, let code): note(side, direction, alert: code)
        case .ended(let side, let end, _):
            update(side) { $0.end = $0.end ?? end }
        case .failed(let failure) where failures.count < Self.longestFailures: failures.append(failure.clipped)
        case .answered(let status, _): answered = status
        case .verdict(let verdict):
            recordedVerdict = verdict.clipped
        case .closed(let closed):
            self.closed = closed
            // This line may be all that is left of the ends.
            client.end = client.end ?? closed.client
            origin.end = origin.end ?? closed.origin
        case .runStarted, .runEnded, .runContinued, .gap, .acceptingPaused, .acceptingResumed, .commandStarted,
            .commandEnded, .opened, .notTLS, .wire, .traffic, .secret, .certificate, .issuerFetched, .framing, .head,
            .contentEnded, .headsStopped, .data, .firstData, .firstRequest, .failed:
            break
        }
    }

    /// Notes that events of it may be missing.
    mutating func noteMissingEvents() {
        lacksEvents = true
        fold.noteMissingEvents()
    }

    private mutating func note(_ side: Side, _ record: ServerHelloRecord) {
        update(side) {
            if record.hello.isRetryRequest { $0.hadRetryRequest = true } else { $0.serverHello = record }
        }
    }

    private mutating func note(_ side: Side, _ direction: Direction, alert code: UInt8) {
        guard AlertMeaning(code) != .farewell else { return }
        update(side) {
            switch direction {
            case .received where $0.peerAlerts.count < Self.longestFailures: $0.peerAlerts.append(code)
            case .sent where $0.ownAlerts.count < Self.longestFailures: $0.ownAlerts.append(code)
            case .received, .sent: break
            }
        }
    }

    private mutating func update(_ side: Side, _ change: (inout SessionRecord) -> Void) {
        switch side {
        case .client: change(&client)
        case .origin: change(&origin)
        }
    }

    /// How many certificates of a chain are looked at.
    private static let longestList = 64
    private static let longestFailures = 8
}
