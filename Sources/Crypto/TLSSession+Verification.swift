internal import COpenSSL
internal import COpenSSLShims
internal import Wire

/// What a verifier makes of a peer's chain.
public enum VerificationAnswer: Equatable, Sendable {
    /// The handshake goes on.
    case accept
    /// The handshake ends with this alert to the peer.
    ///
    /// OpenSSL can send handshake_failure (40), bad_certificate (42), unsupported_certificate (43),
    /// certificate_revoked (44), certificate_expired (45), certificate_unknown (46), unknown_ca (48), decrypt_error
    /// (51) and internal_error (80) here; for any other number certificate_unknown is sent, which stands for "some
    /// other issue" (RFC 8446 section 6.2).
    case reject(alert: UInt8)
}

extension TLSSession {
    /// How a connecting session judges its peer's certificate.
    public enum Verification {
        /// By the context's trust store and the host's name or address, which must be among the alternative names (RFC
        /// 9525 section 6.3); no wildcard stands for part of a label.
        case trustAndName
        /// As `trustAndName`, but where that finds faults it finds all of them, and the caller decides: it is given them
        /// in OpenSSL's order with the chain as it was sent, leaf first, and answers with the one for which the peer is
        /// refused, or with nil, so that the handshake goes on.
        case trustAndNameUnless(([VerificationFault], [Certificate]) -> VerificationFault?)
        /// By the caller, who is given the chain as it was sent, leaf first.
        case custom(([Certificate]) -> VerificationAnswer)
    }

    /// The index of OpenSSL's "application data" slot, which no library claims.
    static let applicationData: CInt = 0

    /// Finds the session that owns `ssl`.
    static func of(_ ssl: OpaquePointer?) -> TLSSession? {
        guard let ssl, let pointer = SSL_get_ex_data(ssl, applicationData) else { return nil }
        return Unmanaged<TLSSession>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Asks for and expects `host`.
    func expect(_ host: HostName) throws {
        ERR_clear_error()
        let parameters = SSL_get0_param(ssl)
        switch host.kind {
        case .dns(let name):
            guard copenssl_SSL_set_tlsext_host_name(ssl, name) == 1 else {
                throw OpenSSLError.drain("SSL_set_tlsext_host_name")
            }
            X509_VERIFY_PARAM_set_hostflags(
                parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
            guard X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count) == 1 else {
                throw OpenSSLError.drain("X509_VERIFY_PARAM_set1_host")
            }
        case .ipv4(let address), .ipv6(let address):
            guard X509_VERIFY_PARAM_set1_ip(parameters, address, address.count) == 1 else {
                throw OpenSSLError.drain("X509_VERIFY_PARAM_set1_ip")
            }
        }
    }

    /// Judges the chain in `store`; the answer is for `SSL_CTX_set_cert_verify_callback`.
    fileprivate func verify(_ store: OpaquePointer) -> CInt {
        switch verification {
        case .trustAndName:
            return verifyTrust(store)
        case .trustAndNameUnless(let judge):
            return verify(store, asking: judge)
        case .custom(let verifier):
            let chain = certificates(X509_STORE_CTX_get0_untrusted(store))
            switch verifier(chain) {
            case .accept:
                X509_STORE_CTX_set_error(store, X509_V_OK)
                return 1
            case .reject(let alert):
                refusedChain = chain
                X509_STORE_CTX_set_error(store, TLSSession.verifyError(yielding: alert))
                return 0
            }
        case nil:
            // An accepting session asks for no certificate.
            X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
            return 0
        }
    }

    /// Shares the certificates of a stack that OpenSSL owns.
    func certificates(_ stack: OpaquePointer?) -> [Certificate] { Certificate.shared(stack) }

    /// The verification error that libssl answers with `alert`.
    private static func verifyError(yielding alert: UInt8) -> CInt {
        switch CInt(alert) {
        case SSL_AD_HANDSHAKE_FAILURE: X509_V_ERR_APPLICATION_VERIFICATION
        case SSL_AD_BAD_CERTIFICATE: X509_V_ERR_CERT_REJECTED
        case SSL_AD_UNSUPPORTED_CERTIFICATE: X509_V_ERR_INVALID_PURPOSE
        case SSL_AD_CERTIFICATE_REVOKED: X509_V_ERR_CERT_REVOKED
        case SSL_AD_CERTIFICATE_EXPIRED: X509_V_ERR_CERT_HAS_EXPIRED
        case SSL_AD_UNKNOWN_CA: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        case SSL_AD_DECRYPT_ERROR: X509_V_ERR_CERT_SIGNATURE_FAILURE
        case SSL_AD_INTERNAL_ERROR: X509_V_ERR_UNSPECIFIED
        // libssl's table does not list this error, and certificate_unknown is what it falls back to.
        default: X509_V_ERR_NO_EXPLICIT_POLICY
        }
    }
}

/// OpenSSL's question whether a chain is acceptable.
func verifyPeer(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> CInt {
    guard let store, let data = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let session = TLSSession.of(OpaquePointer(data))
    else { return 0 }
    return session.verify(store)
}
