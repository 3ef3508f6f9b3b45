/// What a pin policy needs to know of a certificate, as plain values.
///
/// Policies compare certificates; they never decode them. Whoever holds the certificate (`Crypto`) states the facts.
public struct CertificateFacts: Hashable, Sendable {
    /// The certificate exactly as it was encoded.
    public let der: [UInt8]
    /// The public key in one canonical encoding, so that equal keys have equal bytes (PS-0.2); nil if the platform
    /// cannot read the key, in which case it equals no other.
    public let publicKey: [UInt8]?
    /// The SHA-256 digest of `der`.
    public let sha256: [UInt8]
    /// The subject's name, for people.
    public let subject: String
    /// What only some libraries look at.
    public let details: CertificateDetails

    /// States the facts of one certificate.
    public init(
        der: [UInt8], publicKey: [UInt8]?, sha256: [UInt8], subject: String,
        details: CertificateDetails = CertificateDetails()
    ) {
        self.der = der
        self.publicKey = publicKey
        self.sha256 = sha256
        self.subject = subject
        self.details = details
    }

    /// Certificates are equal when their encodings are.
    public static func == (left: CertificateFacts, right: CertificateFacts) -> Bool { left.der == right.der }

    /// Hashes what equality looks at.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
