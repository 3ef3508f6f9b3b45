import Authority
import Crypto
import Engine
import Glibc
import Interception
import Reactor
import TestSupport
import Transcript
import Wire

/// The host that the tests' clients ask for; nobody resolves it.
let testHost = "api.pinproof.test"

/// Everything that a test of the proxy needs: authorities, an origin under the test's control, a proxy, a log.
///
/// The proxy refuses every host that the test did not name.
final class Stage: Sendable {
    /// What a test changes.
    struct Options {
        var hosts = [testHost]
        var decision = Decision.intercept
        var workers = 1
        var limits = TimeLimits.generous
        var trustsOrigin = true
        var listen = SocketAddress.anyLoopbackPort
        /// Where connections go, if not to the stage's own origin.
        var origin: SocketAddress?
        /// Who signed the origin's certificate; nil for an authority of the stage's own.
        var publicAuthority: CertificateAuthority?
        var identity = IdentityPolicy()
        /// Hosts that no rule refuses and that are given no address.
        var allowed: [String] = []
        var maxConnections = 10_000
        var chainSize = TLSContext.usualChainSize
        var originPins = HostTable<OriginPin>()
        var scenarios = HostTable<Scenario>()
        var legacy = LegacyHosts()
        var fetchesIssuers = false
        /// What is recorded beyond handshakes.
        var capture = Capture()
        /// Whether the hosts' names are given an address at all.
        var resolves = true
    }

    let loop: EventLoop
    /// Signs the origin's certificates.
    let publicAuthority: CertificateAuthority
    /// Signs the forged leaves.
    let proxyAuthority: CertificateAuthority
    let origin: PeerListener
    let log = EventLog()
    let recorder: Recorder
    let proxy: ProxyServer
    let now = Int64(time(nil))
    private let ownLoop: TestLoop

    init(_ adjust: (inout Options) throws -> Void = { _ in }) async throws {
        var options = Options()
        try adjust(&options)
        ownLoop = try TestLoop()
        loop = ownLoop.loop
        publicAuthority = try options.publicAuthority ?? CertificateAuthority.ephemeral(name: "Public", now: now)
        proxyAuthority = try CertificateAuthority.ephemeral(name: "Proxy", now: now)
        origin = try await PeerListener(on: loop)
        recorder = Recorder([log])
        let anchors = options.trustsOrigin ? [publicAuthority.certificate] : []
        var configuration = ProxyConfiguration(
            listen: options.listen, authority: proxyAuthority, originTrust: try TrustStore(anchors: anchors))
        configuration.workers = options.workers
        configuration.limits = options.limits
        configuration.identity = options.identity
        configuration.maxConnections = options.maxConnections
        configuration.chainSize = options.chainSize
        configuration.originPins = options.originPins
        configuration.scenarios = options.scenarios
        configuration.legacy = options.legacy
        configuration.fetchesIssuers = options.fetchesIssuers
        configuration.capture = options.capture
        var rules = [Rule(try HostPattern.required("*"), .refuse)]
        for host in options.allowed { rules.append(Rule(try HostPattern.required(host), options.decision)) }
        for host in options.hosts {
            rules.append(Rule(try HostPattern.required(host), options.decision))
            guard options.resolves else { continue }
            configuration.overrides.add(
                host: try HostName.required(host), port: nil, address: options.origin ?? origin.address)
        }
        configuration.rules = RuleBook(rules)
        proxy = try ProxyServer(configuration, recorder: recorder)
    }

    deinit { proxy.stop() }

    /// A connection to the proxy on which nothing was sent, or this at once: a limit may be running.
    func client(receiveBuffer: Int32? = nil, sending first: String = "") async throws -> Peer {
        try await .connect(on: loop, to: proxy.address, receiveBuffer: receiveBuffer, sending: Array(first.utf8))
    }

    /// A connection on which the proxy has answered CONNECT with 200.
    func connectedClient(_ host: String = testHost, receiveBuffer: Int32? = nil) async throws -> Peer {
        let client = try await client(receiveBuffer: receiveBuffer)
        try await client.send("CONNECT \(host):443 HTTP/1.1\r\nHost: \(host):443\r\n\r\n")
        let answer = try await client.receive(through: "\r\n\r\n")
        guard answer == "HTTP/1.1 200 Connection established\r\n\r\n" else { throw Unfulfilled(answer) }
        return client
    }

    /// What clients that trust the proxy's CA use.
    func clientContext(
        _ version: UInt16? = nil, _ tolerance: TLSContext.Tolerance = .standard
    ) throws -> TLSContext {
        try .client(trust: TrustStore(anchors: [proxyAuthority.certificate]), tolerance, maximumVersion: version)
    }

    /// A sound identity for the origin, or a faulty one.
    func originIdentity(
        _ host: String = testHost, notBefore: Int64 = -3600, notAfter: Int64 = 3600
    ) throws -> TLSIdentity {
        try publicAuthority.issue(
            .server(names: [.dns(host)], notBefore: now + notBefore, notAfter: now + notAfter))
    }

    /// A tunnelled connection: both ends are there.
    func tunnelledPair(receiveBuffer: Int32? = nil) async throws -> (client: Peer, origin: Peer) {
        let client = try await connectedClient(receiveBuffer: receiveBuffer)
        return (client, try await origin.accept())
    }

    /// An intercepted connection: both handshakes are complete.
    func interceptedPair(
        version: UInt16? = nil, alpn: String? = nil, offering: [String] = [], receiveBuffer: Int32? = nil
    ) async throws -> (client: Peer, origin: Peer) {
        let client = try await connectedClient(receiveBuffer: receiveBuffer)
        try await client.beginTLS(to: .required(testHost), clientContext(), alpn: offering)
        let origin = try await origin.accept()
        try await origin.beginTLS(.server(maximumVersion: version), identity: originIdentity(), alpn: alpn)
        try await client.secured()
        try await origin.secured()
        return (client, origin)
    }
}

extension TimeLimits {
    /// Limits that only a connection that hangs comes up against.
    static var generous: TimeLimits {
        var limits = TimeLimits()
        limits.greeting = patience
        limits.connect = patience
        limits.silence = patience
        limits.hello = patience
        limits.handshake = patience
        limits.drain = patience
        return limits
    }
}

extension HostName {
    /// A host that a test wrote down.
    static func required(_ text: String) throws -> HostName {
        guard let host = HostName(text) else { throw Unfulfilled("\(text) is no host") }
        return host
    }
}

extension HostPattern {
    /// A pattern that a test wrote down.
    static func required(_ text: String) throws -> HostPattern {
        guard let pattern = HostPattern(text) else { throw Unfulfilled("\(text) is no pattern") }
        return pattern
    }
}
