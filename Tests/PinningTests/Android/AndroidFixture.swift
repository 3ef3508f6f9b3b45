import Pinning

/// Short ways to write configurations down.
enum Android {
    /// 2024-01-05, 00:00 UTC.
    static let day: Int64 = 1_704_412_800

    static let user = minted("user authority", pathLength: .max)
    static let userLeaf = minted("user leaf", by: user, names: ["api.example.com"])
    static let debug = minted("debug authority", pathLength: .max)
    static let debugLeaf = minted("debug leaf", by: debug, names: ["api.example.com"])

    static let platform = SmallPlatform(
        known: Minted.platform.known + [
            .init(certificate: user), .init(certificate: userLeaf, issuer: user), .init(certificate: debug),
            .init(certificate: debugLeaf, issuer: debug),
        ], system: [])

    static func device(api: Int = 34, secondsAheadOfUTC: Int = 0) -> AndroidDevice {
        AndroidDevice(
            apiLevel: api, systemAuthorities: [Minted.root, Minted.otherRoot], userAuthorities: [user],
            secondsAheadOfUTC: secondsAheadOfUTC)
    }

    static func pins(_ keys: String..., expiration: String? = nil) -> NetworkSecurityConfig.PinSet {
        NetworkSecurityConfig.PinSet(keys.map { .init(digestText($0)) }, expiration: expiration)
    }

    static func domain(
        _ names: String..., subdomains: Bool? = nil, pins: NetworkSecurityConfig.PinSet? = nil,
        anchors: [NetworkSecurityConfig.Certificates]? = nil, trustKit: NetworkSecurityConfig.TrustKitTag? = nil,
        nested: [NetworkSecurityConfig.DomainConfig] = []
    ) -> NetworkSecurityConfig.DomainConfig {
        NetworkSecurityConfig.DomainConfig(
            domains: names.map { .init($0, includeSubdomains: subdomains) }, settings: .init(trustAnchors: anchors),
            pinSet: pins, trustKit: trustKit, nested: nested)
    }

    /// The configuration with these outermost domains.
    static func config(
        _ domains: NetworkSecurityConfig.DomainConfig...,
        base: [NetworkSecurityConfig.Certificates]? = nil, debug: [NetworkSecurityConfig.Certificates]? = nil
    ) -> NetworkSecurityConfig {
        NetworkSecurityConfig(base: .init(trustAnchors: base), domainConfigs: domains, debugOverrides: debug)
    }

    static func policy(
        _ config: NetworkSecurityConfig?, targetSDK: Int = 34, debuggable: Bool = false, ahead: Int = 0
    ) -> NetworkSecurityPolicy {
        NetworkSecurityPolicy(
            config, application: AndroidApplication(targetSDK: targetSDK, isDebuggable: debuggable),
            device: device(secondsAheadOfUTC: ahead))
    }
}

extension NetworkSecurityPolicy {
    /// The verdict on the shared platform.
    func verdict(
        _ sent: [CertificateFacts] = Minted.sent, host: String? = "api.example.com", time: Int64 = Android.day
    ) -> PolicyVerdict {
        evaluate(Minted.server(sent, host: host, time: time), using: Android.platform)
    }
}
