internal import Authority
internal import Crypto
internal import Engine
internal import Foundation
internal import Reactor
internal import Wire

/// A proxy for one check: it intercepts every host, with a CA that exists in memory only.
struct CheckInterception {
    /// The CA, which the client has to trust.
    let authority: CertificateAuthority

    /// Makes the CA.
    init() throws { authority = try .ephemeral(now: Int64(Date.now.timeIntervalSince1970)) }

    /// Starts the proxy on loopback.
    ///
    /// - Parameters:
    ///   - trust: What it trusts of servers.
    ///   - overrides: Addresses that override DNS.
    /// - Returns: The proxy, which runs until it is drained.
    /// - Throws: What keeps it from listening.
    func start(trusting trust: TrustStore, _ overrides: ResolveOverrides) throws -> ProxyServer {
        guard let loopback = SocketAddress(.loopback, port: 0) else { preconditionFailure("loopback is an address") }
        var configuration = ProxyConfiguration(listen: loopback, authority: authority, originTrust: trust)
        configuration.overrides = overrides
        configuration.limits.drain = .seconds(1)
        return try ProxyServer(configuration, recorder: Recorder([]))
    }
}
