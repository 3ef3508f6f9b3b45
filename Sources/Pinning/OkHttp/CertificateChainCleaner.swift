/// OkHttp's `CertificateChainCleaner` where the platform does not hand out its own path (PS-4-5).
///
/// It is no validation: dates and purposes are the platform's affair. It follows signatures from the leaf to a trust
/// root, so that what is merely sent along drops out.
public struct CertificateChainCleaner: Sendable {
    /// Whether the first certificate's key made the signature on the second.
    public typealias SignatureCheck = @Sendable (_ issuer: CertificateFacts, _ certificate: CertificateFacts) -> Bool

    /// What changed over the releases.
    struct Rules: Hashable, Sendable {
        /// Goes on behind a trust root that has not signed itself (2.7.5, 3.2.0): an issuer of it that was sent counts.
        var buildsFullChains: Bool
        /// Refuses issuers that may not have so many authorities below them (5.0): others, and every issuer before,
        /// need no basicConstraints.
        var checksAuthority: Bool

        init(_ version: LibraryVersion) {
            let fullSince = version.major < 3 ? LibraryVersion(2, 7, 5) : LibraryVersion(3, 2)
            buildsFullChains = version >= fullSince
            checksAuthority = version >= LibraryVersion(5, 0)
        }
    }

    private static let maximumSigners = 9

    private let trustRoots: [CertificateFacts]
    private let hasSigned: SignatureCheck

    /// Makes a cleaner.
    ///
    /// - Parameters:
    ///   - trustRoots: What the application's trust manager accepts as issuers.
    ///   - hasSigned: Verifies a signature; names are compared before it is asked.
    public init(trustRoots: [CertificateFacts], hasSigned: @escaping SignatureCheck) {
        self.trustRoots = trustRoots
        self.hasSigned = hasSigned
    }

    /// Rebuilds the chain.
    ///
    /// - Parameters:
    ///   - sent: The certificates as the server sent them.
    ///   - rules: Those of the release.
    /// - Returns: The chain from the leaf to its last signer.
    /// - Throws: Why there is none.
    func clean(
        _ sent: [CertificateFacts], rules: Rules
    ) throws(ChainCleaningFault) -> [CertificateFacts] {
        guard var last = sent.first else { throw .noTrustRoot(below: "") }
        var chain = [last]
        var queue = Array(sent.dropFirst())
        var foundRoot = false
        for _ in 0..<Self.maximumSigners {
            if let root = trustRoots.first(where: { signed($0, last) }) {
                if chain.count > 1 || last != root { chain.append(root) }
                let isEnd = signed(root, root) && isAuthority(root, above: chain.count - 2, rules)
                if isEnd || !rules.buildsFullChains { return chain }
                foundRoot = true
                last = root
            } else if let next = queue.firstIndex(where: {
                signed($0, last) && isAuthority($0, above: chain.count - 1, rules)
            }) {
                last = queue.remove(at: next)
                chain.append(last)
            } else if foundRoot {
                return chain
            } else {
                throw .noTrustRoot(below: last.subject)
            }
        }
        throw .tooManySigners
    }

    private func signed(_ issuer: CertificateFacts, _ certificate: CertificateFacts) -> Bool {
        let (wanted, name) = (certificate.details.issuerName, issuer.details.subjectName)
        // Nearly always the encodings are the same.
        guard wanted == name || PrincipalName(wanted) == PrincipalName(name) else { return false }
        return hasSigned(issuer, certificate)
    }

    /// Whether basicConstraints allows so many authorities below; anything does where there is not even a leaf.
    private func isAuthority(_ certificate: CertificateFacts, above intermediates: Int, _ rules: Rules) -> Bool {
        guard rules.checksAuthority, intermediates >= 0 else { return true }
        guard let authority = certificate.details.authority else { return false }
        return authority.pathLength.map { $0 >= intermediates } ?? true
    }
}

/// Why OkHttp finds no chain where the platform did.
public enum ChainCleaningFault: Error, Hashable, Sendable {
    /// Nothing that was sent and nothing that is trusted has signed a certificate.
    case noTrustRoot(below: String)
    /// The chain has more signers than are followed.
    case tooManySigners
}

extension ChainCleaningFault: CustomStringConvertible {
    /// Why, in one line.
    public var description: String {
        switch self {
        case .noTrustRoot(let subject): "it finds no trusted certificate that signed \(subject)"
        case .tooManySigners: "it follows 9 signers and no more"
        }
    }
}
