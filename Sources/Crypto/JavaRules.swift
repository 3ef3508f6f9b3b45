internal import COpenSSL
internal import Pinning

/// The rules of the trust manager that a JVM brings along (`SunJSSE`, "PKIX"), as of OpenJDK 17 (PS-4-5).
///
/// A leaf that is an anchor itself is not examined at all. An anchor above others has to be a CA, unless it is of a
/// version without extensions, and its key must be strong enough; of the rest of it nothing counts, as with Android. Keys
/// and hashes are those that `java.security` does not disable. The host is the HTTP stack's affair.
struct JavaRules: PathRules {
    var manner: VerificationManner { .pathWithPolicies }
    var agreement: AlgorithmAgreement { .byIdentifier }
    var seeksFurtherPaths: Bool { true }

    func pathOfAnchoredLeaf(_ leaf: Certificate, in store: TrustStore, at time: Int64) -> TrustPath? {
        store.contains(leaf) ? TrustPath(trusting: leaf) : nil
    }

    func apply(to path: inout TrustPath, in store: TrustStore) {
        guard path.anchor != 0 else { return }
        path.takeAnchorAsItStands()
        path.errors += path.certificates.first?.purposeErrors ?? []
        for (depth, certificate) in path.certificates.enumerated() {
            if !certificate.hasKeyForJava {
                let detail = "the key is too short: \(certificate.keyDescription)"
                path.errors.append(TrustError(.weakKey, depth: depth, detail: detail))
            } else if depth > 0, !certificate.hasKeyThatJavaVerifiesWith {
                let detail = "Java verifies no signatures with such a key: \(certificate.keyDescription)"
                path.errors.append(TrustError(.weakKey, depth: depth, detail: detail))
            }
        }
        for (depth, certificate) in path.untrusted.enumerated()
        where [NID_md2, NID_md4, NID_md5].contains(certificate.signatureDigest) {
            let detail = "the signature uses \(certificate.signatureDigestName)"
            path.errors.append(TrustError(.weakSignature, depth: depth, detail: detail))
        }
        if let anchor = path.anchor, !path.certificates[anchor].isAuthorityForJava {
            let detail = "the trusted certificate has signed another and is no certificate authority"
            path.errors.append(TrustError(.issuerNotAuthority, depth: anchor, detail: detail))
        }
    }

    func unchecked(on path: TrustPath?) -> [UncheckedRule] {
        var rules = [
            UncheckedRule(
                rule: RuleID("PS-4-5"),
                summary:
                    "what the JVM's java.security disables beside the defaults of OpenJDK 17")
        ]
        if let path, path.untrusted.contains(where: { $0.signatureDigest == NID_sha1 }) {
            rules.append(
                UncheckedRule(
                    rule: RuleID("PS-4-5"), summary: "SHA-1, which is refused below the authorities that Java ships"))
        }
        return rules
    }
}

extension Certificate {
    /// What Java's `EndEntityChecker` has against a server.
    ///
    /// Every suite that is still in use signs the handshake, so a key that is only for encryption is of no use.
    fileprivate var purposeErrors: [TrustError] {
        var details: [String] = []
        if let keyUsage, !keyUsage.contains(.digitalSignature) {
            details.append("the key is not meant for digital signatures")
        }
        if !allows(XKU_SSL_SERVER | XKU_ANYEKU | XKU_SGC) || !hasNetscapeTypeOfServers {
            details.append("the certificate is not meant for TLS servers")
        }
        return details.map { TrustError(.wrongPurpose, depth: 0, detail: $0) }
    }

    /// Whether Netscape's old extension for purposes names TLS servers, or is not there.
    private var hasNetscapeTypeOfServers: Bool {
        withHandle { raw in
            let index = X509_get_ext_by_NID(raw, NID_netscape_cert_type, -1)
            guard index >= 0, let value = X509_EXTENSION_get_data(X509_get_ext(raw, index)) else { return true }
            // A BIT STRING, as OpenSSL made sure: tag, length, number of unused bits; the second bit is for TLS servers.
            let octets = UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value)))
            return octets.count > 3 && octets[3] & 0x40 != 0
        }
    }

    /// Whether it may be an anchor above other certificates.
    fileprivate var isAuthorityForJava: Bool {
        let version = withHandle { X509_get_version($0) }
        return version < X509_VERSION_3 || isAuthority && keyUsage?.contains(.keyCertSign) ?? true
    }

    /// RSA and DSA from 1024 bits on, elliptic curves from 224 on, and every other kind.
    fileprivate var hasKeyForJava: Bool {
        withHandle { certificate in
            guard let key = X509_get0_pubkey(certificate) else { return false }
            return switch EVP_PKEY_get_base_id(key) {
            case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS, EVP_PKEY_DSA: EVP_PKEY_get_bits(key) >= 1024
            case EVP_PKEY_EC: EVP_PKEY_get_bits(key) >= 224
            default: true
            }
        }
    }

    /// Whether the key is on one of the three curves that are left since Java 16, or on none.
    var hasKeyThatJavaVerifiesWith: Bool {
        guard case .ellipticCurve(let name, _) = keyKind else { return true }
        return ["P-256", "P-384", "P-521"].contains(name)
    }
}
