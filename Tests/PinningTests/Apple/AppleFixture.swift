import Pinning
import Wire

/// A certificate with what only some libraries look at: the digest of its key, the key's kind, the signature's hash.
func keyed(
    _ name: String, key: String? = nil, kind: CertificateFacts.KeyKind? = .ellipticCurve("P-256", bits: 256),
    signatureHash: CertificateFacts.SignatureHash? = .sha256
) -> CertificateFacts {
    CertificateFacts(
        der: Array("certificate \(name)".utf8), publicKey: Array("key \(key ?? name)".utf8),
        sha256: Array(name.utf8), subject: "CN=\(name)",
        details: CertificateDetails(spkiSHA256: keyDigest(key ?? name)), key: kind, signatureHash: signatureHash)
}

/// A digest for a key: 32 octets that begin with its name.
func keyDigest(_ name: String) -> [UInt8] { Array((Array(name.utf8) + Array(repeating: 0, count: 32)).prefix(32)) }

/// The digest as pins are written.
func pinText(_ name: String) -> String { Base64.encode(keyDigest(name)) }

/// A public suffix list of a few rules.
struct FewSuffixes: PublicSuffixes {
    private static let rules = ["com", "org", "co.uk", "s3.amazonaws.com"]

    func suffixLength(of host: String) -> Int {
        let dot = host.hasSuffix(".") ? "." : ""
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let matching = Self.rules.filter { name == $0 || name.hasSuffix(".\($0)") }
        return matching.map { $0.utf8.count + dot.utf8.count }.max() ?? 0
    }
}
