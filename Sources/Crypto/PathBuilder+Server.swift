internal import COpenSSL
internal import Pinning
internal import Wire

extension PathBuilder {
    /// 2019-07-01 00:00 UTC: leaves issued since then have to name their purpose where the application is the anchor.
    private static let purposeMandatorySince: Int64 = 1_561_939_200

    /// What Apple's SSL policy asks for beyond a path (PS-0.3-7).
    ///
    /// - Parameters:
    ///   - path: The path as built.
    ///   - host: The host to compare; nil for none.
    ///   - owner: Whose anchors the path was built on.
    /// - Returns: What is wrong; nothing if all holds.
    func serverErrors(on path: [Certificate], host: HostName?, anchoredBy owner: AnchorOwner) -> [TrustError] {
        var errors = hostErrors(on: path, host: host, in: epoch)
        errors += purposeErrors(on: path, anchoredBy: owner)
        // A single certificate that the platform trusts was installed by a user, who is taken at his word.
        let isInstalledLeaf = path.count == 1 && owner == .platform
        for (depth, certificate) in path.enumerated() {
            if epoch == .iOS13, !isInstalledLeaf, certificate.hasWeakKey {
                let detail = "the key is too short: \(certificate.keyDescription)"
                errors.append(TrustError(.weakKey, depth: depth, detail: detail))
            }
            if certificate.hasWeakSignature(in: epoch) {
                let detail = "the signature uses \(certificate.signatureDigestName)"
                errors.append(TrustError(.weakSignature, depth: depth, detail: detail))
            }
        }
        return errors
    }

    /// That the leaf is not for the host, if there is one to compare.
    func hostErrors(on path: [Certificate], host: HostName?, in epoch: AppleEpoch) -> [TrustError] {
        guard let host, let leaf = path.first, !leaf.covers(host, in: epoch) else { return [] }
        return [TrustError(.hostMismatch, depth: 0, detail: "the certificate is not for \(host.text)")]
    }

    private func purposeErrors(on path: [Certificate], anchoredBy owner: AnchorOwner) -> [TrustError] {
        path.enumerated().compactMap { depth, certificate in
            let isAllowed: Bool
            if depth > 0 {
                isAllowed = certificate.hasSignedItself || certificate.allows(XKU_SSL_SERVER | XKU_ANYEKU)
            } else if epoch == .iOS13, owner == .application, certificate.notBefore >= Self.purposeMandatorySince {
                isAllowed = certificate.states(XKU_SSL_SERVER)
            } else {
                isAllowed = certificate.allows(XKU_SSL_SERVER | XKU_ANYEKU | XKU_SGC)
            }
            guard !isAllowed else { return nil }
            return TrustError(.wrongPurpose, depth: depth, detail: "the certificate is not meant for TLS servers")
        }
    }
}

extension Certificate {
    /// Whether OpenSSL can read the key.
    var hasReadableKey: Bool { withHandle { X509_get0_pubkey($0) != nil } }

    /// Whether this certificate's key made the signature on `other`.
    package func hasSigned(_ other: Certificate) -> Bool {
        withHandle { issuer in
            guard let key = X509_get0_pubkey(issuer) else { return false }
            return other.withHandle { X509_verify($0, key) } == 1
        }
    }

    /// Whether its own key made its signature.
    fileprivate var hasSignedItself: Bool { isSelfIssued && hasSigned(self) }

    /// Whether one of the alternative names covers the host, or in the legacy epoch, where there are none at all, the
    /// subject's common name.
    fileprivate func covers(_ host: HostName, in epoch: AppleEpoch) -> Bool {
        if epoch == .legacy, !hasAlternativeNames, let commonName {
            return AppleHostMatch.dnsName(Array(commonName.utf8), covers: host)
        }
        return alternativeNames.contains { name in
            switch name {
            case .dns(let text): AppleHostMatch.dnsName(Array(text.utf8), covers: host)
            case .address(let octets): AppleHostMatch.address(octets, covers: host)
            case .email, .uri: false
            }
        }
    }

    /// Whether extendedKeyUsage names one of these `XKU_*`.
    fileprivate func states(_ purposes: CInt) -> Bool {
        let stated = withHandle { X509_get_extended_key_usage($0) }
        return stated != .max && stated & UInt32(bitPattern: purposes) != 0
    }

    /// Whether extendedKeyUsage names one of these `XKU_*`, or is not there, which allows everything.
    fileprivate func allows(_ purposes: CInt) -> Bool {
        withHandle { X509_get_extended_key_usage($0) } == .max || states(purposes)
    }

    /// RSA below 2048 bits, elliptic curves below 256.
    fileprivate var hasWeakKey: Bool {
        withHandle { certificate in
            guard let key = X509_get0_pubkey(certificate) else { return false }
            return switch EVP_PKEY_get_base_id(key) {
            case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: EVP_PKEY_get_bits(key) < 2048
            case EVP_PKEY_EC: EVP_PKEY_get_bits(key) < 256
            default: false
            }
        }
    }

    /// A signature by another key that rests on MD2, MD4 or MD5, or in the present epoch on SHA-1.
    ///
    /// A root is trusted for what it is, not for its signature.
    fileprivate func hasWeakSignature(in epoch: AppleEpoch) -> Bool {
        let weak = [NID_md2, NID_md4, NID_md5] + (epoch == .legacy ? [] : [NID_sha1])
        return weak.contains(signatureDigest) && !hasSignedItself
    }

    fileprivate var signatureDigestName: String {
        OBJ_nid2sn(signatureDigest).map { String(cString: $0) } ?? "an unknown digest"
    }

    /// The digest under the signature, as an `NID_*`.
    var signatureDigest: CInt {
        var digest = NID_undef
        _ = withHandle { X509_get_signature_info($0, &digest, nil, nil, nil) }
        return digest
    }
}
