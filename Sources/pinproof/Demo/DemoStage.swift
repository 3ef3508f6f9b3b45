internal import Authority
internal import Crypto
internal import Engine
internal import Foundation
internal import Interception
internal import Reactor
internal import TestOrigin
internal import Transcript
internal import Wire

/// Everything that the demo's clients talk to: an origin, and two proxies of which the client trusts one.
///
/// All of it lives on loopback and for this run; every key exists in memory only.
struct DemoStage: Sendable {
    /// The CA that stands for a public one: it signed the origin's certificate.
    let publicAuthority: CertificateAuthority
    /// The CA of the proxy that is trusted.
    let proxyAuthority: CertificateAuthority
    /// The origin's certificate.
    let leaf: Certificate
    /// A certificate that nobody here presents.
    let stranger: Certificate
    /// Where the origin listens.
    let originAddress: SocketAddress
    /// The origin that wants client certificates, and who has some.
    let twoWay: DemoTwoWay
    private let origin: TestOriginServer
    private let proxies: [DemoRoute: ProxyServer]
    private let transcript: TranscriptFile
    private let recorder: Recorder

    /// The name under which the origin is asked for; DNS never hears of it.
    static let endpoint = Endpoint(host: host, port: 443)
    private static var host: HostName {
        guard let host = HostName("api.example.com") else { preconditionFailure("a valid name") }
        return host
    }

    /// Starts the origin and the proxies.
    ///
    /// - Parameters:
    ///   - transcript: Where the events of both proxies go.
    ///   - swapsAuthorities: Whether each proxy uses the other's CA.
    /// - Throws: What keeps one of them from starting.
    init(transcript: TranscriptFile, swapsAuthorities: Bool) throws {
        let now = Int64(Date.now.timeIntervalSince1970)
        publicAuthority = try CertificateAuthority.ephemeral(name: "Demo public CA", now: now)
        let identity = try publicAuthority.issue(LeafRequest(host: Self.host), now: now)
        leaf = identity.chain[0]
        stranger = try CertificateAuthority.ephemeral(name: "Demo stranger", now: now).certificate
        guard let loopback = SocketAddress(.loopback, port: 0) else { preconditionFailure("loopback is an address") }
        origin = try TestOriginServer(listen: loopback, identity: identity)
        originAddress = origin.address

        let twoWay = try DemoTwoWay(signedBy: publicAuthority, listen: loopback, now: now)
        self.twoWay = twoWay
        self.transcript = transcript
        let recorder = Recorder([transcript, twoWay.watch])
        self.recorder = recorder
        let trusted = try CertificateAuthority.ephemeral(name: "Demo trusted proxy", now: now)
        let untrusted = try CertificateAuthority.ephemeral(name: "Demo untrusted proxy", now: now)
        proxyAuthority = trusted
        var configuration = ProxyConfiguration(
            listen: loopback, authority: swapsAuthorities ? untrusted : trusted,
            originTrust: try TrustStore(anchors: [publicAuthority.certificate]))
        configuration.overrides.add(host: Self.host, port: Self.endpoint.port, address: originAddress)
        // Nothing but the demo's own host is served: no demo reaches out.
        configuration.rules = try RuleBook(
            [
                Rule(Self.pattern("*"), .refuse), Rule(Self.pattern(Self.host.text), .intercept),
            ] + twoWay.hosts.values.map { Rule(try Self.pattern($0.text), .intercept) })
        try twoWay.configure(&configuration, pattern: Self.pattern)
        let first = try ProxyServer(configuration, recorder: recorder)
        configuration.authority = swapsAuthorities ? trusted : untrusted
        let second = try ProxyServer(configuration, recorder: recorder)
        proxies = [.trustedProxy: first, .untrustedProxy: second]
        recorder.record(
            .runStarted(
                RunStarted(
                    tool: Version.number, openssl: OpenSSLVersion.text,
                    listeners: [first.address.description, second.address.description],
                    authorities: (swapsAuthorities ? [untrusted, trusted] : [trusted, untrusted]).map {
                        Hex.encode($0.certificate.sha256)
                    })),
            connection: nil)
    }

    /// The proxy on a way; nil for the direct one.
    func proxy(_ route: DemoRoute) -> SocketAddress? { proxies[route]?.address }

    /// How often the app gave its certificate to a proxy on the way to a row's host.
    func identitiesSeen(of client: DemoClient) -> Int {
        recorder.flush()
        return twoWay.hosts[client].map { twoWay.watch.count(of: twoWay.app.chain[0], to: $0) } ?? 0
    }

    /// Stops everything; the transcript is finished afterwards.
    ///
    /// - Returns: How many events are missing in it.
    func stop() throws -> UInt64 {
        for proxy in proxies.values { try proxy.drain() }
        origin.stop()
        twoWay.stop()
        recorder.flush()
        let evidence: [any EventConsumer] = [transcript, twoWay.watch]
        recorder.record(
            .runEnded(RunEnded(connections: recorder.connectionCount, lost: recorder.lost(by: evidence))),
            connection: nil)
        recorder.flush()
        return recorder.lost(by: evidence)
    }

    private static func pattern(_ text: String) throws -> HostPattern {
        guard let pattern = HostPattern(text) else { preconditionFailure("a valid pattern") }
        return pattern
    }
}
