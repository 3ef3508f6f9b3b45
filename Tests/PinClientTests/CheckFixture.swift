import Crypto
import PinClient
import Pinning
import Reactor
import Synchronization
import Wire

/// 2025-06-15 15:06:40 UTC: when the tests take place.
let testTime: Int64 = 1_750_000_000
private let day: Int64 = 86_400

/// The host that the tests' clients ask for; nobody resolves it.
let testHost = "api.pinproof.test"

/// A private authority and a server's identity below it.
struct TestChain {
    let authority: TLSIdentity
    let server: TLSIdentity

    init(_ adjust: (inout CertificateTemplate) -> Void = { _ in }) throws {
        authority = try CertificateTemplate.authority(
            subject: [("CN", "Test Authority \(UInt64.random(in: 0 ... .max))")], notBefore: testTime - 300 * day,
            notAfter: testTime + 300 * day
        ).identity()
        server = try Self.leaf(below: authority, key: nil, adjust)
    }

    /// Another server's identity.
    func identity(for names: [AlternativeName]) throws -> TLSIdentity {
        try Self.leaf(below: authority, key: nil) { $0.alternativeNames = names }
    }

    /// Another certificate for the same key.
    func renewed() throws -> Certificate {
        try Self.leaf(below: authority, key: server.key) { _ in }.chain[0]
    }

    var root: Certificate { authority.chain[0] }
    var leaf: Certificate { server.chain[0] }

    private static func leaf(
        below authority: TLSIdentity, key: PrivateKey?, _ adjust: (inout CertificateTemplate) -> Void
    ) throws -> TLSIdentity {
        var template = CertificateTemplate.server(
            names: [.dns(testHost)], notBefore: testTime - 10 * day, notAfter: testTime + 80 * day)
        adjust(&template)
        return try template.identity(key: key, issuer: authority)
    }
}

/// A loop of the test's own, which ends with it, as does what was to live as long.
final class TestLoop: Sendable {
    let loop: EventLoop
    private let kept = Mutex<[any Sendable]>([])

    init() throws { loop = try EventLoop.onOwnThread(name: "test") }

    deinit {
        loop.stop()
        loop.join()
    }

    func keep(_ value: some Sendable) { kept.withLock { $0.append(value) } }
}

extension AFSecurityPolicy.Pin {
    init(_ name: String, _ certificate: Certificate) {
        self.init(name: name, certificate: CertificateFacts(certificate))
    }
}

extension Check {
    /// A check of the tests' host with a platform that trusts these certificates.
    init(
        _ policy: any PinningPolicy, trusting anchors: [Certificate], at address: SocketAddress,
        proxy: Endpoint? = nil, limits: CheckLimits = CheckLimits()
    ) throws {
        self.init(
            url: try CheckURL("https://\(testHost)/path?query"), policy: policy,
            trust: PathBuilder(platform: try TrustStore(anchors: anchors)), time: testTime)
        self.proxy = proxy
        self.limits = limits
        let expected = proxy ?? url.endpoint
        override = { $0 == expected ? address : nil }
    }
}
