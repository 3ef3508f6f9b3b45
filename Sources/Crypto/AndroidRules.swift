internal import COpenSSL
internal import Pinning

/// The rules of Android's trust manager, Conscrypt's `TrustManagerImpl`, as of Android 10 (PS-5-9).
///
/// A certificate with the name and the key of an anchor is that anchor. Anchors are not examined at all: PKIX
/// (RFC 5280, 6.1.1 d) takes of them only name and key, so one that has expired still anchors, and names that it does not
/// permit are as good as others: Conscrypt hands PKIX no constraints beside the anchor. The rest of the path is examined
/// twice: by PKIX, and for keys and hashes that are too weak. The host is the HTTP stack's affair.
///
/// Conscrypt checks signatures with BoringSSL, which wants both names of the algorithm to be the same octets (PS-0.4-4),
/// as OpenSSL does. Not confirmed: whether the PKIX validator of each release minds a critical extendedKeyUsage of an
/// intermediate; here it counts for nothing.
struct AndroidRules: PathRules {
    var manner: VerificationManner { .path }
    var agreement: AlgorithmAgreement { .exact }
    var seeksFurtherPaths: Bool { true }

    func pathOfAnchoredLeaf(_ leaf: Certificate, in store: TrustStore, at time: Int64) -> TrustPath? {
        store.namesakes(of: leaf).first { $0.publicKey == leaf.publicKey }.map(TrustPath.init(trusting:))
    }

    func apply(to path: inout TrustPath, in store: TrustStore) {
        path.takeAnchorAsItStands()
        if path.anchor != nil {
            path.certificates += anchors(above: path.certificates, in: store)
        }
        if let leaf = path.untrusted.first, !leaf.allows(XKU_SSL_SERVER | XKU_ANYEKU | XKU_SGC) {
            let detail = "the certificate is not meant for TLS servers"
            path.errors.append(TrustError(.wrongPurpose, depth: 0, detail: detail))
        }
        for (depth, certificate) in path.untrusted.enumerated() {
            if !certificate.hasKeyThatConscryptAccepts {
                let detail = "the key is too short or of an unknown kind: \(certificate.keyDescription)"
                path.errors.append(TrustError(.weakKey, depth: depth, detail: detail))
            }
            if [NID_md2, NID_md4, NID_md5, NID_sha1].contains(certificate.signatureDigest) {
                let detail = "the signature uses \(certificate.signatureDigestName)"
                path.errors.append(TrustError(.weakSignature, depth: depth, detail: detail))
            }
        }
    }

    /// The anchors that issued the last certificate of a path, one the next, up to one that is its own issuer.
    ///
    /// Pins of an application may name them, though the path ends below.
    private func anchors(above path: [Certificate], in store: TrustStore) -> [Certificate] {
        var whole = path
        while whole.count < PathSearch.maximumLength, let last = whole.last, !last.isSelfIssued,
            let next = store.possibleIssuers(of: last).first(where: {
                $0.mayHaveIssued(last) && !whole.contains($0) && $0.hasSigned(last)
            })
        {
            whole.append(next)
        }
        return Array(whole.dropFirst(path.count))
    }

    func unchecked(on path: TrustPath?) -> [UncheckedRule] {
        [
            UncheckedRule(
                rule: RuleID("PS-5-9"), summary: "keys that Android blocks, and certificate transparency where it is on"
            ),
            UncheckedRule(rule: RuleID("PS-5-9"), summary: "intermediates that earlier connections showed"),
        ]
    }
}

extension Certificate {
    /// RSA and DSA from 1024 bits on, elliptic curves from 160; no other kind is known.
    fileprivate var hasKeyThatConscryptAccepts: Bool {
        withHandle { certificate in
            guard let key = X509_get0_pubkey(certificate) else { return false }
            return switch EVP_PKEY_get_base_id(key) {
            case EVP_PKEY_RSA, EVP_PKEY_DSA: EVP_PKEY_get_bits(key) >= 1024
            case EVP_PKEY_EC: EVP_PKEY_get_bits(key) >= 160
            default: false
            }
        }
    }
}
