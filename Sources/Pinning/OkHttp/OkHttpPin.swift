/// One pin of an OkHttp `CertificatePinner`: a pattern for hosts and the digest of a public key.
struct OkHttpPin: Sendable, Hashable {
    /// How the key is digested.
    enum Digest: String {
        case sha1 = "sha1/"
        case sha256 = "sha256/"
    }

    /// The pin as it was configured.
    let text: String
    let pattern: OkHttpPattern
    private let digest: Digest
    private let hash: [UInt8]

    /// Reads a pin as the constructor of a version does (PS-4-1).
    ///
    /// - Parameters:
    ///   - text: Such as `sha256/` and Base64. The digest's length is not looked at.
    ///   - pattern: Which hosts it is for.
    ///   - version: The release.
    /// - Throws: What the version throws.
    init(_ text: String, pattern: OkHttpPattern, version: LibraryVersion) throws(ConfigurationFault) {
        let known: [Digest] = version < LibraryVersion(3, 2) ? [.sha1] : [.sha1, .sha256]
        guard let digest = known.first(where: { text.hasPrefix($0.rawValue) }) else {
            throw ConfigurationFault(.unknownPinKind(text), rule: .okPin)
        }
        guard let hash = OkioBase64.decode(String(text.dropFirst(digest.rawValue.count))) else {
            throw ConfigurationFault(.notBase64(text), rule: .okPin)
        }
        self.text = text
        self.pattern = pattern
        self.digest = digest
        self.hash = hash
    }

    /// Whether the certificate's key has the digest.
    func matches(_ certificate: CertificateFacts) -> Bool {
        switch digest {
        case .sha1: certificate.details.spkiSHA1 == hash
        case .sha256: certificate.details.spkiSHA256 == hash
        }
    }
}
