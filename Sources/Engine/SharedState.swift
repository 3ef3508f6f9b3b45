internal import Authority
internal import Crypto
internal import Glibc
internal import Reactor
internal import Transcript
internal import Wire

/// What the workers of one proxy share: made once, because each of these costs as much as many handshakes.
final class SharedState: Sendable {
    private let trustedForge: Forge
    private let untrustedForge: Forge?
    private let clientContexts: (standard: TLSContext, legacy: TLSContext)
    private let originContexts: (standard: TLSContext, legacy: TLSContext)
    private let listeners = Guarded<[SocketAddress]>([])
    /// What was fetched, for whom and from where.
    private let issuers = Guarded(LeastRecentlyUsed<FetchedIssuer, Certificate>(capacity: 256))
    /// The endpoints whose origins end handshakes that offer HTTP/2.
    private let http1Only = Guarded(LeastRecentlyUsed<Endpoint, Bool>(capacity: 1024))

    init(_ configuration: ProxyConfiguration) throws {
        trustedForge = Forge(authority: configuration.authority)
        untrustedForge = configuration.rotation.map { Forge(authority: $0.untrusted) }
        let size = configuration.chainSize
        clientContexts = (try .server(chainSize: size), try .server(.legacy, chainSize: size))
        let trust = configuration.originTrust
        originContexts = (
            try .client(trust: trust, chainSize: size), try .client(trust: trust, .legacy, chainSize: size)
        )
    }

    /// Who makes the leaves of a phase; nil in the baseline, and for the untrusted phase where phases do not rotate.
    func forge(for phase: ExperimentPhase) -> Forge? {
        switch phase {
        case .baseline: nil
        case .untrusted: untrustedForge
        case .trusted: trustedForge
        }
    }

    /// What the TLS sessions of a side are made from.
    func context(_ side: Side, isLegacy: Bool) -> TLSContext {
        let contexts = side == .client ? clientContexts : originContexts
        return isLegacy ? contexts.legacy : contexts.standard
    }

    /// Keeps an issuer that was fetched.
    func remember(_ issuer: Certificate, of orphan: Certificate, at location: HTTPLocation) {
        issuers.withLock { $0.insert(issuer, for: FetchedIssuer(orphan: orphan, location: location)) }
    }

    /// The issuer of a certificate, if it was fetched before.
    func issuer(of orphan: Certificate, at location: HTTPLocation) -> Certificate? {
        issuers.withLock { $0.value(for: FetchedIssuer(orphan: orphan, location: location)) }
    }

    /// Keeps in mind that an endpoint's origin ends handshakes that offer HTTP/2.
    func remember(refusingHTTP2 endpoint: Endpoint) {
        http1Only.withLock { $0.insert(true, for: endpoint) }
    }

    /// Whether an endpoint's origin is known to end handshakes that offer HTTP/2.
    func refusesHTTP2(_ endpoint: Endpoint) -> Bool {
        http1Only.withLock { $0.value(for: endpoint) ?? false }
    }

    /// Keeps an address that this proxy listens on.
    func add(listener: SocketAddress) {
        listeners.withLock { $0.append(listener) }
    }

    /// Whether a connection to this address would come back to the proxy.
    func listens(on address: SocketAddress) -> Bool {
        listeners.withLock { listeners in
            listeners.contains { listener in
                // Any address of this machine reaches a listener on the unspecified one, and the unspecified one reaches
                // any listener.
                listener.port == address.port
                    && (listener == address || address.isUnspecified || listener.isUnspecified && address.isLocal)
            }
        }
    }
}

/// What determines an issuer that was fetched.
private struct FetchedIssuer: Hashable, Sendable {
    let orphan: Certificate
    let location: HTTPLocation
}

/// Seconds since 1970, for certificates' validity.
func wallSeconds() -> Int64 { Int64(time(nil)) }
