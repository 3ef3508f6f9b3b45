/// The configuration of `react-native-ssl-public-key-pinning` (PS-10-5), which hands it to TrustKit on iOS and to OkHttp
/// on Android.
///
/// The two halves do not check the same: iOS wants two pins for a domain, Android takes one; iOS ignores pins that
/// expire while the app runs, Android drops what has expired when the app starts.
public struct ReactNativePinning: Sendable, Hashable {
    /// One domain.
    public struct Domain: Sendable, Hashable {
        /// The key of the object.
        public var name: String
        /// `includeSubdomains`.
        public var includeSubdomains: Bool
        /// `publicKeyHashes`: Base64 of SHA-256.
        public var publicKeyHashes: [String]
        /// `expirationDate`; nil for never.
        public var expirationDate: String?

        /// Joins a domain and its pins.
        public init(
            _ name: String, includeSubdomains: Bool = false, publicKeyHashes: [String], expirationDate: String? = nil
        ) {
            self.name = name
            self.includeSubdomains = includeSubdomains
            self.publicKeyHashes = publicKeyHashes
            self.expirationDate = expirationDate
        }
    }

    /// The domains.
    public var domains: [Domain]

    /// Makes a configuration.
    public init(_ domains: [Domain]) { self.domains = domains }

    /// What iOS throws at where Android does not: TrustKit enforces, and wants two distinct pins.
    public var appleFault: ConfigurationFault? {
        for domain in domains {
            let distinct = Set(domain.publicKeyHashes).count
            if distinct < 2 {
                return ConfigurationFault(.tooFewPins(domain: domain.name, count: distinct), rule: .reactNative)
            }
        }
        return nil
    }

    /// The Android half: a pinner of OkHttp.
    ///
    /// - Parameters:
    ///   - version: OkHttp's release; patterns that cover subdomains mean nothing before 4.3.
    ///   - runtime: Where it runs.
    ///   - start: When the app starts, in seconds since 1970-01-01 UTC; days end by UTC.
    /// - Returns: The policy.
    /// - Throws: An expiration that is no day.
    public func okHttp(
        version: LibraryVersion, runtime: OkHttpCertificatePinner.Runtime = .android, startedAt start: Int64
    ) throws(ConfigurationFault) -> OkHttpCertificatePinner {
        var entries: [OkHttpCertificatePinner.Entry] = []
        for domain in domains where try !domain.hasExpired(at: start) {
            let pattern = (domain.includeSubdomains ? "**." : "") + domain.name
            entries.append(.init(pattern: pattern, pins: domain.publicKeyHashes.map { "sha256/" + $0 }))
        }
        return OkHttpCertificatePinner(version: version, entries: entries, runtime: runtime)
    }
}

extension ReactNativePinning.Domain {
    fileprivate func hasExpired(at time: Int64) throws(ConfigurationFault) -> Bool {
        guard let text = expirationDate else { return false }
        guard let date = CalendarDate(java: text) else {
            throw ConfigurationFault(.invalidDate(text), rule: .reactNative)
        }
        return time > date.start(secondsAheadOfUTC: 0)
    }
}

extension RuleID {
    /// React Native's public-key pinning.
    static let reactNative = RuleID("PS-10-5")
}
