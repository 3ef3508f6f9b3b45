internal import COpenSSL

/// What is wrong with a refused certificate, in the classes that matter to people.
public enum CertificateFault: Hashable, Sendable {
    /// Its time is over.
    case expired
    /// Its time has not come.
    case notYetValid
    /// It is for other names.
    case wrongName
    /// It is signed with its own key, and not trusted.
    case selfSigned
    /// A key or a signature in its chain is weaker than is taken.
    case tooWeak
    /// It leads to no trusted certificate.
    case untrusted
    /// Anything else, as OpenSSL's `X509_V_ERR_*` number.
    case other(Int32)

    /// Classifies one of OpenSSL's `X509_V_ERR_*` numbers.
    public init(verifyError: Int32) {
        switch verifyError {
        case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK: self = .tooWeak
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .wrongName
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: self = .selfSigned
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            self = .untrusted
        default: self = .other(verifyError)
        }
    }

    /// The alert that refuses a peer's certificate for it: certificate_expired, unknown_ca, or bad_certificate for all that
    /// has none of its own (RFC 8446 section 6.2).
    public var alert: UInt8 {
        switch self {
        case .expired: 45
        case .selfSigned, .untrusted: 48
        case .notYetValid, .wrongName, .tooWeak, .other: 42
        }
    }

    /// OpenSSL's words for one of its `X509_V_ERR_*` numbers, for display only.
    public static func text(verifyError: Int32) -> String {
        String(cString: X509_verify_cert_error_string(Int(verifyError)))
    }
}
