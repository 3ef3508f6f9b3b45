internal import Crypto
internal import PinClient
internal import Pinning
internal import PublicSuffixList
internal import Wire

/// The policies of pinning libraries that pin the demo's origin, one of each.
struct DemoLibraries {
    private let leaf: CertificateFacts
    private let authorities: [CertificateFacts]
    private let platform: PathBuilder
    private let host: String
    private let now: Int64

    /// Describes apps that pin `leaf` on `host`.
    ///
    /// - Parameters:
    ///   - leaf: The origin's certificate.
    ///   - host: The origin's name.
    ///   - authorities: What the platform trusts.
    ///   - platform: Its trust evaluation.
    ///   - now: When the apps start.
    init(
        pinning leaf: Certificate, on host: HostName, trusting authorities: [Certificate], _ platform: PathBuilder,
        now: Int64
    ) {
        self.leaf = CertificateFacts(leaf)
        self.authorities = authorities.map(CertificateFacts.init)
        self.platform = platform
        self.host = host.text
        self.now = now
    }

    /// Whoever decides about servers for the app of a row; nil if the row is of no library here.
    func judge(of client: DemoClient) throws -> ServerJudge? {
        switch client {
        case .alamofire4: judge(Alamofire4Session(policies: [host: .pinPublicKeys(pins)]))
        case .alamofire5: judge(Alamofire5Session(evaluators: [host: .publicKeys(pins)]))
        case .trustKit:
            judge(
                TrustKitPolicy(
                    configuration: TrustKitConfiguration(domains: [
                        host: TrustKitDomain(publicKeyHashes: [hash, backup])
                    ]), suffixes: PublicSuffixList()))
        case .trustKitAndroid:
            judge(TrustKitAndroidPolicy(configuration(enforced: true), application: application, device: device))
        case .networkSecurityConfig:
            judge(NetworkSecurityPolicy(configuration(enforced: nil), application: application, device: device))
        case .pinnedDomains:
            ServerJudge(
                policy: PinnedDomainsPolicy(
                    PinnedDomains(entries: [host: .init(leafPins: [leaf.details.spkiSHA256])])), trust: platform,
                transportSecurity: TransportSecurity())
        case .okHttp:
            judge(
                OkHttpCertificatePinner(
                    version: LibraryVersion(5, 0), entries: [.init(pattern: host, pins: ["sha256/\(hash)"])],
                    runtime: runtime))
        case .reactNative:
            judge(
                try ReactNativePinning([.init(host, publicKeyHashes: [hash])])
                    .okHttp(version: LibraryVersion(5, 0), runtime: runtime, startedAt: now))
        case .urllib3: judge(UrllibFingerprintPolicy(fingerprint: Hex.encode(leaf.sha256)))
        case .afNone, .afLeaf, .afAuthority, .afPublicKey, .afAllowInvalid, .afAllowAnything, .afWrongPin, .curl,
            .curlPinned, .appRight, .appNone, .appStranger, .appSeen:
            nil
        }
    }

    private func judge(_ policy: any PinningPolicy) -> ServerJudge { ServerJudge(policy: policy, trust: platform) }

    private var pins: [CertificatePin] { [CertificatePin(name: "demo.cer", certificate: leaf)] }
    private var hash: String { Base64.encode(leaf.details.spkiSHA256) }
    /// Some libraries want a second pin; nobody has the key of this one.
    private var backup: String { Base64.encode([UInt8](repeating: 0, count: 32)) }
    private var application: AndroidApplication { AndroidApplication(targetSDK: 34) }
    private var device: AndroidDevice { AndroidDevice(systemAuthorities: authorities) }
    private var runtime: OkHttpCertificatePinner.Runtime { .jvm(trustRoots: authorities) }

    private func configuration(enforced: Bool?) -> NetworkSecurityConfig {
        NetworkSecurityConfig(domainConfigs: [
            .init(
                domains: [.init(host)], pinSet: .init([.init(hash), .init(backup)]),
                trustKit: enforced.map { .init(enforcePinning: $0) })
        ])
    }
}
