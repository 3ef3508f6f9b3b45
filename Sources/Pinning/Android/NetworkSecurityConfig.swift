/// An Android network security configuration as it is written (PS-5-1), with TrustKit's tags.
///
/// The XML's structure is the type's: one base, one set of debug overrides, pins for domains only. Texts are kept as
/// they stand, because the platform and TrustKit read them differently.
public struct NetworkSecurityConfig: Sendable {
    /// What base and domains alike may say; nil where nothing is said, so that the parent's word counts (PS-5-5).
    public struct Settings: Sendable, Hashable {
        /// `cleartextTrafficPermitted`.
        public var cleartextTrafficPermitted: Bool?
        /// `hstsEnforced`.
        public var hstsEnforced: Bool?
        /// `<trust-anchors>`; an empty list is one, and trusts nothing.
        public var trustAnchors: [Certificates]?

        /// States settings; what is left out is inherited.
        public init(
            cleartextTrafficPermitted: Bool? = nil, hstsEnforced: Bool? = nil, trustAnchors: [Certificates]? = nil
        ) {
            self.cleartextTrafficPermitted = cleartextTrafficPermitted
            self.hstsEnforced = hstsEnforced
            self.trustAnchors = trustAnchors
        }
    }

    /// One `<certificates>` of `<trust-anchors>` (PS-5-4).
    public struct Certificates: Sendable, Hashable {
        /// `src`.
        public enum Source: Sendable, Hashable {
            /// The authorities of the system.
            case system
            /// The authorities that the user installed.
            case user
            /// The authorities for Wi-Fi Alliance services.
            case wifi
            /// `@raw/name` or another resource, with what is in it.
            case resource(name: String, [CertificateFacts])
        }

        /// `src`.
        public var source: Source
        /// `overridePins`; nil if it is not stated.
        public var overridePins: Bool?

        /// Names anchors.
        public init(_ source: Source, overridePins: Bool? = nil) {
            self.source = source
            self.overridePins = overridePins
        }
    }

    /// One `<domain>`.
    public struct Domain: Sendable, Hashable {
        /// The text of the element.
        public var name: String
        /// `includeSubdomains`; nil if it is not stated.
        public var includeSubdomains: Bool?

        /// Names a domain.
        public init(_ name: String, includeSubdomains: Bool? = nil) {
            self.name = name
            self.includeSubdomains = includeSubdomains
        }
    }

    /// One `<pin>`.
    public struct Pin: Sendable, Hashable {
        /// `digest`; nil if it is not stated.
        public var digest: String?
        /// The text of the element.
        public var text: String

        /// Joins a digest's name and its text.
        public init(_ text: String, digest: String? = "SHA-256") {
            self.digest = digest
            self.text = text
        }
    }

    /// One `<pin-set>`; without a pin it is one all the same.
    public struct PinSet: Sendable, Hashable {
        /// The pins.
        public var pins: [Pin]
        /// `expiration`; nil for never.
        public var expiration: String?

        /// Joins pins and when they expire.
        public init(_ pins: [Pin], expiration: String? = nil) {
            self.pins = pins
            self.expiration = expiration
        }
    }

    /// One `<domain-config>`.
    public struct DomainConfig: Sendable {
        /// The domains that it is for; at least one.
        public var domains: [Domain]
        /// What it says beside pins.
        public var settings: Settings
        /// `<pin-set>`; nil if there is none, so that the parent's counts.
        public var pinSet: PinSet?
        /// `<trustkit-config>`, which the platform skips.
        public var trustKit: TrustKitTag?
        /// The configurations inside it.
        public var nested: [DomainConfig]

        /// Joins domains and what holds for them.
        public init(
            domains: [Domain], settings: Settings = Settings(), pinSet: PinSet? = nil,
            trustKit: TrustKitTag? = nil, nested: [DomainConfig] = []
        ) {
            self.domains = domains
            self.settings = settings
            self.pinSet = pinSet
            self.trustKit = trustKit
            self.nested = nested
        }
    }

    /// TrustKit's `<trustkit-config>`.
    public struct TrustKitTag: Sendable, Hashable {
        /// `enforcePinning`; not stated is false, and hides the parent's word (PS-3.4-3).
        public var enforcePinning: Bool

        /// States whether pins are enforced.
        public init(enforcePinning: Bool = false) { self.enforcePinning = enforcePinning }
    }

    /// `<base-config>`.
    public var base: Settings
    /// The outermost `<domain-config>`s in their order.
    public var domainConfigs: [DomainConfig]
    /// The trust anchors of `<debug-overrides>`; nil if there is no such element.
    public var debugOverrides: [Certificates]?
    /// Those of the file beside it whose name ends in `_debug`; looked for if the element is missing (PS-5-7).
    public var debugFileOverrides: [Certificates]?

    /// Joins the parts of a configuration.
    public init(
        base: Settings = Settings(), domainConfigs: [DomainConfig] = [], debugOverrides: [Certificates]? = nil,
        debugFileOverrides: [Certificates]? = nil
    ) {
        self.base = base
        self.domainConfigs = domainConfigs
        self.debugOverrides = debugOverrides
        self.debugFileOverrides = debugFileOverrides
    }
}

extension NetworkSecurityConfig.Certificates.Source: CustomStringConvertible {
    /// The source as it is written.
    public var description: String {
        switch self {
        case .system: "system"
        case .user: "user"
        case .wifi: "wfa"
        case .resource(let name, _): name
        }
    }
}
