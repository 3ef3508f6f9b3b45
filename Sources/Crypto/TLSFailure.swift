internal import COpenSSL
internal import Wire

/// Why a TLS session came to its end before its time.
///
/// It is classified by OpenSSL's library and reason numbers, never by text. Who is at fault depends on the side that
/// the session is on; that is for the owner to say.
public struct TLSFailure: Error, Equatable, Sendable {
    /// The classes of failures that matter to a verdict.
    public enum Kind: Equatable, Sendable {
        /// The peer's certificate was refused here. `verifyError` is OpenSSL's `X509_V_ERR_*`, `depth` the place of the
        /// certificate at fault in the chain, the leaf being zero.
        case certificateRejected(verifyError: Int32, depth: Int)
        /// The peer sent a fatal alert, or close_notify (0) before the handshake was finished.
        case peerAlert(UInt8)
        /// Both ends have no protocol version in common.
        case noCommonVersion
        /// Both ends have no cipher suite in common.
        case noCommonCipherSuite
        /// Both ends have no signature algorithm in common that the certificate's key can make.
        case noCommonSignatureAlgorithm
        /// What the peer offers is weaker than this context takes: a key, a group, a digest or a signature.
        case tooWeak
        /// A message of the peer is longer than it may be: its certificates, as a rule.
        case tooLong
        /// The peer does not know secure renegotiation (RFC 5746).
        case noSecureRenegotiation
        /// Both ends have no key exchange group in common.
        case noCommonGroup
        /// The peer does not offer the application protocol that this session speaks.
        case noCommonApplicationProtocol
        /// What the peer sent first is no TLS record.
        case notTLS
        /// The peer broke the protocol.
        case protocolViolation
        /// Anything else, such as a failure inside OpenSSL.
        case other
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// What OpenSSL had to say.
    public let cause: OpenSSLError

    init(kind: Kind, cause: OpenSSLError) {
        self.kind = kind
        self.cause = cause
    }
}

extension TLSFailure {
    /// What the session knows of the moment of the failure, beside the error queue.
    struct Circumstances {
        /// What `SSL_get_verify_result` says.
        var verifyError: Int32
        /// Where in the chain the verification failed.
        var verifyDepth: Int
        /// Whether no message of the peer was understood yet.
        var isFirstMessage: Bool
    }

    /// Classifies what the error queue held after a failed call.
    init(_ cause: OpenSSLError, in circumstances: Circumstances) {
        let reason = cause.entries.first { $0.library == ERR_LIB_SSL }?.reason
        self.init(kind: reason.map { TLSFailure.kind(of: $0, in: circumstances) } ?? .other, cause: cause)
    }

    private static func kind(of reason: Int32, in circumstances: Circumstances) -> Kind {
        // A received alert is its number on top of SSL_AD_REASON_OFFSET.
        if let alert = UInt8(exactly: reason - SSL_AD_REASON_OFFSET) { return .peerAlert(alert) }
        switch reason {
        case SSL_R_CERTIFICATE_VERIFY_FAILED:
            return .certificateRejected(
                verifyError: circumstances.verifyError, depth: circumstances.verifyDepth)
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH,
            SSL_R_WRONG_SSL_VERSION:
            return .noCommonVersion
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_CIPHERS_AVAILABLE:
            return .noCommonCipherSuite
        case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS,
            SSL_R_NO_SUITABLE_DIGEST_ALGORITHM:
            return .noCommonSignatureAlgorithm
        case SSL_R_DH_KEY_TOO_SMALL, SSL_R_EE_KEY_TOO_SMALL, SSL_R_CA_KEY_TOO_SMALL, SSL_R_CA_MD_TOO_WEAK,
            SSL_R_WRONG_SIGNATURE_TYPE, SSL_R_LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED:
            return .tooWeak
        case SSL_R_EXCESSIVE_MESSAGE_SIZE:
            return .tooLong
        case SSL_R_UNSAFE_LEGACY_RENEGOTIATION_DISABLED:
            return .noSecureRenegotiation
        case SSL_R_NO_SHARED_GROUPS, SSL_R_NO_SUITABLE_GROUPS, SSL_R_NO_SUITABLE_KEY_SHARE:
            return .noCommonGroup
        case SSL_R_NO_APPLICATION_PROTOCOL:
            return .noCommonApplicationProtocol
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
            return .notTLS
        case SSL_R_WRONG_VERSION_NUMBER where circumstances.isFirstMessage:
            return .notTLS
        default:
            // A fatal reason is OpenSSL's own trouble: memory, a disabled algorithm, a bug.
            return reason & Int32(ERR_RFLAG_FATAL) == 0 ? .protocolViolation : .other
        }
    }
}

extension TLSFailure: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String {
        switch kind {
        case .certificateRejected(let error, let depth):
            "certificate \(depth) of the chain refused: \(CertificateFault.text(verifyError: error))"
        case .peerAlert(let alert):
            "the peer sent alert \(alert) (\(TLSNames.alert(alert)))"
        case .noCommonVersion: "no protocol version in common (\(cause.number))"
        case .noCommonCipherSuite: "no cipher suite in common"
        case .noCommonSignatureAlgorithm: "no signature algorithm in common (\(cause.number))"
        case .tooWeak: "what the peer offers is too weak: \(cause.reason) (\(cause.number))"
        case .tooLong:
            "the peer's certificates, or another handshake message, are longer than the limit (\(cause.number))"
        case .noSecureRenegotiation: "the peer does not know secure renegotiation, RFC 5746 (\(cause.number))"
        case .noCommonGroup: "no key exchange group in common"
        case .noCommonApplicationProtocol: "no application protocol in common"
        case .notTLS: "the peer does not speak TLS"
        case .protocolViolation: "the peer broke the TLS protocol (\(cause.reason))"
        case .other: cause.description
        }
    }
}
