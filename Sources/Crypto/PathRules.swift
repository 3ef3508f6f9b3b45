internal import Pinning

/// What one platform asks of a path, and how it is found.
protocol PathRules {
    /// How OpenSSL verifies.
    var manner: VerificationManner { get }
    /// How exactly the two names of a signature's algorithm agree.
    var agreement: AlgorithmAgreement { get }
    /// Whether further paths are looked for where OpenSSL's own fails (PS-0.4-3).
    var seeksFurtherPaths: Bool { get }

    /// The path for a leaf that is an anchor itself; nil if it is none.
    ///
    /// - Parameters:
    ///   - leaf: The first certificate that was sent.
    ///   - store: The anchors.
    ///   - time: When it must be valid.
    /// - Returns: The path, which consists of the anchor as a rule.
    func pathOfAnchoredLeaf(_ leaf: Certificate, in store: TrustStore, at time: Int64) -> TrustPath?

    /// Adds what is wrong beside what OpenSSL checks, and takes away what the platform does not mind.
    ///
    /// - Parameters:
    ///   - path: The path as OpenSSL verified it.
    ///   - store: The anchors that it was built with.
    func apply(to path: inout TrustPath, in store: TrustStore)

    /// What the platform asks as well of such a path, and is not applied.
    func unchecked(on path: TrustPath?) -> [UncheckedRule]
}
