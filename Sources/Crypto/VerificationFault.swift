/// One thing that a verification found wrong with a chain.
public struct VerificationFault: Hashable, Sendable {
    /// OpenSSL's `X509_V_ERR_*` number.
    public let verifyError: Int32
    /// The place of the certificate at fault, the leaf being zero.
    public let depth: Int

    /// Joins what is wrong with where.
    public init(verifyError: Int32, depth: Int) {
        self.verifyError = verifyError
        self.depth = depth
    }

    /// Its class.
    public var kind: CertificateFault { CertificateFault(verifyError: verifyError) }
}
