import Pinning
import Testing
import Wire

/// Which part of a configuration is for a host: what each library's own lookup finds.
@Suite struct PolicyEntryTests {
    private let pin = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private func entry(_ policy: any PinningPolicy, _ host: String) -> PolicyEntry? {
        policy.entry(for: ServerTrust(sent: [], host: HostName(host), spelling: host, time: 0))
    }

    @Test func `PS-4-4: all patterns that match, with their pins`() {
        let pinner = OkHttpCertificatePinner(
            version: LibraryVersion(4, 12),
            entries: [
                .init(pattern: "*.example.com", pins: ["sha256/\(pin)"]),
                .init(pattern: "API.example.com", pins: ["sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="]),
                .init(pattern: "example.org", pins: ["sha256/\(pin)"]),
            ])
        let found = PolicyEntry(
            names: ["*.example.com", "api.example.com"],
            pins: ["sha256/\(pin)", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="])
        #expect(entry(pinner, "api.example.com") == found)
        #expect(entry(pinner, "example.net") == nil)
    }

    @Test func `PS-5-8: the domain whose settings are effective, and none for the base`() {
        let config = NetworkSecurityConfig(domainConfigs: [
            .init(
                domains: [.init("example.com", includeSubdomains: true)], pinSet: .init([.init(pin)]),
                nested: [.init(domains: [.init("api.example.com")])])
        ])
        let policy = NetworkSecurityPolicy(
            config, application: AndroidApplication(targetSDK: 34), device: AndroidDevice())
        #expect(entry(policy, "www.Example.com.") == PolicyEntry(names: ["example.com"], pins: [pin]))
        // Pins are inherited (PS-5-5).
        #expect(entry(policy, "api.example.com") == PolicyEntry(names: ["api.example.com"], pins: [pin]))
        #expect(entry(policy, "example.org") == nil)
        let trustKit = TrustKitAndroidPolicy(
            config, application: AndroidApplication(targetSDK: 34), device: AndroidDevice())
        #expect(entry(trustKit, "www.example.com") == PolicyEntry(names: ["example.com"], pins: [pin]))
    }

    @Test func `PS-6.1-2: the domains that are joined`() {
        let zeros = [UInt8](repeating: 0, count: 32)
        let policy = PinnedDomainsPolicy(
            PinnedDomains(entries: [
                "example.com": .init(includesSubdomains: true, authorityPins: [zeros]),
                "api.example.com": .init(leafPins: [zeros]),
            ]))
        let joined = PolicyEntry(names: ["api.example.com", "example.com"], pins: [pin, pin])
        #expect(entry(policy, "api.example.com") == joined)
        #expect(entry(policy, "a.api.example.com") == nil)
    }

    @Test func `PS-2.1, PS-2.2: letter by letter`() {
        let pins = [CertificatePin(name: "leaf.cer", certificate: nil)]
        let four = Alamofire4Session(policies: ["a.test": .pinPublicKeys(pins), "b.test": .disableEvaluation])
        #expect(entry(four, "a.test") == PolicyEntry(names: ["a.test"], pins: ["leaf.cer"]))
        #expect(entry(four, "b.test") == PolicyEntry(names: ["b.test"], pins: []))
        #expect(entry(four, "A.test") == nil)
        let five = Alamofire5Session(evaluators: ["a.test": .composite([.default(), .publicKeys(pins)])])
        #expect(entry(five, "a.test") == PolicyEntry(names: ["a.test"], pins: ["leaf.cer"]))
        #expect(entry(five, "A.test") == nil)
    }

    @Test func `one policy for all hosts has no entry`() {
        #expect(entry(AFSecurityPolicy(), "a.test") == nil)
        #expect(entry(UrllibFingerprintPolicy(fingerprint: ""), "a.test") == nil)
    }
}
