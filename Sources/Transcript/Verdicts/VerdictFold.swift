public import Wire

/// Folds the events of one connection into its verdict.
///
/// The verdict can be asked for at any time, and an event may correct it: an alert after Finished turns what looked like
/// an accepting client into one that rejects. It keeps a few hundred bytes, whatever the peers send.
public struct VerdictFold: Sendable {
    /// What the client asked for.
    public private(set) var endpoint: Endpoint?
    /// The client stack: JA4 of the hello.
    public private(set) var stack: String?
    /// What the rules decided.
    public private(set) var decision: Decision?
    /// Whether the origin failed, or ended before the client did.
    public private(set) var originFailed = false

    private var content: TunnelContent?
    /// The first failure: the others follow from it.
    private var failure: Failure?
    private(set) var hello: HelloFacts?
    private var certificateSent = false
    /// Whether the client's Finished came.
    private var isFinished = false
    private var isSecured = false
    private var isResumed = false
    private var agreedProtocol: String?
    private var certificateAlert: (code: UInt8, stage: HandshakeStage)?
    /// The first alert of the client's that is about anything else.
    private var otherAlert: UInt8?
    private var sentAlert: UInt8?
    private var identityGiven = false
    private var clientSpoke = false
    /// Whether the client asked for something in HTTP/2.
    private var hasRequest = false
    /// How many octets of its handshakes the client has sent.
    private var handshakeLength: UInt64 = 0
    private var spokeEarly = false
    /// Whether the client was told anything by the origin, or by a page of ours, before it ended.
    private var originSpoke = false
    private var clientSpokeFirst = false
    /// How the client first ended, and when.
    private var clientEnd: (how: End, phase: Phase)?
    private var closed: Closed?
    /// Whether events of the connection may be missing.
    private var lacksEvents = false

    /// Starts with nothing known.
    public init() {}

    /// Takes the connection's next event into account.
    public mutating func add(_ kind: Event.Kind) {
        switch kind {
        case .requested(_, _, let endpoint): self.endpoint = self.endpoint ?? endpoint
        case .decided(let decision, _): self.decision = decision
        case .notTLS(let content): self.content = content
        case .hello(let record):
            // Whoever was silent has spoken, and it is TLS.
            content = nil
            stack = record.ja4.clipped
            hello = HelloFacts(record.hello)
        case .message(.client, let direction, let bytes, _): note(direction, message: bytes)
        case .alert(.client, .received, _, let code): note(alert: code)
        case .alert(.client, .sent, let level, let code) where level == fatal: sentAlert = sentAlert ?? code
        case .identity(let exchange) where exchange.side == .client && !exchange.chain.isEmpty: identityGiven = true
        case .secured(.client, let parameters):
            isSecured = true
            isFinished = true
            isResumed = parameters.resumed
            agreedProtocol = parameters.alpn?.clipped
        case .firstData(.client):
            clientSpokeFirst = !originSpoke
            clientSpoke = true
            spokeEarly = !isSecured
        case .firstData(.origin): noteAnswer()
        case .firstRequest: hasRequest = true
        case .answered:
            hasRequest = true
            if isSecured { noteAnswer() }
        case .wire(.client, .received, let bytes): handshakeLength &+= UInt64(bytes.count)
        case .ended(let side, let end, let phase): note(side, end, phase)
        case .failed(let failure):
            self.failure = self.failure ?? failure.clipped
            if failure.party == .origin { originFailed = true }
        case .closed(let closed):
            self.closed = closed
            // This line may be all that is left of the client's end, and says whether it came first: who failed is said
            // to have ended the connection too.
            let isFirst = closed.by == .client && failure == nil
            if let end = closed.client { note(.client, end, isFirst ? closed.phase : .closing) }
        case .runStarted, .runEnded, .runContinued, .originHello, .serverHello, .traffic, .secret, .head, .contentEnded,
            .headsStopped,
            .data, .verdict,
            .gap, .acceptingPaused, .acceptingResumed, .commandStarted, .commandEnded,
            .opened, .phase, .connected, .withheldHTTP2, .issuerFetched, .wire, .message, .framing, .alert,
            .certificate,
            .chain, .identity, .forged, .secured:
            break
        }
    }

    /// Notes that events of the connection may be missing, between those that came or before them.
    ///
    /// No verdict is firmer than its evidence: that an answer reached the client, or that it sent an alert, may be what
    /// is missing, and each makes the verdict another one.
    public mutating func noteMissingEvents() { lacksEvents = true }

    /// Whether the connection is over.
    public var isOver: Bool { closed != nil }

    private mutating func note(_ direction: Direction, message bytes: [UInt8]) {
        switch (direction, bytes.first) {
        case (.sent, HandshakeType.certificate): certificateSent = true
        case (.received, HandshakeType.finished): isFinished = true
        case (.received, HandshakeType.clientHello): hello?.length = UInt64(bytes.count)
        default: break
        }
    }

    private mutating func note(alert code: UInt8) {
        switch AlertMeaning(code) {
        case .farewell: break
        // Before our certificate there was nothing to reject.
        case .certificate where certificateSent && certificateAlert == nil:
            certificateAlert = (code, isFinished ? .afterFinished : .beforeFinished)
        case .certificate, .parameters, .other: otherAlert = otherAlert ?? code
        }
    }

    private mutating func noteAnswer() {
        // What came after the client's end did not reach it, as far as can be told.
        if clientEnd == nil { originSpoke = true }
    }

    private mutating func note(_ side: Side, _ end: End, _ phase: Phase) {
        switch side {
        case .origin: if clientEnd == nil { originFailed = true }
        case .client:
            // What comes later is only how TCP ended.
            clientEnd = clientEnd ?? (end, phase)
            if case .alert(let code) = end { note(alert: code) }
        }
    }
}

// MARK: - The verdict

extension VerdictFold {
    /// What the connection has shown so far.
    public var verdict: Verdict {
        if lacksEvents { return .notTested(.eventsMissing) }
        if let reason = reasonBeforeTLS { return .notTested(reason) }
        if isResumed { return .notTested(.resumed) }
        if let certificateAlert { return turnedAway(.alert(certificateAlert.code, certificateAlert.stage)) }
        if hasClientData {
            guard let end = departure, !originSpoke else { return .accepted(bytes: clientBytes) }
            return turnedAway(.silence(end, isFinished ? .afterFinished : .beforeFinished))
        }
        if let sentAlert { return .notTested(reason(ofOwn: sentAlert)) }
        if let otherAlert {
            let isParameters = AlertMeaning(otherAlert) == .parameters
            return .notTested(isParameters ? .parameterAlert(otherAlert) : .otherAlert(otherAlert))
        }
        guard isFinished else { return verdictBeforeFinished }
        guard let end = departure else {
            if let loss { return .notTested(loss) }
            return .idle
        }
        return serverSpeaksFirst ? .idle : turnedAway(.silence(end, .afterFinished))
    }

    /// How the client ended of its own accord, before anybody else did; nil if it did not.
    ///
    /// The phase tells: whoever ends in `closing` follows another. A socket that failed, and a session that broke on our
    /// side of it, are not the client's doing.
    private var departure: End? {
        guard let clientEnd, clientEnd.phase != .closing else { return nil }
        switch clientEnd.how {
        case .closeNotify, .fin, .reset, .alert: return clientEnd.how
        case .timeout, .error, .proxy: return nil
        }
    }

    /// The verdict for a client that turned away in this way, what it gave away included.
    private func turnedAway(_ refusal: Refusal) -> Verdict {
        if hasClientData || identityGiven {
            let bytes = hasClientData ? clientBytes : 0
            return .leaked(Leak(bytes: bytes, isEarly: spokeEarly, identity: identityGiven, refusal: refusal))
        }
        switch refusal {
        case .alert(let code, let stage): return .rejected(alert: code, stage)
        case .silence(let end, .beforeFinished): return .rejectedSilently(end)
        case .silence(let end, .afterFinished): return .abandoned(end)
        }
    }

    /// Whether application data came from the client: the count at the end speaks even if the event was lost.
    ///
    /// In HTTP/2 what comes before the first request is none: clients send their settings, and even a farewell, before
    /// they have looked at what they pin.
    private var hasClientData: Bool {
        agreedProtocol == "h2" ? hasRequest : clientSpoke || (closed?.clientBytes ?? 0) > 0
    }

    private var clientBytes: UInt64 { closed?.clientBytes ?? 1 }

    /// Whether the server speaks first in this protocol, so that a client that says nothing may be waiting for it.
    ///
    /// The origin spoke, and the client did not. In HTTP that proves nothing: an HTTP/2 server's settings need no request
    /// (RFC 9113 section 3.4), and still it is the client's turn.
    private var serverSpeaksFirst: Bool {
        switch agreedProtocol {
        case "h2", "http/1.1", "http/1.0": false
        default: originSpoke
        }
    }

    private var verdictBeforeFinished: Verdict {
        if certificateSent, let end = departure { return turnedAway(.silence(end, .beforeFinished)) }
        if let loss { return .notTested(loss) }
        if !certificateSent, clientEnd != nil { return .notTested(.certificateNeverSent) }
        return .notTested(closed == nil ? .unfinished : .interrupted)
    }

    /// What kept the client from showing anything, if it was neither the client nor the origin.
    private var loss: NotTestedReason? {
        if let clientEnd, clientEnd.phase != .closing, case .error(let errno) = clientEnd.how, errno != 0 {
            return .connectionLost(errno)
        }
        guard let failure, failure.party != .origin else { return nil }
        // The idle limit of the relay is how an idle connection ends.
        if failure.code == .timeout { return failure.phase == .relay ? nil : .timeLimit(failure.phase) }
        return failure.party == .proxy ? .proxyFailure(failure.code) : .sessionBroken(failure.code)
    }

    private func reason(ofOwn alert: UInt8) -> NotTestedReason {
        if let failure, failure.party == .proxy { return .proxyFailure(failure.code) }
        guard !isFinished, let highest = hello?.highestVersion, highest < 0x0303 else { return .proxyAlert(alert) }
        return .obsoleteVersion(highest)
    }

    /// Why it never came to TLS; nil if it did.
    private var reasonBeforeTLS: NotTestedReason? {
        switch decision {
        case .refuse: return .refused
        case .tunnel: return failure.flatMap(NotTestedReason.init(unreachable:)) ?? .tunnelled
        case .intercept, .answer, nil: break
        }
        if let content { return content == .silence ? .silentTunnel : .notTLS(content) }
        guard hello == nil else { return nil }
        if let failure { return NotTestedReason(beforeHello: failure) }
        if closed != nil || clientEnd != nil { return .noHello }
        return .unfinished
    }
}

extension VerdictFold {
    /// How many octets a client needed for a whole handshake; nil if it came to none.
    var wholeHandshakeLength: UInt64? { isSecured ? handshakeLength : nil }

    /// Whether the handshake was done and no application protocol agreed on, though the client offered some.
    var lacksProtocol: Bool { isSecured && agreedProtocol == nil && hello?.offersProtocols == true }

    /// What a tunnel carried, if the connection was one and is over.
    var tunnel: TunnelTraffic? {
        guard decision == .tunnel, let closed else { return nil }
        return TunnelTraffic(
            clientBytes: closed.clientBytes, originBytes: closed.originBytes,
            isAnswered: clientSpoke && clientSpokeFirst && closed.originBytes > 0, isCut: closed.by == .proxy)
    }
}

/// The level of an alert that ends a session (RFC 8446 section 6).
private let fatal: UInt8 = 2
