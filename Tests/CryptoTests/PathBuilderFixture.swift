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

    init(
        _ name: String = "Example", rootKey: KeyKind = .p256,
        intermediate adjust: (inout CertificateTemplate) -> Void = { _ in }
    ) throws {
        let top = CertificateTemplate.authority(
            subject: [("CN", "\(name) Root")], notBefore: pathTestTime - 900 * day,
            notAfter: pathTestTime + 900 * day)
        let key = try PrivateKey.generate(rootKey)
        root = TLSIdentity(chain: [try top.signed(for: key)], key: key)
        var below = CertificateTemplate.authority(
            subject: [("CN", "\(name) Intermediate")], notBefore: pathTestTime - 500 * day,
            notAfter: pathTestTime + 500 * day)
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
            names: [.dns("api.example.com")], notBefore: pathTestTime - 10 * day, notAfter: pathTestTime + 80 * day)
        adjust(&template)
        return try template.signed(for: PrivateKey.generate(key), by: issuer ?? intermediate)
    }
}

/// Evaluates with what most tests have in common.
func evaluate(
    _ sent: [Certificate], policy: TrustPolicy = .basicX509, anchors: [Certificate]? = nil, anchorsOnly: Bool? = nil,
    platform: [Certificate] = [], time: Int64 = pathTestTime
) throws -> TrustResult {
    try PathBuilder(platform: TrustStore(anchors: platform)).evaluate(
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
