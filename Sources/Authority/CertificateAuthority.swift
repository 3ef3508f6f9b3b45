public import Crypto
internal import Wire

/// A local CA: it signs the leaves that the proxy presents.
///
/// **Ownership:** the only holder of the CA's key. **Thread:** immutable, so usable from any thread.
public final class CertificateAuthority: Sendable {
    /// The certificate that clients have to trust, or an intermediate below it.
    public let certificate: Certificate
    /// What is sent after a leaf: the CA's own certificate and those above it, without the root; empty for a root.
    public let chain: [Certificate]
    private let key: PrivateKey

    init(certificate: Certificate, chain: [Certificate], key: PrivateKey) {
        self.certificate = certificate
        self.chain = chain
        self.key = key
    }

    /// Mints a leaf with a key of its own.
    ///
    /// - Parameters:
    ///   - request: What the leaf is for.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The leaf, the chain to send after it, and its key.
    /// - Throws: `AuthorityError`.
    public func issue(_ request: LeafRequest, now: Int64) throws -> TLSIdentity {
        try requireValid(at: now)
        guard let validity = Lifetime.leaf(at: now, within: certificate) else {
            preconditionFailure("a CA that is valid now overlaps with what begins before now and ends after it")
        }
        do {
            return try issue(request.template(validity: validity), key: PrivateKey.generate(request.key))
        } catch let error as OpenSSLError {
            throw AuthorityError(
                .minting, "cannot make a certificate for \(request.host) (\(request.key)): \(error)",
                hint: "ask for a P-256 or RSA 2048 key, and check that OpenSSL's configuration allows SHA-256")
        }
    }

    /// Signs whatever a template says, for tests that need a faulty certificate.
    ///
    /// - Parameters:
    ///   - template: What the certificate says.
    ///   - key: The subject's key; nil for a new P-256 key.
    /// - Returns: The certificate, the chain to send after it, and its key.
    /// - Throws: `OpenSSLError` if OpenSSL cannot encode what the template says.
    package func issue(_ template: CertificateTemplate, key: PrivateKey? = nil) throws -> TLSIdentity {
        let key = try key ?? PrivateKey.generate(.p256)
        let issuer = TLSIdentity(chain: [certificate], key: self.key)
        return TLSIdentity(chain: [try template.signed(for: key, by: issuer)] + chain, key: key)
    }

    private func requireValid(at now: Int64) throws {
        guard now <= certificate.notAfter else {
            throw AuthorityError(
                .expired, "the CA \(certificate.subject) expired at \(utc(certificate.notAfter))",
                hint: "restart to get a new CA for the run, or make one with `pinproof ca init`")
        }
        guard now >= certificate.notBefore else {
            throw AuthorityError(
                .notYetValid, "the CA \(certificate.subject) is not valid before \(utc(certificate.notBefore))",
                hint: "check this machine's clock")
        }
    }
}
