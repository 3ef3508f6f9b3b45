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
    /// What kind of key it is, and how long; nil if it cannot be read or was not stated.
    public let key: KeyKind?
    /// The hash under the certificate's signature; nil if there is none that is known, or it was not stated.
    public let signatureHash: SignatureHash?
    /// What Apple calls the subject's summary, which is its common name as a rule; nil if it has none.
    public let subjectSummary: String?

    /// A public key's algorithm and length.
    public enum KeyKind: Hashable, Sendable {
        /// RSA, with the modulus's bits.
        case rsa(bits: Int)
        /// An elliptic curve by its NIST name, such as `P-256`, or another; with the field's bits.
        case ellipticCurve(String, bits: Int)
        /// Another algorithm, by its name.
        case other(String)
    }

    /// A hash that certificates are signed with.
    public enum SignatureHash: String, Sendable, CaseIterable {
        case md2, md4, md5, sha1, sha224, sha256, sha384, sha512
    }

    /// States the facts of one certificate; what only some policies look at may be left out.
    public init(
        der: [UInt8], publicKey: [UInt8]?, sha256: [UInt8], subject: String,
        details: CertificateDetails = CertificateDetails(), key: KeyKind? = nil, signatureHash: SignatureHash? = nil,
        subjectSummary: String? = nil
    ) {
        self.der = der
        self.publicKey = publicKey
        self.sha256 = sha256
        self.subject = subject
        self.details = details
        self.key = key
        self.signatureHash = signatureHash
        self.subjectSummary = subjectSummary
    }

    /// Certificates are equal when their encodings are.
    public static func == (left: CertificateFacts, right: CertificateFacts) -> Bool { left.der == right.der }

    /// Hashes what equality looks at.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension CertificateFacts.KeyKind: CustomStringConvertible {
    /// The algorithm and the length, such as `RSA 2048` or `EC P-256`.
    public var description: String {
        switch self {
        case .rsa(let bits): "RSA \(bits)"
        case .ellipticCurve(let name, _): "EC \(name)"
        case .other(let name): name
        }
    }
}
