import Crypto
import Recheck
import Transcript
import TranscriptFiles
import Wire

/// A transcript of one run, made from handshakes between sessions in memory.
final class Recording {
    /// How a handshake is recorded.
    struct Settings {
        var clients: TLSContext?
        var servers: TLSContext?
        var version: UInt16 = 0x0304
        var identity: TLSIdentity?
        /// What the client shows in the handshake.
        var clientIdentity: TLSIdentity?
        /// What it shows if it is asked later.
        var lateIdentity: TLSIdentity?
        var offering: [String] = []
        var agreeing: String?
        var verify: TLSSession.Verification = .custom { _ in .accept }
        /// As a recorder does without --capture: the handshake's secrets of TLS 1.3.
        var secrets: (String) -> Bool = { $0.hasSuffix("HANDSHAKE_TRAFFIC_SECRET") }
        /// As with --capture wire.
        var recordsTraffic = false
        var offersLateAuthentication = false

        /// Everything that a recorder can record.
        var withEverything: Settings {
            var copy = self
            copy.secrets = { _ in true }
            copy.recordsTraffic = true
            return copy
        }
    }

    let authority: TLSIdentity
    private(set) var events: [Event] = []
    private var named: Set<String> = []
    private var connection: UInt64 = 0

    static let version = "1"
    static let hour: Int64 = 3600
    static let now: Int64 = 1_796_100_000

    init() throws {
        authority = try CertificateTemplate.authority(
            subject: [("CN", "Run's CA")], notBefore: Self.now - Self.hour, notAfter: Self.now + Self.hour
        ).identity()
        let run = RunStarted(
            tool: Self.version, openssl: "3", listeners: [], authorities: [Hex.encode(authority.chain[0].sha256)])
        append(nil, .runStarted(run))
    }

    /// A leaf of the run's CA, or of another.
    func server(key: PrivateKey? = nil, issuer: TLSIdentity? = nil) throws -> TLSIdentity {
        try CertificateTemplate.server(
            names: [.dns("api.pinproof.test")], notBefore: Self.now - Self.hour, notAfter: Self.now + Self.hour
        ).identity(key: key, issuer: issuer ?? authority)
    }

    func append(_ connection: UInt64?, _ kind: Event.Kind) {
        events.append(Event(connection: connection, monotonic: UInt64(events.count), wall: 0, kind: kind))
    }

    private func name(_ certificates: [Certificate]) -> [String] {
        certificates.map { certificate in
            let digest = Hex.encode(certificate.sha256)
            if named.insert(digest).inserted { append(connection, .certificate(digest: digest, der: certificate.der)) }
            return digest
        }
    }

    /// Records a connection of which this is the client's side.
    @discardableResult
    func connect(
        _ settings: Settings = Settings(),
        then: (_ client: TLSSession, _ server: TLSSession, Wires) -> Void = { _, _, _ in }
    ) throws -> UInt64 {
        connection += 1
        let number = connection
        append(number, .opened(client: "127.0.0.1:1", listener: "127.0.0.1:2"))
        approach(number)
        let identity = try settings.identity ?? server()
        _ = name([authority.chain[0]])
        let chain = name(identity.chain)
        append(number, .forged(host: "api.pinproof.test", digest: chain[0], key: "EC P-256", fromCache: false))
        append(number, .chain(.client, chain))
        try handshake(.client, settings, identity, then: then)
        finish(number)
        return number
    }

    /// Records a connection of which this is the origin's side.
    func connectToOrigin(
        _ settings: Settings = Settings(),
        then: (_ client: TLSSession, _ server: TLSSession, Wires) -> Void = { _, _, _ in }
    ) throws {
        connection += 1
        append(connection, .opened(client: "127.0.0.1:1", listener: "127.0.0.1:2"))
        approach(connection)
        append(connection, .connected(origin: "127.0.0.1:443", nanoseconds: 1))
        let identity = try settings.identity ?? server()
        try handshake(.origin, settings, identity, then: then)
        finish(connection)
    }

    private func approach(_ number: UInt64) {
        append(
            number,
            .requested(
                method: "CONNECT", target: "api.pinproof.test:443",
                endpoint: HostName("api.pinproof.test").map { Endpoint(host: $0, port: 443) }))
        append(number, .decided(.intercept, rule: nil))
    }

    private func finish(_ number: UInt64) {
        append(number, .ended(.client, .fin, .closing))
        var fold = VerdictFold()
        let closed = Event.Kind.closed(
            Closed(
                by: .client, phase: .closing, client: .fin, origin: nil, clientBytes: 0, originBytes: 0, nanoseconds: 1)
        )
        for event in events where event.connection == number { fold.add(event.kind) }
        fold.add(closed)
        append(number, .verdict(RecordedVerdict(fold.verdict)))
        append(number, closed)
    }

    /// Ends the run.
    func end() { append(nil, .runEnded(RunEnded(connections: connection, lost: 0))) }

    /// Carries bytes between both ends.
    final class Wires {
        let client: TLSSession
        let server: TLSSession

        init(_ client: TLSSession, _ server: TLSSession) {
            self.client = client
            self.server = server
        }

        /// Delivers what waits; false if nothing does.
        func carry() -> Bool {
            let (up, down) = (client.outbound.takeAll(), server.outbound.takeAll())
            server.inbound.append(up)
            client.inbound.append(down)
            return !up.isEmpty || !down.isEmpty
        }

        /// Reads at both ends until nothing is on its way.
        func settle() {
            let sink = ByteQueue()
            repeat {
                _ = client.read(into: sink, upTo: .max)
                _ = server.read(into: sink, upTo: .max)
            } while carry()
        }
    }

    private func handshake(
        _ side: Side, _ settings: Settings, _ identity: TLSIdentity,
        then: (_ client: TLSSession, _ server: TLSSession, Wires) -> Void
    ) throws {
        let number = connection
        guard let host = HostName("api.pinproof.test") else { return }
        let clients = try settings.clients ?? .client(trust: nil, maximumVersion: settings.version)
        let client = try TLSSession.connecting(
            clients, to: host, verify: settings.verify, alpn: settings.offering.map { Array($0.utf8) },
            offersLateAuthentication: settings.offersLateAuthentication)
        let authentication = settings.clientIdentity.map { _ in ClientAuthentication(isRequired: true) }
        let server = try TLSSession.accepting(
            settings.servers ?? .server(), identity: identity, authentication: authentication,
            alpn: settings.agreeing.map { Array($0.utf8) })
        client.onIdentityRequest = { _ in settings.clientIdentity ?? settings.lateIdentity }
        let own = side == .client ? server : client
        let log = SessionLog(own, side, secrets: settings.secrets) { [unowned self] in append(number, $0) }
        _ = client.handshake()
        if side == .client {
            // The proxy reads the hello before its session does: header of the record, header of the message.
            let wire = client.outbound.withBytes { [UInt8]($0) }
            append(number, .hello(Fingerprints.of(try ClientHello(message: wire[9...]))))
        }
        let wires = Wires(client, server)
        while wires.carry() {
            _ = server.handshake()
            _ = client.handshake()
        }
        log.finish(recordsTraffic: settings.recordsTraffic)
        if side == .origin { append(number, .chain(.origin, name(client.peerChain))) }
        if let given = settings.clientIdentity {
            append(number, .identity(IdentityExchange(side: side, authorities: [], chain: name(given.chain))))
        }
        if let facts = own.parameters {
            append(
                number,
                .secured(
                    side,
                    TLSParameters(
                        version: facts.version, cipherSuite: facts.cipherSuite, cipherSuiteName: facts.cipherSuiteName,
                        group: facts.group, alpn: facts.alpn.map(TLSNames.applicationProtocol),
                        serverName: "api.pinproof.test", resumed: facts.resumed)))
        }
        then(client, server, wires)
        if let given = settings.lateIdentity {
            append(number, .identity(IdentityExchange(side: side, authorities: [], chain: name(given.chain))))
        }
    }
}

extension Recording {
    /// The lines of these events, chained.
    static func lines(_ events: [Event], after digest: [UInt8]? = nil) -> [[UInt8]] {
        var previous = digest
        return events.map { event in
            var line: [UInt8] = []
            EventEncoder().encode(event, link: previous.map { .after($0) } ?? .first, into: &line)
            line.removeLast()
            previous = Digest.sha256(line)
            return line
        }
    }

    static func file(_ lines: [[UInt8]]) -> [UInt8] { lines.flatMap { $0 + [0x0A] } }

    /// Checks the transcript as it is.
    func check(digest: [UInt8]? = nil) throws -> Checked { try Checked(Self.file(Self.lines(events)), digest: digest) }

    /// Checks the transcript as a forger leaves it who computes all digests again.
    func check(
        forging change: (inout [Event]) -> Void, digest: [UInt8]? = nil, authorities: [Certificate] = []
    ) throws -> Checked {
        var events = events
        change(&events)
        return try Checked(Self.file(Self.lines(events)), digest: digest, authorities: authorities)
    }
}

/// What came of a check.
struct Checked {
    private(set) var connections: [ConnectionCheck] = []
    let summary: CheckSummary

    init(_ files: [UInt8]..., digest: [UInt8]? = nil, authorities: [Certificate] = []) throws {
        var connections: [ConnectionCheck] = []
        var check = TranscriptCheck(version: Recording.version, expectedDigest: digest, authorities: authorities) {
            connections.append($0)
        }
        for (index, file) in files.enumerated() {
            try check.read(TranscriptReader(bytes: file), name: "file \(index + 1)")
        }
        summary = check.finish()
        self.connections = connections
    }

    /// The results of a kind of claim, in order.
    func results(_ kind: Claim.Kind) -> [Claim.Result] {
        connections.flatMap(\.claims).filter { $0.kind == kind }.map(\.result)
    }

    /// Whether a kind was claimed, and each time proven.
    func proves(_ kind: Claim.Kind) -> Bool {
        let results = results(kind)
        return !results.isEmpty && results.allSatisfy { $0 == .proven }
    }

    /// The kinds that are false.
    var failed: Set<Claim.Kind> { Set(summary.failures.map(\.claim.kind)) }
}
