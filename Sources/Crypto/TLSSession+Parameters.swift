internal import COpenSSL
internal import COpenSSLShims

/// What a handshake agreed on.
public struct TLSFacts: Equatable, Sendable {
    /// The protocol version as on the wire (0x0303 TLS 1.2, 0x0304 TLS 1.3).
    public let version: UInt16
    /// The cipher suite as on the wire.
    public let cipherSuite: UInt16
    /// The suite's standard name.
    public let cipherSuiteName: String
    /// The key exchange group, in OpenSSL's short name; nil where there is none.
    public let group: String?
    /// The application protocol, if one was agreed.
    public let alpn: [UInt8]?
    /// Whether a session was resumed, so that no certificate was shown.
    public let resumed: Bool
}

extension TLSSession {
    /// What the handshake agreed on; nil before it was finished.
    public var parameters: TLSFacts? {
        guard isHandshakeComplete, let cipher = SSL_get_current_cipher(ssl) else { return nil }
        return TLSFacts(
            version: UInt16(truncatingIfNeeded: SSL_version(ssl)),
            cipherSuite: SSL_CIPHER_get_protocol_id(cipher),
            cipherSuiteName: SSL_CIPHER_standard_name(cipher).map { String(cString: $0) } ?? "",
            group: group, alpn: selectedProtocol, resumed: SSL_session_reused(ssl) == 1)
    }

    /// The chain that the peer sent, leaf first, also if it was refused; empty before it arrived.
    ///
    /// The certificates are OpenSSL's own, shared, not decoded again.
    public var peerChain: [Certificate] {
        guard refusedChain.isEmpty else { return refusedChain }
        let chain = certificates(SSL_get_peer_cert_chain(ssl))
        // On the server's side OpenSSL leaves the leaf out.
        guard SSL_is_server(ssl) == 1, let leaf = SSL_get1_peer_certificate(ssl) else { return chain }
        return [Certificate(owning: leaf)] + chain
    }

    /// What the verification of the peer's chain came to: OpenSSL's `X509_V_ERR_*`, zero if it was accepted.
    public var verifyError: Int32 { Int32(truncatingIfNeeded: SSL_get_verify_result(ssl)) }

    private var group: String? {
        let identifier = copenssl_SSL_get_negotiated_group(ssl)
        guard identifier != NID_undef, let name = OBJ_nid2sn(identifier) else { return nil }
        return String(cString: name)
    }

    private var selectedProtocol: [UInt8]? {
        var start: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &start, &length)
        guard let start, length > 0 else { return nil }
        return [UInt8](UnsafeBufferPointer(start: start, count: Int(length)))
    }

    /// Presents an identity.
    func present(_ identity: TLSIdentity) throws {
        ERR_clear_error()
        if identity.isWeak { SSL_set_security_level(ssl, 0) }
        let accepted = identity.chain[0].withHandle { leaf in
            identity.key.withHandle { SSL_use_cert_and_key(ssl, leaf, $0, nil, 1) }
        }
        guard accepted == 1 else { throw OpenSSLError.drain("SSL_use_cert_and_key") }
        for issuer in identity.chain.dropFirst() {
            guard issuer.withHandle({ copenssl_SSL_add1_chain_cert(ssl, $0) }) == 1 else {
                throw OpenSSLError.drain("SSL_add1_chain_cert")
            }
        }
    }

    /// Offers application protocols (RFC 7301 section 3.1).
    func offer(_ protocols: [[UInt8]]) throws {
        guard !protocols.isEmpty else { return }
        var list: [UInt8] = []
        for name in protocols {
            guard !name.isEmpty, let length = UInt8(exactly: name.count) else {
                throw OpenSSLError(function: "an application protocol of \(name.count) bytes", entries: [])
            }
            list.append(length)
            list += name
        }
        ERR_clear_error()
        // Zero is success for this function alone.
        guard SSL_set_alpn_protos(ssl, list, UInt32(list.count)) == 0 else {
            throw OpenSSLError.drain("SSL_set_alpn_protos")
        }
    }

    /// Agrees on the session's protocol if it is in the client's list; the answer is for `SSL_CTX_set_alpn_select_cb`.
    fileprivate func selectProtocol(
        from offered: UnsafeBufferPointer<UInt8>, into selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
        _ selectedLength: UnsafeMutablePointer<UInt8>
    ) -> CInt {
        guard let serverProtocol else { return SSL_TLSEXT_ERR_NOACK }
        var cursor = offered.startIndex
        while cursor < offered.endIndex {
            let start = cursor + 1
            let end = start + Int(offered[cursor])
            guard end <= offered.endIndex else { break }
            if offered[start..<end].elementsEqual(serverProtocol) {
                // The answer must outlive the callback, so it points into OpenSSL's own copy of the list.
                selected.pointee = offered.baseAddress.map { $0 + start }
                selectedLength.pointee = offered[cursor]
                return SSL_TLSEXT_ERR_OK
            }
            cursor = end
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
}

/// OpenSSL's question which application protocol to agree on.
func selectProtocol(
    _ ssl: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedLength: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> CInt {
    guard let session = TLSSession.of(ssl), let selected, let selectedLength else { return SSL_TLSEXT_ERR_NOACK }
    let list = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
    return session.selectProtocol(from: list, into: selected, selectedLength)
}
