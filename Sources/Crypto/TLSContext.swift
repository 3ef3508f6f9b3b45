internal import COpenSSL
internal import COpenSSLShims

// Sendable: an SSL_CTX is not configured further after it was made, and its reference count and caches are guarded by
// OpenSSL.
/// What all TLS sessions of one direction have in common.
///
/// Making one costs more than a handshake's cryptography, making a session from it next to nothing: make one for each
/// direction and configuration, and share it. Protocol versions, cipher suites and security level are OpenSSL's
/// defaults, unless a context is made for legacy peers. Sessions are never resumed and tickets never issued, so that every
/// connection shows its certificate.
///
/// **Ownership:** holds one reference to an `SSL_CTX`. **Thread:** usable from any thread.
public final class TLSContext: @unchecked Sendable {
    /// How old and how weak a peer may be.
    public enum Tolerance: Sendable {
        /// As OpenSSL has it.
        case standard
        /// TLS 1.0 and 1.1, keys, groups and digests of any strength, and peers that never heard of RFC 5746.
        case legacy
    }

    /// How many octets a peer's certificates may have, unless it is said otherwise: OpenSSL's own limit.
    public static let usualChainSize = 100 * 1024

    private let raw: OpaquePointer

    private init(
        method: OpaquePointer?, _ tolerance: Tolerance, chainSize: Int, minimumVersion: UInt16? = nil,
        maximumVersion: UInt16?
    ) throws {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(method) else { throw OpenSSLError.drain("SSL_CTX_new") }
        self.raw = raw
        // NO_AUTO_CHAIN: the chain is sent as it was given; OpenSSL would build and verify one in every handshake.
        let mode = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN
        _ = copenssl_SSL_CTX_set_mode(raw, Int(mode))
        _ = copenssl_SSL_CTX_set_session_cache_mode(raw, Int(SSL_SESS_CACHE_OFF))
        _ = copenssl_SSL_CTX_set_max_cert_list(raw, chainSize)
        SSL_CTX_set_options(raw, copenssl_SSL_OP_NO_TICKET())
        // OP_NO_TICKET ends the tickets of TLS 1.2 only.
        SSL_CTX_set_num_tickets(raw, 0)
        SSL_CTX_set_keylog_callback(raw, reportSecret)
        if tolerance == .legacy { try openLegacy() }
        if let minimumVersion, copenssl_SSL_CTX_set_min_proto_version(raw, CInt(minimumVersion)) != 1 {
            throw OpenSSLError.drain("SSL_CTX_set_min_proto_version")
        }
        if let maximumVersion, copenssl_SSL_CTX_set_max_proto_version(raw, CInt(maximumVersion)) != 1 {
            throw OpenSSLError.drain("SSL_CTX_set_max_proto_version")
        }
    }

    deinit { SSL_CTX_free(raw) }

    /// Opens what OpenSSL's defaults close; to be done before any certificate is loaded, since those are measured too.
    private func openLegacy() throws {
        SSL_CTX_set_security_level(raw, 0)
        guard copenssl_SSL_CTX_set_min_proto_version(raw, CInt(TLS1_VERSION)) == 1 else {
            throw OpenSSLError.drain("SSL_CTX_set_min_proto_version")
        }
        guard SSL_CTX_set_cipher_list(raw, "DEFAULT:@SECLEVEL=0") == 1 else {
            throw OpenSSLError.drain("SSL_CTX_set_cipher_list")
        }
        // A peer that does not send renegotiation_info may be one in the middle of another's session (RFC 5746).
        SSL_CTX_set_options(
            raw, copenssl_SSL_OP_LEGACY_SERVER_CONNECT() | copenssl_SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION())
        // Clients that know ephemeral Diffie-Hellman but no curves.
        _ = copenssl_SSL_CTX_set_dh_auto(raw, 1)
    }

    /// Makes the context of sessions that accept.
    ///
    /// - Parameters:
    ///   - tolerance: How old and how weak a client may be.
    ///   - chainSize: How many octets its certificates may have.
    ///   - minimumVersion: The lowest protocol version to negotiate, as on the wire; nil for OpenSSL's limit.
    ///   - maximumVersion: The highest one; nil for OpenSSL's limit.
    /// - Returns: A new context.
    /// - Throws: `OpenSSLError` if OpenSSL refuses it.
    public static func server(
        _ tolerance: Tolerance = .standard, chainSize: Int = usualChainSize, minimumVersion: UInt16? = nil,
        maximumVersion: UInt16? = nil
    ) throws -> TLSContext {
        let context = try TLSContext(
            method: TLS_server_method(), tolerance, chainSize: chainSize, minimumVersion: minimumVersion,
            maximumVersion: maximumVersion)
        // A session that asks its client for a certificate judges it itself.
        SSL_CTX_set_cert_verify_callback(context.raw, verifyPeer, nil)
        SSL_CTX_set_alpn_select_cb(context.raw, selectProtocol, nil)
        return context
    }

    /// Makes the context of sessions that connect.
    ///
    /// - Parameters:
    ///   - trust: What a session with `Verification.trustAndName` accepts; nil trusts nothing, so that the sessions
    ///     need a verifier of their own.
    ///   - tolerance: How old and how weak a server may be.
    ///   - chainSize: How many octets its certificates may have.
    ///   - maximumVersion: The highest protocol version to offer, as on the wire; nil for OpenSSL's limit.
    /// - Returns: A new context.
    /// - Throws: `OpenSSLError` if OpenSSL refuses it.
    public static func client(
        trust: TrustStore?, _ tolerance: Tolerance = .standard, chainSize: Int = usualChainSize,
        maximumVersion: UInt16? = nil
    ) throws -> TLSContext {
        let context = try TLSContext(
            method: TLS_client_method(), tolerance, chainSize: chainSize, maximumVersion: maximumVersion)
        trust?.withHandle { SSL_CTX_set1_cert_store(context.raw, $0) }
        SSL_CTX_set_verify(context.raw, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(context.raw, verifyPeer, nil)
        return context
    }

    /// Makes the context of sessions that connect like an old client: with these TLS 1.2 suites and no later version.
    ///
    /// - Parameters:
    ///   - trust: What such a session accepts.
    ///   - suites: The suites in OpenSSL's notation, such as "aRSA".
    /// - Returns: A new context.
    /// - Throws: `OpenSSLError` if OpenSSL knows none of the suites.
    package static func oldClient(trust: TrustStore?, suites: String) throws -> TLSContext {
        let context = try client(trust: trust, maximumVersion: UInt16(TLS1_2_VERSION))
        ERR_clear_error()
        guard SSL_CTX_set_cipher_list(context.raw, suites) == 1 else {
            throw OpenSSLError.drain("SSL_CTX_set_cipher_list")
        }
        return context
    }

    /// Makes the context of sessions that accept few key exchange groups: most clients have to send a second hello.
    ///
    /// - Parameter groups: The groups in OpenSSL's notation, such as "P-384".
    /// - Returns: A new context.
    /// - Throws: `OpenSSLError` if OpenSSL knows one of the groups not.
    package static func choosyServer(groups: String) throws -> TLSContext {
        let context = try server()
        ERR_clear_error()
        guard copenssl_SSL_CTX_set1_groups_list(context.raw, groups) == 1 else {
            throw OpenSSLError.drain("SSL_CTX_set1_groups_list")
        }
        return context
    }

    /// Makes the `SSL` of one session; the caller owns it.
    func makeSSL() throws -> OpaquePointer {
        ERR_clear_error()
        guard let ssl = SSL_new(raw) else { throw OpenSSLError.drain("SSL_new") }
        return ssl
    }
}
