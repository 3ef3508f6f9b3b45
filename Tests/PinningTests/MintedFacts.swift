import Pinning
import Wire

/// A certificate with names, a key and an issuer, whose signature says by which key it was made.
///
/// - Parameters:
///   - name: Its subject's name.
///   - key: Its key's name; the subject's if there is none.
///   - issuer: Who issued it; nil for itself.
///   - pathLength: How many authorities may follow below it; nil if it is no authority, `.max` if it does not say.
///   - names: Its alternative names; an address stands in brackets.
/// - Returns: The facts of it.
func minted(
    _ name: String, key: String? = nil, by issuer: CertificateFacts? = nil, pathLength: Int? = nil,
    names: [String] = []
) -> CertificateFacts {
    let key = key ?? name
    let issuerKey = issuer.flatMap { $0.publicKey.map { String(decoding: $0, as: UTF8.self) } } ?? key
    let names = names.map { name -> CertificateDetails.Name in
        guard name.hasPrefix("["), let octets = HostName(String(name.dropFirst().dropLast()))?.addressBytes else {
            return .dns(name)
        }
        return .address(octets)
    }
    return CertificateFacts(
        der: Array("\(name) with \(key) signed by \(issuerKey)".utf8), publicKey: Array(key.utf8),
        sha256: filled(name, 32), subject: "CN=\(name)",
        details: CertificateDetails(
            spki: Array("SPKI of \(key)".utf8), spkiSHA256: filled(key, 32), spkiSHA1: filled(key, 20),
            sha1: filled(name, 20), md5: filled(name, 16), subjectName: Array(name.utf8),
            issuerName: issuer?.details.subjectName ?? Array(name.utf8),
            authority: pathLength.map { .init(pathLength: $0 == .max ? nil : $0) }, names: names))
}

/// Whether a minted certificate's signature names the issuer's key.
@Sendable func mintedSignature(_ issuer: CertificateFacts, _ certificate: CertificateFacts) -> Bool {
    guard let key = issuer.publicKey else { return false }
    return String(decoding: certificate.der, as: UTF8.self).hasSuffix(
        "signed by " + String(decoding: key, as: UTF8.self))
}

/// The Base64 of a minted key's SHA-256.
func digestText(_ key: String) -> String { Base64.encode(filled(key, 32)) }

/// A name made as long as a digest.
private func filled(_ name: String, _ count: Int) -> [UInt8] {
    Array((name + String(repeating: "~", count: count)).utf8.prefix(count))
}

/// The certificates that the Android and OkHttp tests share.
enum Minted {
    static let root = minted("root", pathLength: .max)
    static let intermediate = minted("intermediate", by: root, pathLength: 0)
    static let leaf = minted("leaf", by: intermediate, names: ["api.example.com", "*.cdn.example.com", "[192.0.2.1]"])
    /// What a proxy shows whose authority the device trusts.
    static let otherRoot = minted("other root", pathLength: .max)
    static let otherLeaf = minted("other leaf", by: otherRoot, names: ["api.example.com"])

    static let chain = [leaf, intermediate, root]
    static let sent = [leaf, intermediate]

    /// A platform that trusts both roots, if nobody gives it other anchors.
    static let platform = SmallPlatform(
        known: [
            .init(certificate: root), .init(certificate: intermediate, issuer: root),
            .init(certificate: leaf, issuer: intermediate, hosts: ["api.example.com"]),
            .init(certificate: otherRoot),
            .init(certificate: otherLeaf, issuer: otherRoot, hosts: ["api.example.com"]),
        ], system: [root, otherRoot])

    /// What a server presents to a client that asks for a host as it is spelled here.
    static func server(
        _ sent: [CertificateFacts] = sent, host: String? = "api.example.com", time: Int64 = 1_700_000_000
    ) -> ServerTrust {
        ServerTrust(sent: sent, host: host.flatMap { HostName($0) }, spelling: host, time: time)
    }
}
