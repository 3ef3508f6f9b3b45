internal import Pinning
internal import Wire

/// The rules of a client on OpenSSL: libssl's own verification of servers, and curl's comparison of hosts (PS-7-2).
///
/// The path is the one that OpenSSL finds, with the security level of Debian's and Ubuntu's builds: RSA from 2048 bits
/// on, no SHA-1 below an anchor. Intermediates and leaves may be anchors, as curl has it since 7.68.
struct OpenSSLRules: PathRules {
    /// The host to compare; nil for none.
    let host: HostName?

    var manner: VerificationManner { .server }
    var agreement: AlgorithmAgreement { .exact }
    var seeksFurtherPaths: Bool { false }

    func pathOfAnchoredLeaf(_ leaf: Certificate, in store: TrustStore, at time: Int64) -> TrustPath? { nil }

    func apply(to path: inout TrustPath, in store: TrustStore) {
        guard let host, let leaf = path.certificates.first, !CurlHostMatch.isCertificate(leaf, for: host) else {
            return
        }
        path.errors.append(TrustError(.hostMismatch, depth: 0, detail: "the certificate is not for \(host.text)"))
    }

    func unchecked(on path: TrustPath?) -> [UncheckedRule] {
        [
            UncheckedRule(
                rule: RuleID("PS-7-2"),
                summary: "what other clients than curl ask: Python takes no common name, and from 3.13 on only roots "
                    + "of strict form")
        ]
    }
}
