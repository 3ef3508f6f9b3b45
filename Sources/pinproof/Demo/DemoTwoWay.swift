internal import Authority
internal import Crypto
internal import Engine
internal import Foundation
internal import Reactor
internal import Synchronization
internal import TestOrigin
internal import Transcript
internal import Wire

/// The demo's two-way part: an origin that takes only the clients of one CA, and who they are.
struct DemoTwoWay: Sendable {
    /// The app's own identity, which the origin takes.
    let app: TLSIdentity
    /// An identity of another CA.
    let stranger: TLSIdentity
    /// Where the origin listens.
    let address: SocketAddress
    /// The hosts that the origin is asked for: one for each identity that a proxy has for it.
    let hosts: [DemoClient: HostName]
    /// Sees what the app gives to the proxies.
    let watch = IdentityWatch()
    private let origin: TestOriginServer

    /// Starts the origin.
    ///
    /// - Parameters:
    ///   - authority: Who signs its certificate.
    ///   - listen: Where it listens.
    ///   - now: Seconds since 1970.
    /// - Throws: What keeps it from starting.
    init(signedBy authority: CertificateAuthority, listen: SocketAddress, now: Int64) throws {
        let clients = try CertificateAuthority.ephemeral(name: "Demo clients", now: now)
        app = try clients.issue(CertificateOrder(.client("Demo app")), now: now).certificate.identity
        stranger = try CertificateAuthority.ephemeral(name: "Demo strangers", now: now)
            .issue(CertificateOrder(.client("Demo stranger")), now: now).certificate.identity
        let rows: [DemoClient] = [.appRight, .appNone, .appStranger, .appSeen]
        hosts = Dictionary(
            uniqueKeysWithValues: rows.enumerated().compactMap { index, row in
                HostName("two-way-\(index + 1).example.com").map { (row, $0) }
            })
        var wanted = OriginClients(.require)
        wanted.trust = try ClientTrust(anchors: [clients.certificate])
        let identity = try authority.issueServer(for: Array(hosts.values), now: now)
        origin = try TestOriginServer(listen: listen, identity: identity, clients: wanted)
        address = origin.address
    }

    /// What an app presents directly, and what a proxy has for it.
    func identity(of client: DemoClient) -> TLSIdentity? {
        switch client {
        case .appStranger: stranger
        case .appNone: nil
        default: app
        }
    }

    /// Gives a proxy the identities of the rows.
    func configure(_ configuration: inout ProxyConfiguration, pattern: (String) throws -> HostPattern) rethrows {
        var identities: [(pattern: HostPattern, value: IdentitySource)] = []
        for (client, host) in hosts {
            configuration.overrides.add(host: host, port: 443, address: address)
            guard let identity = identity(of: client) else { continue }
            identities.append((try pattern(host.text), IdentitySource(identity, named: "made for the demo")))
        }
        configuration.identity.identities = HostTable(identities)
    }

    /// Stops the origin.
    func stop() { origin.stop() }
}

/// Notes which certificates an app gave to a proxy, connection by connection.
final class IdentityWatch: EventConsumer {
    private let given = Mutex<[HostName: [String]]>([:])
    private let hosts = Mutex<[UInt64: HostName]>([:])

    func consume(_ events: [Event]) {
        for event in events {
            guard let connection = event.connection else { continue }
            switch event.kind {
            case .requested(_, _, let endpoint?): hosts.withLock { $0[connection] = endpoint.host }
            case .identity(let exchange) where exchange.side == .client:
                guard let host = hosts.withLock({ $0[connection] }), let leaf = exchange.chain.first else { continue }
                given.withLock { $0[host, default: []].append(leaf) }
            default: break
            }
        }
    }

    /// How often this leaf was given on the way to a host.
    func count(of leaf: Certificate, to host: HostName) -> Int {
        given.withLock { $0[host, default: []].count { $0 == Hex.encode(leaf.sha256) } }
    }
}
