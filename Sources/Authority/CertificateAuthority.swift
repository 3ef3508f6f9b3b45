public import Crypto
public import Wire

/// A local CA: it signs the leaves that the proxy presents.
///
/// **Ownership:** the only holder of the CA's key. **Thread:** immutable, so usable from any thread.
public final class CertificateAuthority: Sendable {
    /// The certificate that clients have to trust, or an intermediate below it.
    public let certificate: Certificate
    /// What is sent after a leaf: the CA's own certificate and those above it, without the root; empty for a root.
    public let chain: [Certificate]
    /// The root that its chain ends in, which clients have to trust; the certificate itself if it is one, and nil if the
    /// root is not known.
    public let root: Certificate?
    private let key: PrivateKey
    /// Those of its path that constrain what it may issue for.
    let constraining: [Certificate]

    init(certificate: Certificate, issuers: [Certificate] = [], key: PrivateKey) {
        let path = [certificate] + issuers
        self.certificate = certificate
        chain = path.filter { !$0.isSelfSigned }
        root = path.first(where: \.isSelfSigned)
        constraining = path.filter { $0.nameConstraints != nil }
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
        let template = request.template(validity: try leafValidity(now))
        do {
            let key = try PrivateKey.generate(request.key)
            if request.mirror?.signer == .itself { return try template.identity(key: key) }
            // A client would refuse it, which must not look as if the client pinned.
            try requirePermitted(template)
            let identity = try issue(template, key: key)
            guard request.mirror?.signer == .stranger(isShown: true) else { return identity }
            return TLSIdentity(chain: identity.chain + [certificate], key: key)
        } catch let error as OpenSSLError {
            throw AuthorityError(
                .minting, "cannot make a certificate for \(request.host) (\(request.key)): \(error)",
                hint: "ask for a P-256 or RSA 2048 key, and check that OpenSSL's configuration allows SHA-256")
        }
    }

    /// Mints a server's certificate for several names at once, with a key of its own.
    ///
    /// - Parameters:
    ///   - hosts: The names and addresses.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The certificate, the chain to send after it, and its key.
    /// - Throws: `AuthorityError` if the CA is not valid now, `OpenSSLError` if OpenSSL cannot make it.
    public func issueServer(for hosts: [HostName], now: Int64) throws -> TLSIdentity {
        let validity = try leafValidity(now)
        return try issue(
            .server(
                names: hosts.map(AlternativeName.init), notBefore: validity.lowerBound, notAfter: validity.upperBound))
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

    private func leafValidity(_ now: Int64) throws -> ClosedRange<Int64> {
        try requireValid(at: now)
        guard let validity = Lifetime.leaf(at: now, within: certificate) else {
            preconditionFailure("a CA that is valid now overlaps with what begins before now and ends after it")
        }
        return validity
    }

    func requireValid(at now: Int64) throws {
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
