internal import COpenSSL
internal import COpenSSLShims

/// What a server says when it asks for a client certificate (RFC 8446 section 4.3.2, RFC 5246 section 7.4.4).
public struct IdentityRequest: Sendable, Equatable {
    /// The authorities that it takes certificates from, in its order; none: it does not say.
    public let authorities: [AuthorityName]

    /// Asks for certificates of some authorities.
    ///
    /// - Parameter authorities: Which; none leaves it open.
    public init(authorities: [AuthorityName]) { self.authorities = authorities }

    /// Whether the server says that it takes an identity: some certificate of its chain was issued by one of the
    /// authorities, or none is named.
    ///
    /// A server that trusts single certificates names their subjects, so an identity that is named itself fits too.
    public func accepts(_ identity: TLSIdentity) -> Bool {
        guard !authorities.isEmpty else { return true }
        let names =
            identity.chain.prefix(1).compactMap(AuthorityName.init(subjectOf:))
            + identity.chain.compactMap(AuthorityName.init(issuerOf:))
        return names.contains { name in authorities.contains { $0.names(name) } }
    }
}

/// How an accepting session asks its client for a certificate.
public struct ClientAuthentication {
    /// Whether a client without one is refused, with certificate_required (116) or, in TLS 1.2, handshake_failure (40).
    public let isRequired: Bool
    /// The authorities that are named in the request.
    public let authorities: [AuthorityName]
    /// Judges the chain that the client gives, leaf first; not asked if it gives none.
    public let verify: ([Certificate]) -> VerificationAnswer

    /// Asks for a certificate.
    ///
    /// - Parameters:
    ///   - isRequired: Whether a client without one is refused.
    ///   - authorities: The authorities that are named in the request; none leaves it open.
    ///   - verify: Judges the chain that the client gives; by default any is taken.
    public init(
        isRequired: Bool = false, authorities: [AuthorityName] = [],
        verify: @escaping ([Certificate]) -> VerificationAnswer = { _ in .accept }
    ) {
        self.isRequired = isRequired
        self.authorities = authorities
        self.verify = verify
    }
}

extension TLSSession {
    /// Asks the client for a certificate, in the handshake that is to come.
    func request(_ authentication: ClientAuthentication) throws {
        SSL_set_verify(ssl, SSL_VERIFY_PEER | (authentication.isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nil)
        ERR_clear_error()
        for authority in authentication.authorities {
            // OpenSSL takes names out of certificates only, so it gets one that has nothing else.
            let certificate = CertificateHandle()
            let isAdded = authority.withHandle { name in
                certificate.withPointer { X509_set_subject_name($0, name) == 1 && SSL_add1_to_CA_list(ssl, $0) == 1 }
            }
            guard isAdded == true else { throw OpenSSLError.drain("SSL_add1_to_CA_list") }
        }
    }

    /// Has OpenSSL ask for an identity when the server wants one.
    func observeRequests() {
        // A server asks its own owner nothing: it was given its identity.
        guard SSL_is_server(ssl) == 0 else { return }
        SSL_set_cert_cb(ssl, onIdentityRequest == nil ? nil : chooseIdentity, nil)
    }

    /// Presents what the owner chooses; the answer is for `SSL_set_cert_cb`.
    fileprivate func answerRequest() -> CInt {
        guard let onIdentityRequest else { return 1 }
        // On HTTP/2 a server must not ask after the handshake: the session ends (RFC 9113 sections 9.2.1 and 9.2.3).
        if isHandshakeComplete, parameters?.alpn == Array("h2".utf8) { return 0 }
        let names = SSL_get0_peer_CA_list(ssl)
        let authorities = (0..<max(copenssl_sk_X509_NAME_num(names), 0)).compactMap { index in
            copenssl_sk_X509_NAME_value(names, index).flatMap(AuthorityName.init(copying:))
        }
        // What an earlier request of this session was answered with.
        SSL_certs_clear(ssl)
        guard let identity = onIdentityRequest(IdentityRequest(authorities: authorities)) else { return 1 }
        do { try present(identity) } catch {
            // An identity that OpenSSL does not take is none: the server decides what that means.
            SSL_certs_clear(ssl)
        }
        return 1
    }
}

/// OpenSSL's question for a certificate.
private func chooseIdentity(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> CInt {
    TLSSession.of(ssl)?.answerRequest() ?? 1
}
