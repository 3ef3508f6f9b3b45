import Crypto
import Pinning
import Wire

/// 2025-06-15 15:06:40 UTC: when the tests of paths take place.
let pathTestTime: Int64 = 1_750_000_000
private let day: Int64 = 86_400

/// A private hierarchy: a root, an intermediate below it, and leaves that a test mints.
struct Hierarchy {
    let root: TLSIdentity
    let intermediate: TLSIdentity
    private let time: Int64

    /// Mints the two authorities, which are valid for years around a time.
    init(
        _ name: String = "Example", rootKey: KeyKind = .p256, at time: Int64 = pathTestTime,
        intermediate adjust: (inout CertificateTemplate) -> Void = { _ in }
    ) throws {
        self.time = time
        let top = CertificateTemplate.authority(
            subject: [("CN", "\(name) Root")], notBefore: time - 900 * day, notAfter: time + 900 * day)
        let key = try PrivateKey.generate(rootKey)
        root = TLSIdentity(chain: [try top.signed(for: key)], key: key)
        var below = CertificateTemplate.authority(
            subject: [("CN", "\(name) Intermediate")], notBefore: time - 500 * day,
            notAfter: time + 500 * day)
        adjust(&below)
        intermediate = try below.identity(issuer: root)
    }

    var rootCertificate: Certificate { root.chain[0] }
    var intermediateCertificate: Certificate { intermediate.chain[0] }

    /// Mints a leaf for api.example.com below the intermediate.
    func leaf(
        key: KeyKind = .p256, issuer: TLSIdentity? = nil, _ adjust: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> Certificate {
        var template = CertificateTemplate.server(
            names: [.dns("api.example.com")], notBefore: time - 10 * day, notAfter: time + 80 * day)
        adjust(&template)
        return try template.signed(for: PrivateKey.generate(key), by: issuer ?? intermediate)
    }
}

/// An authority that may only certify a name and what is below it.
func strictAuthority(_ name: String, issuer: TLSIdentity? = nil) throws -> TLSIdentity {
    var template = CertificateTemplate.authority(
        subject: [("CN", "For \(name)")], notBefore: pathTestTime - 500 * day, notAfter: pathTestTime + 500 * day)
    template.nameConstraints = NameConstraints(permitted: [.dns(name)])
    return try template.identity(issuer: issuer)
}

/// Evaluates with what most tests have in common; `platform` is what came with the system.
func evaluate(
    _ sent: [Certificate], policy: TrustPolicy = .basicX509, anchors: [Certificate]? = nil, anchorsOnly: Bool? = nil,
    platform: [Certificate] = [], user: [Certificate] = [], application: [Certificate] = [],
    suffixes: (any PublicSuffixes)? = nil, time: Int64 = pathTestTime, epoch: AppleEpoch = .iOS13
) throws -> TrustResult {
    let own = PlatformAnchors(system: try TrustStore(anchors: platform), user: user, application: application)
    return PathBuilder(platform: own, epoch: epoch, suffixes: suffixes).evaluate(
        policy: policy, anchors: anchors.map { $0.map(CertificateFacts.init) },
        anchorsOnly: anchorsOnly ?? (anchors != nil),
        sent: sent.map(CertificateFacts.init), time: time)
}

/// The policy of TLS servers.
func server(_ host: String?) -> TrustPolicy { .ssl(host: host.flatMap { HostName($0) }) }

extension TrustResult {
    /// The path as certificates' names.
    var names: [String] { path.map(\.subject) }
    /// What is wrong and where.
    var faults: [String] { errors.map { "\($0.kind.rawValue) \($0.depth)" } }
}
