internal import COpenSSL
internal import COpenSSLShims
internal import Pinning

/// How OpenSSL verifies a path.
enum VerificationManner {
    /// Signatures, times and authorities only; what else is asked is not OpenSSL's affair (PS-0.4-5).
    case path
    /// The same, and the certificate policies that an authority may demand (RFC 5280, 4.2.1.11).
    case pathWithPolicies
    /// As OpenSSL's own clients do: for TLS servers, and on the security level of Debian's and Ubuntu's builds.
    case server
}

/// One thing that OpenSSL found wrong.
struct VerificationFinding {
    /// An `X509_V_ERR_*`.
    let code: CInt
    /// The certificate of the path that it is about.
    var depth: Int

    /// The finding as a value of the result.
    var error: TrustError {
        let detail = X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "error \(code)"
        return TrustError(TrustError.Kind(verifyError: code), depth: depth, detail: detail)
    }
}

/// One run of OpenSSL's verification, which goes on after a failure so that it finds everything.
///
/// **Ownership:** keeps alive what its context only points to.
struct PathVerification: ~Copyable {
    /// Deeper paths than this are not looked for, except where OpenSSL itself does.
    private static let maximumDepth: CInt = 10
    /// `SSL_CTX`'s level where OpenSSL is built with `-DOPENSSL_TLS_SECURITY_LEVEL=2`.
    private static let securityLevel: CInt = 2

    private let context = VerificationContext()
    private let leaf: Certificate
    private let issuers: CertificateStack
    private let store: TrustStore

    /// Prepares a verification.
    ///
    /// - Parameters:
    ///   - leaf: Where the path starts.
    ///   - issuers: What it may lead through.
    ///   - store: Where it may end.
    ///   - time: When every certificate on it must be valid.
    ///   - manner: How OpenSSL verifies.
    init(
        of leaf: Certificate, through issuers: consuming CertificateStack, to store: TrustStore, at time: Int64,
        _ manner: VerificationManner
    ) {
        let raw = context.raw
        let isReady = store.withHandle { store in
            leaf.withHandle { leaf in issuers.withPointer { X509_STORE_CTX_init(raw, store, leaf, $0) } }
        }
        precondition(isReady == 1, "no memory for a verification")
        self.leaf = leaf
        self.issuers = issuers
        self.store = store
        let parameters = X509_STORE_CTX_get0_param(raw)
        switch manner {
        case .path, .pathWithPolicies:
            X509_VERIFY_PARAM_set_auth_level(parameters, 0)
            X509_VERIFY_PARAM_set_depth(parameters, Self.maximumDepth)
            if manner == .pathWithPolicies {
                X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_POLICY_CHECK))
                // Whatever policy it is; without this one, none would do.
                precondition(
                    X509_VERIFY_PARAM_add0_policy(parameters, OBJ_nid2obj(NID_any_policy)) == 1,
                    "no memory for a verification")
            }
        case .server:
            precondition(X509_STORE_CTX_set_default(raw, "ssl_server") == 1, "OpenSSL knows TLS servers")
            X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
        }
        X509_VERIFY_PARAM_set_time(parameters, Int(time))
    }

    /// What a verification yields.
    struct Outcome {
        /// The path, leaf first; empty if not even that was looked at.
        let certificates: [Certificate]
        /// How many of them were not taken from the store.
        let untrusted: Int
        /// What is wrong.
        let findings: [VerificationFinding]
    }

    /// Verifies and collects everything that is wrong.
    borrowing func run() -> Outcome {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let raw = context.raw
        let findings = Findings()
        // The findings outlive the call, which is the only time at which OpenSSL calls back.
        X509_STORE_CTX_set_ex_data(raw, Findings.applicationData, Unmanaged.passUnretained(findings).toOpaque())
        X509_STORE_CTX_set_verify_cb(raw, noteFinding)
        if X509_verify_cert(raw) != 1, findings.all.isEmpty {
            findings.note(X509_STORE_CTX_get_error(raw), depth: 0)
        }
        let certificates = Certificate.shared(X509_STORE_CTX_get0_chain(raw))
        return Outcome(
            certificates: certificates, untrusted: Int(X509_STORE_CTX_get_num_untrusted(raw)), findings: findings.all)
    }
}

/// What one verification found to be wrong.
private final class Findings {
    /// The index of OpenSSL's "application data" slot of a context.
    static let applicationData: CInt = 0

    private(set) var all: [VerificationFinding] = []

    /// Notes an `X509_V_ERR_*`.
    func note(_ code: CInt, depth: CInt) { all.append(VerificationFinding(code: code, depth: Int(max(0, depth)))) }
}

/// OpenSSL's report of one step of a verification; 1 lets it go on.
private func noteFinding(_ succeeded: CInt, _ context: OpaquePointer?) -> CInt {
    guard succeeded == 0, let context, let data = X509_STORE_CTX_get_ex_data(context, Findings.applicationData) else {
        return 1
    }
    Unmanaged<Findings>.fromOpaque(data).takeUnretainedValue()
        .note(X509_STORE_CTX_get_error(context), depth: X509_STORE_CTX_get_error_depth(context))
    return 1
}
