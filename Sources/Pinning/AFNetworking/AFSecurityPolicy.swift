/// AFNetworking's `AFSecurityPolicy`, from 2.0 to 4.0: one class whose decisions changed from release to release.
///
/// The steps of `evaluate` are those of `evaluateServerTrust:forDomain:` of the release, in its order.
public struct AFSecurityPolicy: PinningPolicy {
    /// What is pinned: `AFSSLPinningMode`.
    public enum Mode: String, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// Whole certificates; from 2.2.4 on they become the only anchors.
        case certificate
        /// Public keys.
        case publicKey
    }

    /// How an app's code makes the object: up to 2.4.1 the default of `validatesDomainName` depends on it.
    public enum Construction: Sendable {
        /// `defaultPolicy`, whose mode may be changed afterwards.
        case defaultPolicy
        /// `policyWithPinningMode:`.
        case policyWithPinningMode
    }

    /// One entry of `pinnedCertificates`.
    public typealias Pin = CertificatePin

    /// The last release.
    public static let latestVersion = LibraryVersion(4, 0, 1)

    /// The release.
    public let version: LibraryVersion
    /// `SSLPinningMode`.
    public var mode: Mode
    /// `pinnedCertificates`, as the app sets them.
    public var pins: [Pin]
    /// `allowInvalidCertificates`.
    public var allowInvalidCertificates: Bool
    /// `validatesDomainName`, which 2.0 has not.
    public var validatesDomainName: Bool
    /// `validatesCertificateChain`, which 2.1 to 2.5 have: pins are counted over the whole path, not looked for in the
    /// leaf.
    public var validatesCertificateChain: Bool
    /// Whether the library's source was changed, where it counts, to ask for one pinned certificate less than the path
    /// has, and for one pinned key (PS-11-8).
    public var isPatched: Bool
    /// What the app's code anchors, beside the platform's anchors, before it asks the library; nil for nothing.
    public var anchorsBefore: [CertificateFacts]?

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - version: The release.
    ///   - mode: What is pinned.
    ///   - pins: The pins, duplicates included.
    ///   - allowInvalidCertificates: Whether the platform's verdict is overruled.
    ///   - validatesDomainName: Whether names are compared; nil for the release's own default.
    ///   - validatesCertificateChain: Whether the whole path is counted.
    ///   - construction: How the app makes the object; nil for the usual way: `defaultPolicy` to pin nothing,
    ///     `policyWithPinningMode:` otherwise.
    ///   - isPatched: Whether the counts were patched.
    ///   - anchorsBefore: What the app anchors before it asks.
    public init(
        version: LibraryVersion = AFSecurityPolicy.latestVersion, mode: Mode = .none, pins: [Pin] = [],
        allowInvalidCertificates: Bool = false, validatesDomainName: Bool? = nil,
        validatesCertificateChain: Bool = true, construction: Construction? = nil, isPatched: Bool = false,
        anchorsBefore: [CertificateFacts]? = nil
    ) {
        let construction = construction ?? (mode == .none ? .defaultPolicy : .policyWithPinningMode)
        self.version = version
        self.mode = mode
        self.pins = pins
        self.allowInvalidCertificates = allowInvalidCertificates
        self.validatesDomainName =
            validatesDomainName ?? Self.validatesDomainNameByDefault(version, mode: mode, construction)
        self.validatesCertificateChain = validatesCertificateChain
        self.isPatched = isPatched
        self.anchorsBefore = anchorsBefore
    }

    /// The release is not emulated, a pin crashes the app when it is loaded, or pins are asked for and none can be used:
    /// each connection would be refused, or the app would crash (PS-1.4).
    public var configurationProblem: PolicyReason? {
        if band == nil { return versionProblem }
        if let crashingPin { return crashingPin.reason }
        guard mode != .none, !pins.contains(where: { $0.isUsable(in: mode) }) else { return nil }
        return PolicyReason(.noUsablePin, rule: .afPinLoading)
    }
}
