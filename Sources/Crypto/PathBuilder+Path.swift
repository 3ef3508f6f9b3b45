internal import COpenSSL
internal import COpenSSLShims
internal import Pinning

extension PathBuilder {
    /// A path as OpenSSL built it, with everything that is wrong with it.
    struct Path {
        /// The certificates, leaf first; each is signed with the key of the next.
        var certificates: [Certificate]
        /// What is wrong, in the order in which OpenSSL found it.
        var errors: [TrustError]

        /// Among several failures the longest path is shown (PS-0.3-2).
        func isBetter(than other: Path) -> Bool {
            if errors.isEmpty != other.errors.isEmpty { return errors.isEmpty }
            return certificates.count > other.certificates.count
        }
    }
}

extension PathBuilder.Path {
    /// Builds and verifies a path.
    ///
    /// - Parameters:
    ///   - leaf: Where it starts.
    ///   - issuers: What it may lead through, in any order.
    ///   - store: Where it may end.
    ///   - time: When every certificate on it must be valid.
    init(from leaf: Certificate, through issuers: [Certificate], to store: TrustStore, at time: Int64) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let findings = Findings()
        let verification = Verification(of: leaf, through: CertificateStack(issuers), to: store, at: time)
        let chain = verification.run(findings)
        certificates = chain.certificates.isEmpty ? [leaf] : chain.certificates
        errors = findings.errors(within: certificates.indices)
        if chain.isLeafAnAnchor {
            // OpenSSL keeps the issuers that it had collected before it found the leaf itself trusted.
            keep(1)
        }
        dropWhatIsNotLinked()
        // OpenSSL takes the last second of validity for one too late; RFC 5280, 4.1.2.5, and Apple do not.
        errors.removeAll { $0.kind == .expired && certificates[$0.depth].isValid(at: time) }
    }

    /// Keeps the first certificates, and what is wrong with them.
    private mutating func keep(_ count: Int) {
        certificates = Array(certificates.prefix(count))
        errors.removeAll { $0.depth >= count }
    }

    /// Ends the path where a signature is not by the next key (PS-0.3-1): OpenSSL chooses issuers by name.
    private mutating func dropWhatIsNotLinked() {
        guard !errors.isEmpty else { return }
        for depth in certificates.indices.dropFirst() where !certificates[depth].hasSigned(certificates[depth - 1]) {
            keep(depth)
            let reason = "no certificate with the issuer's name has the key that signed this one"
            // OpenSSL reports the signature below the broken link as a fault of the certificate.
            errors.removeAll { $0.kind == .noAnchor || $0.kind == .other && $0.depth == depth - 1 }
            errors.insert(TrustError(.noAnchor, depth: depth - 1, detail: reason), at: 0)
            return
        }
    }
}

/// One run of OpenSSL's verification, which goes on after a failure so that it finds everything.
///
/// **Ownership:** keeps alive what its context only points to.
private struct Verification: ~Copyable {
    /// Deeper paths than this are not looked for.
    private static let maximumDepth: CInt = 10

    private let context = VerificationContext()
    private let leaf: Certificate
    private let issuers: CertificateStack
    private let store: TrustStore

    init(of leaf: Certificate, through issuers: consuming CertificateStack, to store: TrustStore, at time: Int64) {
        let raw = context.raw
        let isReady = store.withHandle { store in
            leaf.withHandle { leaf in issuers.withPointer { X509_STORE_CTX_init(raw, store, leaf, $0) } }
        }
        precondition(isReady == 1, "no memory for a verification")
        self.leaf = leaf
        self.issuers = issuers
        self.store = store
        let parameters = X509_STORE_CTX_get0_param(raw)
        X509_VERIFY_PARAM_set_time(parameters, Int(time))
        X509_VERIFY_PARAM_set_auth_level(parameters, 0)
        X509_VERIFY_PARAM_set_depth(parameters, Verification.maximumDepth)
    }

    /// Verifies, and tells `findings` of everything that is wrong.
    borrowing func run(_ findings: Findings) -> (certificates: [Certificate], isLeafAnAnchor: Bool) {
        let raw = context.raw
        // The findings outlive the call, which is the only time at which OpenSSL calls back.
        X509_STORE_CTX_set_ex_data(raw, Findings.applicationData, Unmanaged.passUnretained(findings).toOpaque())
        X509_STORE_CTX_set_verify_cb(raw, noteFinding)
        if X509_verify_cert(raw) != 1, findings.isEmpty {
            findings.note(X509_STORE_CTX_get_error(raw), depth: 0)
        }
        let chain = X509_STORE_CTX_get0_chain(raw)
        let count = chain.map { copenssl_sk_X509_num($0) } ?? 0
        let certificates = (0..<max(0, count)).compactMap { index -> Certificate? in
            guard let certificate = copenssl_sk_X509_value(chain, index) else { return nil }
            X509_up_ref(certificate)
            return Certificate(owning: certificate)
        }
        return (certificates, X509_STORE_CTX_get_num_untrusted(raw) == 0)
    }
}

/// What one verification found to be wrong.
private final class Findings {
    /// The index of OpenSSL's "application data" slot of a context.
    static let applicationData: CInt = 0

    private var errors: [TrustError] = []

    var isEmpty: Bool { errors.isEmpty }

    /// What was found, without places that lie beyond the path.
    func errors(within path: Range<Int>) -> [TrustError] {
        errors.map { TrustError($0.kind, depth: min($0.depth, max(0, path.upperBound - 1)), detail: $0.detail) }
    }

    /// Notes an `X509_V_ERR_*`; of one kind and place only the first.
    func note(_ error: CInt, depth: CInt) {
        let kind = TrustError.Kind(verifyError: error)
        let depth = Int(max(0, depth))
        // A path without an anchor is reported twice.
        guard !errors.contains(where: { $0.kind == kind && $0.depth == depth }) else { return }
        let detail = X509_verify_cert_error_string(Int(error)).map { String(cString: $0) } ?? "error \(error)"
        errors.append(TrustError(kind, depth: depth, detail: detail))
    }
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

extension TrustError.Kind {
    /// The class of an `X509_V_ERR_*`.
    init(verifyError: CInt) {
        switch verifyError {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
            self = .noAnchor
        case X509_V_ERR_CERT_CHAIN_TOO_LONG, X509_V_ERR_PATH_LENGTH_EXCEEDED:
            self = .pathTooLong
        case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN:
            self = .issuerNotAuthority
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD:
            self = .expired
        case X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD:
            self = .notYetValid
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION:
            self = .criticalExtension
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
            X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
            X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
            self = .nameConstraint
        default:
            self = .other
        }
    }
}
