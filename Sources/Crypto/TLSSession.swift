internal import COpenSSL
internal import COpenSSLShims
public import Wire

/// One end of a TLS connection, over buffers in place of a socket.
///
/// The owner moves bytes between a socket and two queues: what it received goes into `inbound`, and after any call
/// whatever `outbound` holds is to be sent, after a failed call too: it may be the alert that says why. How the socket
/// ended is never told to the session.
///
/// **Ownership:** owns its `SSL` and with it the `BIO` over its queues. **Thread:** confined to one thread, and not to
/// be called from `onMessage`, `onWire`, `onSecret` or a verifier.
public final class TLSSession {
    /// What a step of the handshake led to.
    public enum HandshakeStep: Equatable, Sendable {
        /// The handshake is finished. Application data may wait in `inbound` already.
        case complete
        /// More must be received first.
        case needsInput
        /// It waits for `supply`, as `onMissingIssuer` asked; a further step goes on with what there is by then.
        case suspended
        /// The session is over.
        case failed(TLSFailure)
    }

    /// What reading led to.
    public enum ReadStep: Equatable, Sendable {
        /// So many bytes were appended; zero only if the limit was reached before.
        case bytes(Int)
        /// More must be received first.
        case needsInput
        /// The peer said that it sends no more (close_notify). Writing is still possible.
        case closed
        /// The session is over.
        case failed(TLSFailure)
    }

    /// What writing led to.
    public enum WriteStep: Equatable, Sendable {
        /// So many bytes were consumed and encrypted. Zero although there were some: the peer asked to renegotiate
        /// (TLS 1.2), and something must be received and read first.
        case bytes(Int)
        /// The session is over.
        case failed(TLSFailure)
    }

    let ssl: OpaquePointer
    let transport = QueueBIO()
    var verification: Verification?
    let serverProtocol: [UInt8]?
    var rejectedDepth = 0
    /// What the last verification found, if it was one that finds everything.
    var faults: [VerificationFault] = []
    /// What the peer sent, if the caller refused it: OpenSSL keeps no client's chain then.
    var refusedChain: [Certificate] = []
    /// The certificate at the end of the peer's chain whose issuer is missing, if that is why it was refused.
    public internal(set) var orphan: Certificate?
    var suppliedIssuers: [Certificate] = []
    private var failure: TLSFailure?
    private var isClosedByPeer = false

    /// Whether the handshake was finished.
    public private(set) var isHandshakeComplete = false

    /// Ciphertext that was received and not yet processed.
    public var inbound: ByteQueue { transport.inbound }

    /// Ciphertext to be sent.
    ///
    /// Reading can add to it too (alerts, answers to a renegotiation), so an owner whose socket takes no more must stop
    /// reading as well.
    public var outbound: ByteQueue { transport.outbound }

    /// Sees every handshake message, alert and change_cipher_spec of both directions, decrypted, as it happens.
    public var onMessage: ((TLSMessage) -> Void)? {
        didSet { observeMessages() }
    }

    /// Sees the secrets of the session as soon as they are known, in the parts of a line of a key log (RFC 9850).
    public var onSecret: ((_ label: String, _ clientRandom: [UInt8], _ secret: [UInt8]) -> Void)?

    /// Asked for the identity to present whenever the server asks for one, in the handshake, after it (RFC 8446 section
    /// 4.6.2) and in later ones (TLS 1.2); nil, and so no identity at all, if nobody is.
    public var onIdentityRequest: ((IdentityRequest) -> TLSIdentity?)? {
        didSet { observeRequests() }
    }

    /// Asked, with `trustAndName`, when the peer's chain ends in this certificate and nobody known has issued it: whether
    /// the handshake is to wait for the issuer; no, if nobody is asked.
    public var onMissingIssuer: ((Certificate) -> Bool)?

    /// Sees the bytes that OpenSSL takes from `inbound` and puts into `outbound`; meant for the handshake, after which
    /// the owner sets it to nil.
    public var onWire: ((_ sent: Bool, _ bytes: UnsafeRawBufferPointer) -> Void)? {
        get { transport.onWire }
        set { transport.onWire = newValue }
    }

    private init(_ context: TLSContext, verification: Verification?, serverProtocol: [UInt8]?) throws {
        ssl = try context.makeSSL()
        self.verification = verification
        self.serverProtocol = serverProtocol
        let bio = transport.makeBIO()
        SSL_set_bio(ssl, bio, bio)
        // The callbacks find the session here; it outlives the SSL, which it owns.
        SSL_set_ex_data(ssl, TLSSession.applicationData, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { SSL_free(ssl) }

    /// Makes the accepting end of a connection.
    ///
    /// - Parameters:
    ///   - context: A context made by `TLSContext.server`.
    ///   - identity: What to present.
    ///   - authentication: How to ask the client for a certificate; nil does not ask.
    ///   - alpn: The application protocol to agree on; a client that offers others only is refused with the alert
    ///     no_application_protocol (RFC 7301 section 3.2). Nil agrees on none.
    /// - Returns: A session that waits for the client's hello.
    /// - Throws: `OpenSSLError` if the identity cannot be used.
    public static func accepting(
        _ context: TLSContext, identity: TLSIdentity, authentication: ClientAuthentication? = nil, alpn: [UInt8]?
    ) throws -> TLSSession {
        let verification = (authentication?.verify).map(Verification.custom)
        let session = try TLSSession(context, verification: verification, serverProtocol: alpn)
        try session.present(identity)
        if let authentication { try session.request(authentication) }
        SSL_set_accept_state(session.ssl)
        return session
    }

    /// Makes the connecting end of a connection.
    ///
    /// - Parameters:
    ///   - context: A context made by `TLSContext.client`.
    ///   - host: Who is meant: the name that is asked for, unless it is an address (RFC 6066 section 3), and the name
    ///     that is verified with `trustAndName`.
    ///   - verify: How the peer's certificate is judged.
    ///   - alpn: The application protocols to offer, the preferred one first; none: the extension is not sent.
    ///   - offersLateAuthentication: Whether to say that the server may ask for a certificate after the handshake (RFC
    ///     8446 section 4.2.6).
    /// - Returns: A session whose first `handshake()` writes the client's hello.
    /// - Throws: `OpenSSLError` if OpenSSL refuses a parameter.
    public static func connecting(
        _ context: TLSContext, to host: HostName, verify: Verification, alpn: [[UInt8]],
        offersLateAuthentication: Bool = false
    ) throws -> TLSSession {
        let session = try TLSSession(context, verification: verify, serverProtocol: nil)
        try session.expect(host)
        try session.offer(alpn)
        if offersLateAuthentication { SSL_set_post_handshake_auth(session.ssl, 1) }
        SSL_set_connect_state(session.ssl)
        return session
    }

    /// Takes the handshake as far as what was received allows.
    ///
    /// - Returns: What it led to.
    public func handshake() -> HandshakeStep {
        if let failure { return .failed(failure) }
        if isHandshakeComplete { return .complete }
        clearErrors()
        let result = SSL_do_handshake(ssl)
        guard result != 1 else {
            isHandshakeComplete = true
            return .complete
        }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_WANT_RETRY_VERIFY: return .suspended
        case SSL_ERROR_ZERO_RETURN: return .failed(fail(as: .peerAlert(UInt8(SSL_AD_CLOSE_NOTIFY))))
        default: return .failed(fail("SSL_do_handshake"))
        }
    }

    /// Decrypts until `plain` holds `limit` bytes or all that was received is used up.
    ///
    /// Bytes that came before a close_notify or a failure are delivered first; the next call tells the rest.
    ///
    /// - Parameters:
    ///   - plain: Where the application data is appended.
    ///   - limit: How much `plain` may hold then.
    /// - Returns: What it led to.
    public func read(into plain: ByteQueue, upTo limit: Int) -> ReadStep {
        precondition(isHandshakeComplete || failure != nil, "read before the handshake was finished")
        let before = plain.count
        while plain.count < limit, failure == nil, !isClosedByPeer {
            // No plaintext is longer than its ciphertext, and without any OpenSSL need not be asked.
            let available = inbound.count + Int(SSL_pending(ssl))
            guard available > 0, readRecord(into: plain, atMost: min(available, limit - plain.count)) else { break }
        }
        let amount = plain.count - before
        if amount > 0 { return .bytes(amount) }
        if let failure { return .failed(failure) }
        if isClosedByPeer { return .closed }
        return before < limit ? .needsInput : .bytes(0)
    }

    /// Encrypts up to `limit` bytes from `plain` into `outbound`.
    ///
    /// Not after `sendCloseNotify()`: that fails.
    ///
    /// - Parameters:
    ///   - plain: Where the application data is taken from.
    ///   - limit: How much to take at most.
    /// - Returns: What it led to.
    public func write(from plain: ByteQueue, upTo limit: Int) -> WriteStep {
        precondition(isHandshakeComplete || failure != nil, "write before the handshake was finished")
        if let failure { return .failed(failure) }
        let amount = min(plain.count, limit)
        guard amount > 0 else { return .bytes(0) }
        outbound.withRoom(TLSSession.ciphertextLength(of: amount)) { _ in 0 }
        clearErrors()
        var written = 0
        let result = plain.withBytes { SSL_write_ex(ssl, $0.baseAddress, amount, &written) }
        guard result != 1 else {
            plain.consume(written)
            return .bytes(written)
        }
        guard SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ else { return .failed(fail("SSL_write_ex")) }
        return .bytes(0)
    }

    /// Tells the peer that no more will be sent (close_notify, RFC 8446 section 6.1).
    ///
    /// Reading is still possible. It does nothing before the handshake was finished or after a failure: a session that
    /// never was has no close.
    public func sendCloseNotify() {
        guard isHandshakeComplete, failure == nil, SSL_get_shutdown(ssl) & SSL_SENT_SHUTDOWN == 0 else { return }
        clearErrors()
        // It fails only in the middle of a renegotiation, where there is nothing better to do either.
        if SSL_shutdown(ssl) < 0 { clearErrors() }
    }

    /// Gives the memory of both queues back if they are empty: to be called when the socket has nothing more for now.
    public func releaseQueues() {
        inbound.releaseIfEmpty()
        outbound.releaseIfEmpty()
    }

    /// Decrypts one record; false if nothing more is to be had.
    private func readRecord(into plain: ByteQueue, atMost room: Int) -> Bool {
        clearErrors()
        var result: CInt = 0
        plain.withRoom(room) { target in
            var read = 0
            result = SSL_read_ex(ssl, target.baseAddress, room, &read)
            return read
        }
        guard result != 1 else { return true }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: break
        case SSL_ERROR_ZERO_RETURN: isClosedByPeer = true
        default: fail("SSL_read_ex")
        }
        return false
    }

    /// Ends the session with what the error queue holds; OpenSSL is not called for it again.
    @discardableResult
    private func fail(_ function: String) -> TLSFailure {
        let circumstances = TLSFailure.Circumstances(
            verifyError: verifyError, verifyDepth: rejectedDepth, isFirstMessage: isWaitingForFirstMessage)
        let failure = TLSFailure(OpenSSLError.drain(function), in: circumstances)
        self.failure = failure
        return failure
    }

    private func fail(as kind: TLSFailure.Kind) -> TLSFailure {
        let failure = TLSFailure(kind: kind, cause: OpenSSLError.drain("SSL_do_handshake"))
        self.failure = failure
        return failure
    }

    /// Whether nothing of the peer was understood yet.
    private var isWaitingForFirstMessage: Bool {
        let state = SSL_get_state(ssl)
        return state == TLS_ST_BEFORE || state == TLS_ST_CW_CLNT_HELLO
    }

    /// What `amount` bytes of application data need at most on the wire: for each record of 16 KiB a header
    /// of 5 bytes and, in the worst suite (AES-CBC with SHA-384), 80 of vector, authentication and padding.
    private static func ciphertextLength(of amount: Int) -> Int {
        let records = (amount &+ 16_383) / 16_384
        return amount + records * 85
    }
}

// A session belongs to one thread.
@available(*, unavailable)
extension TLSSession: Sendable {}

/// Empties this thread's error queue, which `SSL_get_error` relies on.
///
/// It is almost always empty, and looking costs a sixth of what clearing does: it is done for every record.
private func clearErrors() {
    if ERR_peek_error() != 0 { ERR_clear_error() }
}
