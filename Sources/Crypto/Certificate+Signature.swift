internal import COpenSSL

/// How exactly the two places of a certificate that name the signature's algorithm have to agree (PS-0.4-4).
package enum AlgorithmAgreement: Sendable {
    /// Octet by octet, as OpenSSL, BoringSSL and so Android have it (RFC 5280, 4.1.1.2).
    case exact
    /// In the algorithm only: one place may leave out the NULL that the other one has, as Apple and Java have it.
    case byIdentifier
}

extension Certificate {
    /// Whether OpenSSL can read the key.
    var hasReadableKey: Bool { withHandle { X509_get0_pubkey($0) != nil } }

    /// Whether its own key made its signature.
    var hasSignedItself: Bool { isSelfIssued && hasSigned(self, agreement: .byIdentifier) }

    /// Whether names, key identifiers and key usage allow that this certificate's key signed `other`.
    func mayHaveIssued(_ other: Certificate) -> Bool {
        withHandle { issuer in other.withHandle { X509_check_issued(issuer, $0) } } == X509_V_OK
    }

    /// Whether this certificate's key made the signature on `other`.
    package func hasSigned(_ other: Certificate, agreement: AlgorithmAgreement = .exact) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return withHandle { issuer in
            guard let key = X509_get0_pubkey(issuer) else { return false }
            if other.withHandle({ X509_verify($0, key) }) == 1 { return true }
            // OpenSSL looks no further where the octets differ.
            return agreement == .byIdentifier && !other.agreesOnAlgorithm(.exact)
                && other.agreesOnAlgorithm(.byIdentifier) && other.isSigned(with: key)
        }
    }

    /// The digest under the signature, as an `NID_*`.
    var signatureDigest: CInt {
        var digest = NID_undef
        _ = withHandle { X509_get_signature_info($0, &digest, nil, nil, nil) }
        return digest
    }

    /// Whether the two places that name the algorithm of the signature agree so exactly.
    func agreesOnAlgorithm(_ agreement: AlgorithmAgreement) -> Bool {
        withHandle { raw in
            var outer: UnsafePointer<X509_ALGOR>?
            X509_get0_signature(nil, &outer, raw)
            guard let outer, let inner = X509_get0_tbs_sigalg(raw) else { return false }
            if X509_ALGOR_cmp(inner, outer) == 0 { return true }
            return agreement == .byIdentifier && OBJ_cmp(inner.pointee.algorithm, outer.pointee.algorithm) == 0
                && [inner, outer].allSatisfy(hasNoParameters)
        }
    }

    /// Checks the signature over the certificate as it was received, by the algorithm that stands outside.
    private func isSigned(with key: OpaquePointer) -> Bool {
        guard let content = signedContent else { return false }
        return withHandle { raw in
            var signature: UnsafePointer<ASN1_BIT_STRING>?
            X509_get0_signature(&signature, nil, raw)
            // A signature is whole octets: the low bits of the flags count those that are not used.
            guard let bits = signature?.pointee, bits.flags & 7 == 0, bits.length > 0 else { return false }
            let digest = signatureDigest == NID_undef ? nil : OBJ_nid2sn(signatureDigest).flatMap(EVP_get_digestbyname)
            let context = DigestContext()
            guard EVP_DigestVerifyInit(context.raw, nil, digest, nil, key) == 1 else { return false }
            return content.withUnsafeBufferPointer {
                EVP_DigestVerify(context.raw, bits.data, Int(bits.length), $0.baseAddress, $0.count) == 1
            }
        }
    }

    /// The TBSCertificate as it stands: the first element of the outer sequence.
    private var signedContent: ArraySlice<UInt8>? {
        der.withUnsafeBufferPointer { buffer -> Range<Int>? in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = start
            var (length, tag, kind): (Int, CInt, CInt) = (0, 0, 0)
            // A header without a length of its own (0x01) is not DER.
            guard ASN1_get_object(&cursor, &length, &tag, &kind, buffer.count) & 0x81 == 0, let inner = cursor else {
                return nil
            }
            let lower = inner - start
            guard ASN1_get_object(&cursor, &length, &tag, &kind, buffer.count - lower) & 0x81 == 0, let content = cursor
            else { return nil }
            return lower..<(content - start + length)
        }.map { der[$0] }
    }
}

/// Whether an algorithm's parameters are left out or NULL.
private func hasNoParameters(_ algorithm: UnsafePointer<X509_ALGOR>) -> Bool {
    var type: CInt = 0
    X509_ALGOR_get0(nil, &type, nil, algorithm)
    return type == V_ASN1_UNDEF || type == V_ASN1_NULL
}
