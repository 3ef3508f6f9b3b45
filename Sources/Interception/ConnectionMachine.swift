internal import Transcript
internal import Wire

/// The life of one connection, from its first byte to its last, as a pure state machine.
///
/// Events are the only way in, actions the only way out: there is no clock, no socket and no TLS library in here, so
/// every decision can be tested without them. The engine carries out the actions in order and reports what came of them.
/// Events that a state does not wait for are ignored; nothing that a peer can do traps.
public struct ConnectionMachine: ~Copyable {
    enum State: ~Copyable {
        case greeting(Greeting)
        case assigning(Endpoint, received: [UInt8])
        case connecting(Route, received: [UInt8])
        case hello(HelloWait)
        case originHandshake(Handshaking)
        case reconnecting(Handshaking)
        case forging(Handshaking, alpn: [UInt8]?, Page?)
        case clientHandshake(HostName, alpn: [UInt8]?, Page?)
        case serving
        case relaying(RelayState)
        case closing(Closing)
        case closed
    }

    let rules: RuleBook
    let legacy: LegacyHosts
    let limits: SizeLimits
    let rotatesPhases: Bool
    private var state: State
    var ending = Ending()

    /// Prepares the life of a connection that was just accepted.
    ///
    /// - Parameters:
    ///   - rules: The per-host rules.
    ///   - legacy: The hosts for which old TLS is open.
    ///   - credentials: What clients must know to be served; nil if anybody is.
    ///   - limits: How much is taken from a client before TLS begins.
    ///   - rotatesPhases: Whether every connection is for a phase of an experiment, which is asked for.
    public init(
        rules: RuleBook, legacy: LegacyHosts = LegacyHosts(), credentials: ProxyCredentials? = nil,
        limits: SizeLimits = SizeLimits(), rotatesPhases: Bool = false
    ) {
        self.rules = rules
        self.legacy = legacy
        self.limits = limits
        self.rotatesPhases = rotatesPhases
        state = .greeting(Greeting(credentials: credentials, limit: limits.greeting))
    }

    /// The actions with which a connection starts.
    public static let start: [ConnectionAction] = [.arm(.greeting), .read(.client, true)]

    /// Whether the connection's life is over.
    public var isClosed: Bool {
        switch state {
        case .closed: true
        default: false
        }
    }

    /// Takes an event and says what is to be done.
    ///
    /// - Parameter event: What happened.
    /// - Returns: The actions, in the order in which they are to be carried out.
    public mutating func handle(_ event: ConnectionEvent) -> [ConnectionAction] {
        var current = State.closed
        swap(&current, &state)
        var actions: [ConnectionAction] = []
        state = step(current, event, &actions)
        return actions
    }

    private mutating func step(
        _ current: consuming State, _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        let phase = current.phase
        if case .abort = event, phase != nil { return close(phase: phase ?? .closing, &actions) }
        if case .drain(idle: true) = event, let phase, phase.maySimplyEnd {
            if case .relaying = current { return cut(by: .proxy, &actions) }
            return endAll(by: .proxy, phase: phase, &actions)
        }
        switch consume current {
        case .greeting(let greeting): return greet(greeting, event, &actions)
        case .assigning(let endpoint, let received): return awaitPhase(endpoint, received, event, &actions)
        case .connecting(let route, let received): return connect(route, received, event, &actions)
        case .hello(let wait): return awaitHello(wait, event, &actions)
        case .originHandshake(let handshaking): return awaitOrigin(handshaking, event, &actions)
        case .reconnecting(let handshaking): return awaitReconnection(handshaking, event, &actions)
        case .forging(let handshaking, let alpn, let page):
            return awaitLeaf(handshaking, alpn, page, event, &actions)
        case .clientHandshake(let name, let alpn, let page): return awaitClient(name, alpn, page, event, &actions)
        case .serving: return serve(event, &actions)
        case .relaying(let relay): return carry(relay, event, &actions)
        case .closing(let closing): return linger(closing, event, &actions)
        case .closed: return .closed
        }
    }
}

extension ConnectionMachine.State {
    /// The phase that a state is part of; nil once the connection is over.
    var phase: Phase? {
        switch self {
        case .greeting: .greeting
        case .assigning: .greeting
        case .connecting: .connecting
        case .hello: .hello
        case .originHandshake: .originHandshake
        case .reconnecting: .connecting
        case .forging: .forging
        case .clientHandshake: .clientHandshake
        case .serving: .relay
        case .relaying: .relay
        case .closing: .closing
        case .closed: nil
        }
    }
}

extension Phase {
    /// Whether an idle connection in this phase can end without losing anything.
    fileprivate var maySimplyEnd: Bool {
        switch self {
        case .greeting, .hello, .relay: true
        case .connecting, .originHandshake, .forging, .clientHandshake, .closing: false
        }
    }
}
