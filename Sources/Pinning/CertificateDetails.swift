/// What only some pinning libraries look at in a certificate: names, digests, and what its issuer lets it sign.
public struct CertificateDetails: Sendable {
    /// A subject alternative name of a kind that hosts are compared with.
    public enum Name: Hashable, Sendable {
        /// A dNSName, perhaps with a wildcard.
        case dns(String)
        /// The octets of an iPAddress.
        case address([UInt8])
    }

    /// What basicConstraints says of a certificate authority.
    public struct Authority: Hashable, Sendable {
        /// How many authorities may follow below it; nil if it does not say.
        public let pathLength: Int?

        /// States what an authority may sign.
        public init(pathLength: Int? = nil) { self.pathLength = pathLength }
    }

    /// The SubjectPublicKeyInfo as it stands in the certificate: what SPKI pins are made of (PS-0.2).
    public var spki: [UInt8]
    /// The SHA-256 digest of `spki`.
    public var spkiSHA256: [UInt8]
    /// The SHA-1 digest of `spki`.
    public var spkiSHA1: [UInt8]
    /// The SHA-1 digest of the whole certificate.
    public var sha1: [UInt8]
    /// The MD5 digest of the whole certificate.
    public var md5: [UInt8]
    /// The subject's name as it is encoded.
    public var subjectName: [UInt8]
    /// The issuer's name as it is encoded.
    public var issuerName: [UInt8]
    /// What it may sign; nil if basicConstraints does not make it an authority.
    public var authority: Authority?
    /// The subject alternative names, in their order.
    public var names: [Name]

    /// States details; what is left out is unknown, equals nothing and allows nothing.
    public init(
        spki: [UInt8] = [], spkiSHA256: [UInt8] = [], spkiSHA1: [UInt8] = [], sha1: [UInt8] = [], md5: [UInt8] = [],
        subjectName: [UInt8] = [], issuerName: [UInt8] = [], authority: Authority? = nil, names: [Name] = []
    ) {
        self.spki = spki
        self.spkiSHA256 = spkiSHA256
        self.spkiSHA1 = spkiSHA1
        self.sha1 = sha1
        self.md5 = md5
        self.subjectName = subjectName
        self.issuerName = issuerName
        self.authority = authority
        self.names = names
    }
}
