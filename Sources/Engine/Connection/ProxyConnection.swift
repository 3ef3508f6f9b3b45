internal import Authority
internal import Crypto
internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

/// One client's connection: carries out what its `ConnectionMachine` decides, and tells it what came of that.
///
/// **Thread:** confined to its worker's loop.
final class ProxyConnection {
    /// What a side does when its socket has something to read.
    enum Reading {
        /// Bytes before TLS go to the machine.
        case plain
        /// The TLS handshake goes on.
        case handshake
        /// Requests go to the page that is served.
        case page
        /// Bytes go to the other side.
        case relay
        /// Only the end still matters.
        case discard
    }

    let number: UInt64
    let worker: Worker
    let client: Channel
    var origin: Channel?
    var clientReading = Reading.plain
    var originReading = Reading.plain
    /// The sides whose peer is read from at the moment.
    var reads: Set<Side> = []
    /// Sides whose peer takes bytes more slowly than they come.
    var full: Set<Side> = []
    /// The sides whose TLS session broke during the relay.
    var broken: Set<Side> = []
    /// The sides from which application bytes came.
    var spoke: Set<Side> = []
    var bytes: (client: UInt64, origin: UInt64) = (0, 0)
    /// Sides whose bytes are moved in the loop's next turn.
    var pumps: Set<Side> = []
    var pendingConnect: PendingConnect?
    /// The server name in the client's hello.
    var offeredName: String?
    /// Whether the client takes no signatures but those with SHA-1, or older.
    var needsSHA1 = false
    /// The name that the origin is asked for, or that the leaf is for where it is not asked.
    var asked: Endpoint?
    /// The phase that the connection is for; nil where there is no experiment, or it is over the whole proxy.
    var assignment: PhaseAssignment?
    var identity = IdentityExchanges()
    var mirror = OriginMirror()
    var issuers = IssuerSearch()
    var leaf: ForgedLeaf?
    /// Records what the connection carries; nil where that is not wanted.
    var content: ContentTap?
    /// What the connection has shown of its client.
    private var evidence = VerdictFold()
    /// Looks at how HTTP/1 is framed; nil where that is not spoken, or can be followed no longer.
    var framing: FramingWatch?
    var framingEvents = 0
    /// Looks for the client's first request in HTTP/2; nil where that is not spoken, or once it was found.
    var requests: HTTP2RequestWatch?
    var answering: AnsweringStream?
    var clientTap: SessionTap?
    var originTap: SessionTap?
    var resetTimer: LoopTimer?
    /// When a byte last moved, on the recorder's clock.
    var lastMoved: UInt64

    private var machine: ConnectionMachine
    private var events: [ConnectionEvent] = []
    private var isHandling = false
    private var timer: LoopTimer?
    private let started: UInt64
    /// What the peers had not taken yet when that was last looked at.
    private var lastUntaken = 0

    /// Takes over an accepted socket.
    init(number: UInt64, stream: SocketStream, worker: Worker) {
        self.number = number
        self.worker = worker
        let configuration = worker.configuration
        client = Channel(stream, chunk: configuration.relayBuffer)
        machine = ConnectionMachine(
            rules: configuration.rules, legacy: configuration.legacy, credentials: configuration.credentials,
            limits: configuration.sizes, rotatesPhases: configuration.rotation != nil)
        started = worker.recorder.elapsed
        lastMoved = started
    }

    /// Begins to read the client's greeting.
    func start() {
        record(
            .opened(
                client: client.stream.peerAddress.text, listener: client.stream.localAddress.text))
        watch(client, .client)
        perform(ConnectionMachine.start)
    }

    /// Tells the machine what happened and carries out what it decides, events that this causes included.
    func submit(_ event: ConnectionEvent) {
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        var next = 0
        while next < events.count {
            let event = events[next]
            next += 1
            perform(machine.handle(event))
        }
        events.removeAll(keepingCapacity: true)
    }

    /// The proxy is stopping: a connection is busy as long as bytes come, or go.
    func drain() {
        // What has come and was not read yet counts.
        for side in [Side.client, .origin] where isRelaying(side) { pump(side) }
        submit(.drain(idle: quiet > .milliseconds(500) && untaken == 0))
    }

    /// Records an event of this connection.
    func record(_ kind: Event.Kind) {
        evidence.add(kind)
        worker.recorder.record(kind, connection: number)
    }

    /// Records an event that names certificates.
    func record(_ kind: Event.Kind, naming certificates: [Certificate]) {
        evidence.add(kind)
        worker.recorder.record(kind, naming: certificates, connection: number)
    }

    func channel(_ side: Side) -> Channel? {
        side == .client ? client : origin
    }

    func tap(_ side: Side) -> SessionTap? {
        side == .client ? clientTap : originTap
    }

    /// Installs what happens when the socket of a side is ready.
    func watch(_ channel: Channel, _ side: Side) {
        channel.stream.onReadable = { [unowned self] in readable(side) }
        channel.stream.onWritable = { [unowned self] in writable(side) }
    }

    private func perform(_ actions: [ConnectionAction]) {
        for action in actions {
            switch action {
            case .assignPhase(let endpoint): assignPhase(endpoint)
            case .connect(let endpoint): connect(endpoint)
            case .reply(let bytes): reply(bytes)
            case .secureOrigin(let endpoint, let alpn): secureOrigin(endpoint, alpn: alpn)
            case .reconnect(let endpoint): reconnect(endpoint)
            case .rememberRefusal(let endpoint): worker.shared.remember(refusingHTTP2: endpoint)
            case .forge(let endpoint, let key): forge(endpoint, key: key)
            case .secureClient(let alpn, let received): secureClient(alpn: alpn, received: received)
            case .relay(let secured, let received): relay(secured: secured, received: received)
            case .deliver(let bytes): deliver(bytes)
            case .serve(let page, let version): serve(page, version)
            case .read(let side, let wanted): read(side, wanted)
            case .discard(let side): discard(side)
            case .finish(let side, let how): finish(side, how)
            case .arm(let limit): arm(limit)
            case .record(let kind): record(kind)
            case .recordHello(let hello):
                offeredName = hello.serverName
                needsSHA1 = hello.needsSHA1
                record(.hello(HelloRecord(hello)))
            case .close(let end): close(end)
            }
        }
    }

    private func arm(_ limit: TimeLimit) {
        lastMoved = worker.recorder.elapsed
        lastUntaken = untaken
        arm(limit, length(of: limit))
    }

    /// How long a limit is: what only gathers evidence is not kept open for as long as what the client needs.
    private func length(of limit: TimeLimit) -> Duration {
        if limit == .idle, let rotation = worker.configuration.rotation, assignment?.isEvidence == true {
            return rotation.idle
        }
        return worker.configuration.limits.duration(limit)
    }

    /// The one phase timer; the limits of the relay and of the end only run out if nothing moved for as long.
    private func arm(_ limit: TimeLimit, _ duration: Duration) {
        timer?.cancel()
        timer = worker.loop.timer(after: duration) { [unowned self] in
            switch limit {
            case .idle, .drain:
                // A peer that takes bytes slowly is not idle, though the kernel has had them all for long.
                let left = length(of: limit) - quietTime(countingArrivals: limit == .idle)
                if left > .zero { arm(limit, left) } else { submit(.timedOut) }
            case .greeting, .connect, .silence, .hello, .handshake: submit(.timedOut)
            }
        }
    }

    /// How long nothing has moved that counts: bytes that come, if those do, and bytes that peers take.
    private func quietTime(countingArrivals: Bool) -> Duration {
        let before = lastUntaken
        lastUntaken = untaken
        let hasMoved = countingArrivals ? lastUntaken != before : lastUntaken < before
        if hasMoved { lastMoved = worker.recorder.elapsed }
        return quiet
    }

    /// How many bytes the peers have not taken yet.
    private var untaken: Int { client.untaken + (origin?.untaken ?? 0) }

    /// How long no byte has moved.
    private var quiet: Duration { .nanoseconds(Int64(worker.recorder.elapsed &- lastMoved)) }

    private func close(_ end: ConnectionEnd) {
        timer?.cancel()
        resetTimer?.cancel()
        identity.hold?.cancel()
        pendingConnect?.cancel()
        issuers.fetch?.cancel()
        finishTap(.client)
        finishTap(.origin)
        // What was put off to a later turn finds nothing left to do.
        reads = []
        answering = nil
        client.close()
        origin?.close()
        for side in [Side.client, .origin] {
            tap(side)?.flush()
            content?.finish(side)
        }
        let closed = Event.Kind.closed(
            Closed(
                by: end.by, phase: end.phase, client: end.client, origin: end.origin, clientBytes: bytes.client,
                originBytes: bytes.origin, nanoseconds: worker.recorder.elapsed &- started))
        // The verdict rests on how the connection ended too, and stands before its last line.
        evidence.add(closed)
        record(.verdict(RecordedVerdict(evidence.verdict)))
        record(closed)
        worker.forget(self)
    }
}
