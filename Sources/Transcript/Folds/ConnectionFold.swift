import Wire

/// Folds events into one line for every connection that closes.
///
/// It keeps a few hundred bytes for each open connection, whatever the peers send.
public struct ConnectionFold: Sendable {
    private struct Open {
        var line: ConnectionLine
        var verdict = VerdictFold()
        /// How often events were missing before it was opened; nil if its beginning itself is.
        var missingBefore: UInt64?

        /// The line with its verdict, once events were missing so often.
        func line(missing: UInt64) -> ConnectionLine {
            var (line, fold) = (line, verdict)
            if missing != missingBefore { fold.noteMissingEvents() }
            line.verdict = fold.verdict
            return line
        }
    }

    private var open: OpenConnections<Open>
    private var missing = MissingEvents()

    /// Starts with no connection open.
    ///
    /// - Parameter openLimit: How many open connections are followed at most; of more, the oldest are forgotten, so
    ///   that their lines hold only what the end itself tells.
    public init(openLimit: Int = 65_536) {
        open = OpenConnections(limit: openLimit)
    }

    /// The connections that are open, in the order in which they were opened, as far as they have come: their times and
    /// bytes are zero, and nobody has ended them.
    public var openLines: [ConnectionLine] {
        open.all.map { $0.state.line(missing: missing.places) }
    }

    /// Takes the next event into account.
    ///
    /// - Returns: The connection's line if the event closed it.
    public mutating func add(_ event: Event) -> ConnectionLine? {
        guard let connection = event.connection else {
            missing.add(event)
            return nil
        }
        switch event.kind {
        case .closed(let closed):
            var known = open.remove(connection) ?? Open(line: ConnectionLine(opened: connection))
            known.verdict.add(event.kind)
            var line = known.line(missing: missing.places)
            line.wall = event.wall
            line.closed = closed
            return line
        case .opened:
            open.insert(
                Open(line: ConnectionLine(opened: connection), missingBefore: missing.places), for: connection)
        case .verdict where open[connection] == nil:
            // Its beginning is missing; what was recorded as its verdict is right all the same.
            open.insert(Open(line: ConnectionLine(opened: connection)), for: connection)
        default: break
        }
        open.update(connection) {
            $0.line.note(event.kind)
            $0.verdict.add(event.kind)
        }
        return nil
    }
}

extension ConnectionLine {
    /// Starts the line of a connection that has yet to end.
    fileprivate init(opened connection: UInt64) {
        let pending = Closed(
            by: .proxy, phase: .greeting, client: nil, origin: nil, clientBytes: 0, originBytes: 0, nanoseconds: 0)
        self.init(connection: connection, wall: 0, closed: pending)
    }

    /// Notes what an event before the end tells.
    fileprivate mutating func note(_ kind: Event.Kind) {
        switch kind {
        case .opened(let client, _):
            self.client = client.clipped
        case .requested(_, let target, let endpoint):
            self.target = target.clipped
            self.endpoint = endpoint
        case .phase(let phase, _):
            self.phase = phase
        case .decided(let decision, let rule):
            self.decision = decision
            self.rule = rule?.clipped
        case .notTLS(let content):
            self.content = content
        case .hello(let record):
            // Whoever was silent has spoken, and it is TLS.
            content = nil
            stack = record.ja4.clipped
            if let name = record.hello.serverName, HostName(name) != endpoint?.host { serverName = name.clipped }
        case .wire(.client, .received, _):
            // The part of a hello that stayed incomplete.
            if content == .silence { content = nil }
        case .withheldHTTP2:
            withheldHTTP2 = true
        case .secured(.client, let parameters):
            clientSession = Session(version: parameters.version, alpn: parameters.alpn?.clipped)
        case .secured(.origin, let parameters):
            originSession = Session(version: parameters.version, alpn: parameters.alpn?.clipped)
            originProof = parameters.proof
        case .forged(_, _, _, _, let mirrors):
            mirroredFaults = mirrors
        case .answered(let status, _):
            answered = status
        case .failed(let failure):
            self.failure = self.failure ?? failure.clipped
        case .verdict(let verdict):
            recordedVerdict = verdict.clipped
        case .runStarted, .runEnded, .runContinued, .originHello, .serverHello, .traffic, .secret, .head, .contentEnded,
            .headsStopped,
            .data, .gap, .acceptingPaused, .acceptingResumed, .commandStarted, .commandEnded,
            .connected, .wire,
            .message, .alert, .certificate, .chain, .issuerFetched, .framing, .identity, .firstData, .firstRequest,
            .ended, .closed:
            break
        }
    }
}
