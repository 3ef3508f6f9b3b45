internal import COpenSSL

// What peers may do after the handshake and this program never does of its own accord: for tests of the other end.
extension TLSSession {
    /// Asks the client for a new handshake (HelloRequest, RFC 5246 section 7.4.1.1); TLS 1.2 only.
    package func requestRenegotiation() {
        ERR_clear_error()
        // The first handshake is over, so this writes the request and waits for nothing.
        guard SSL_renegotiate(ssl) == 1, SSL_do_handshake(ssl) == 1 else { return ERR_clear_error() }
    }

    /// Presents another identity, from the next handshake on.
    ///
    /// - Throws: `OpenSSLError` if it cannot be used.
    package func replaceIdentity(with identity: TLSIdentity) throws { try present(identity) }

    /// Asks the client for a certificate now (RFC 8446 section 4.6.2); TLS 1.3 only.
    ///
    /// - Returns: Whether the client said that it may be asked.
    package func requestLateAuthentication() -> Bool {
        verification = verification ?? .custom { _ in .accept }
        SSL_set_verify(ssl, SSL_VERIFY_PEER, nil)
        ERR_clear_error()
        guard SSL_verify_client_post_handshake(ssl) == 1, SSL_do_handshake(ssl) == 1 else {
            ERR_clear_error()
            return false
        }
        return true
    }

    /// Changes the keys of this direction, and asks the peer to do the same (KeyUpdate, RFC 8446 section 4.6.3).
    package func updateKeys() {
        ERR_clear_error()
        guard SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1, SSL_do_handshake(ssl) == 1 else {
            return ERR_clear_error()
        }
    }
}
