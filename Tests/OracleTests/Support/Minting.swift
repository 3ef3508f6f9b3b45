import Crypto
import Foundation
import Pinning

/// When the certificates are minted: OkHttp, curl and urllib3 have no clock but the system's.
let now = Int64(Date().timeIntervalSince1970)
let day: Int64 = 86_400

typealias Adjustment = (inout CertificateTemplate) -> Void

/// A CA of this name; a root unless somebody signs it.
func authority(
    _ name: String, by issuer: TLSIdentity? = nil, key: PrivateKey? = nil, pathLength: Int? = nil,
    _ adjust: Adjustment = { _ in }
) throws -> TLSIdentity {
    var template = CertificateTemplate.authority(
        subject: [("CN", name)], notBefore: now - 100 * day, notAfter: now + 100 * day, pathLength: pathLength)
    adjust(&template)
    return try template.identity(key: key, issuer: issuer)
}

/// A server's certificate for api.oracle.test, which is also its common name.
func server(
    by issuer: TLSIdentity? = nil, key: PrivateKey? = nil, names: [AlternativeName] = [.dns("api.oracle.test")],
    _ adjust: Adjustment = { _ in }
) throws -> TLSIdentity {
    var template = CertificateTemplate.server(names: names, notBefore: now - 10 * day, notAfter: now + 80 * day)
    adjust(&template)
    return try template.identity(key: key, issuer: issuer)
}

/// A root, an intermediate below it and a server below that.
struct Hierarchy {
    let root: TLSIdentity
    let intermediate: TLSIdentity
    let leaf: TLSIdentity

    init(
        _ name: String = "Oracle", leaf adjustLeaf: Adjustment = { _ in },
        intermediate adjustIntermediate: Adjustment = { _ in }
    ) throws {
        root = try authority("\(name) Root")
        intermediate = try authority("\(name) Intermediate", by: root, adjustIntermediate)
        leaf = try server(by: intermediate, adjustLeaf)
    }

    /// What a sound server sends.
    var sent: [Certificate] { [leaf.certificate, intermediate.certificate] }
}

extension TLSIdentity {
    var certificate: Certificate { chain[0] }
}

extension [Certificate] {
    var facts: [CertificateFacts] { map(CertificateFacts.init) }
}
