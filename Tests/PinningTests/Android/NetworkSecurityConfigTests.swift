import Pinning
import Testing

/// What the platform makes of a configuration: faults, inheritance and which part is for a host.
@Suite struct NetworkSecurityConfigTests {
    private func fault(_ config: NetworkSecurityConfig) -> PolicyReason? { Android.policy(config).configurationProblem }

    private func reason(_ kind: ConfigurationFault.Kind, _ rule: String) -> PolicyReason {
        PolicyReason(.invalidConfiguration(ConfigurationFault(kind, rule: RuleID(rule))), rule: RuleID(rule))
    }

    @Test("PS-5-1: a domain-config is for one domain at least, a nested one too")
    func noDomain() {
        #expect(fault(Android.config(Android.domain())) == reason(.noDomain, "PS-5-1"))
        let nested = Android.config(Android.domain("example.com", nested: [Android.domain()]))
        #expect(fault(nested) == reason(.noDomain, "PS-5-1"))
        #expect(Android.policy(nested).verdict().decision == .configError)
        #expect(fault(Android.config(Android.domain("example.com"))) == nil)
    }

    @Test("PS-5-1: cleartext and HSTS stand at base and domains")
    func attributes() {
        var config = Android.config(Android.domain("example.com"))
        config.base = .init(cleartextTrafficPermitted: true, hstsEnforced: true)
        config.domainConfigs[0].settings = .init(cleartextTrafficPermitted: false)
        let policy = Android.policy(config)
        #expect(policy.settings(for: "example.com")?.permitsCleartext == false)
        #expect(policy.settings(for: "example.com")?.enforcesHSTS == true)
        #expect(policy.settings(for: "other.example")?.permitsCleartext == true)
    }

    @Test("PS-5-2: domains are trimmed and lower-cased, and no two are the same anywhere in the file")
    func domains() {
        let policy = Android.policy(Android.config(Android.domain(" API.Example.com\n", pins: Android.pins("nobody"))))
        #expect(policy.verdict().decision == .reject)
        let twice = Android.config(
            Android.domain("example.com"),
            Android.domain("other.example", nested: [Android.domain("EXAMPLE.com ")]))
        #expect(fault(twice) == reason(.duplicateDomain("example.com"), "PS-5-2"))
    }

    @Test("PS-5-2: a dot at the end of a domain is kept, and matches no host")
    func trailingDotInFile() {
        let policy = Android.policy(
            Android.config(Android.domain("api.example.com.", subdomains: true, pins: Android.pins("nobody"))))
        for host in ["api.example.com", "api.example.com.", "a.api.example.com"] {
            #expect(policy.verdict(host: host).decision == .accept)
        }
    }

    private func fault(pin: NetworkSecurityConfig.Pin) -> PolicyReason? {
        fault(Android.config(Android.domain("example.com", pins: .init([pin]))))
    }

    @Test("PS-5-3: the digest is SHA-256 in any case, and Base64 of 32 octets")
    func pins() {
        let good = digestText("leaf")
        for digest in ["SHA-256", "sha-256", "Sha-256"] { #expect(fault(pin: .init(good, digest: digest)) == nil) }
        for digest in ["SHA-1", "SHA256", nil] {
            #expect(fault(pin: .init(good, digest: digest)) == reason(.unsupportedDigest(digest), "PS-5-3"))
        }
        #expect(fault(pin: .init("\n  \(good)\t")) == nil)
        #expect(fault(pin: .init("AAAA")) == reason(.digestLength("AAAA", octets: 3), "PS-5-3"))
        #expect(fault(pin: .init("")) == reason(.digestLength("", octets: 0), "PS-5-3"))
    }

    @Test("PS-5-3: Base64 is read as Android does: strangers skipped, padding optional but not misplaced")
    func base64() {
        let good = digestText("leaf")
        #expect(fault(pin: .init(String(good.dropLast()))) == nil)
        #expect(fault(pin: .init("!" + good.replacing("f", with: "-f"))) == nil)
        for bad in [good + "=", "=" + good, "AA=A", "AAAAA", "AA==AA==", "A"] {
            #expect(fault(pin: .init(bad)) == reason(.notBase64(bad), "PS-5-3"))
        }
    }

    @Test("PS-5-3: an expiration that is no day")
    func expiration() {
        let config = Android.config(Android.domain("example.com", pins: Android.pins("leaf", expiration: "2024-02-30")))
        #expect(fault(config) == reason(.invalidDate("2024-02-30"), "PS-5-3"))
        let leap = Android.config(Android.domain("example.com", pins: Android.pins("leaf", expiration: "2024-02-29")))
        #expect(fault(leap) == nil)
    }

    @Test("PS-5-5: pins are inherited, replaced as a whole, and removed by an empty set")
    func inheritedPins() {
        func nested(_ pins: NetworkSecurityConfig.PinSet?) -> PolicyVerdict.Decision {
            let child = Android.domain("api.example.com", pins: pins)
            let config = Android.config(Android.domain("example.com", pins: Android.pins("nobody"), nested: [child]))
            return Android.policy(config).verdict().decision
        }
        #expect(nested(nil) == .reject)
        #expect(nested(Android.pins("leaf")) == .accept)
        #expect(nested(Android.pins("stranger")) == .reject)
        #expect(nested(.init([])) == .accept)
    }

    @Test("PS-5-5: a set that replaces another does not inherit when it expires")
    func inheritedExpiration() {
        let child = Android.domain("api.example.com", pins: Android.pins("stranger"))
        let config = Android.config(
            Android.domain("example.com", pins: Android.pins("nobody", expiration: "2000-01-01"), nested: [child]))
        #expect(Android.policy(config).verdict().decision == .reject)
        #expect(Android.policy(config).verdict(host: "example.com").decision == .accept)
    }

    @Test("PS-5-5: anchors are inherited from parent, base and platform, and replaced as a whole")
    func inheritedAnchors() {
        let user = NetworkSecurityConfig.Certificates(.user)
        let sent = [Android.userLeaf]
        #expect(Android.policy(Android.config(Android.domain("example.com"))).verdict(sent).decision == .reject)
        #expect(Android.policy(Android.config(base: [user])).verdict(sent).decision == .accept)
        // The child is not below its parent by name, which does not matter.
        let nested = Android.domain("other.example", anchors: [user], nested: [Android.domain("api.example.com")])
        #expect(Android.policy(Android.config(nested)).verdict(sent).decision == .accept)
        // What is declared replaces what was: the system is out.
        #expect(Android.policy(Android.config(base: [user])).verdict().decision == .reject)
        let resource = NetworkSecurityConfig.Certificates(.resource(name: "@raw/other", [Minted.otherRoot]))
        let own = Android.policy(Android.config(Android.domain("api.example.com", anchors: [resource]), base: [user]))
        #expect(own.verdict([Minted.otherLeaf]).decision == .accept)
        #expect(own.verdict(sent).decision == .reject)
        #expect(own.verdict(sent, host: "elsewhere.example").decision == .accept)
    }

    @Test(
        "PS-5-6: cleartext by target, instant app and manifest",
        arguments: [
            (27, false, nil, true, true), (28, false, nil, false, false), (27, true, nil, false, false),
            (28, false, true, true, false), (27, false, false, false, true),
        ] as [(Int, Bool, Bool?, Bool, Bool)])
    func cleartext(target: Int, isInstant: Bool, manifest: Bool?, withoutFile: Bool, withFile: Bool) {
        let application = AndroidApplication(targetSDK: target, isInstant: isInstant, usesCleartextTraffic: manifest)
        func permits(_ config: NetworkSecurityConfig?) -> Bool? {
            NetworkSecurityPolicy(config, application: application, device: Android.device())
                .settings(for: "example.com")?.permitsCleartext
        }
        #expect(permits(nil) == withoutFile)
        #expect(permits(NetworkSecurityConfig()) == withFile)
    }

    @Test("PS-5-7: debug overrides count in debuggable apps only, inline before the file beside it")
    func debugOverrides() {
        let bundle = NetworkSecurityConfig.Certificates(.resource(name: "@raw/debug", [Android.debug]))
        let sent = [Android.debugLeaf]
        let config = Android.config(debug: [bundle])
        #expect(Android.policy(config, debuggable: true).verdict(sent).decision == .accept)
        #expect(Android.policy(config, debuggable: false).verdict(sent).decision == .reject)
        // What the platform trusts goes on to count.
        #expect(Android.policy(config, debuggable: true).verdict().decision == .accept)

        var beside = NetworkSecurityConfig(debugFileOverrides: [bundle])
        #expect(Android.policy(beside, debuggable: true).verdict(sent).decision == .accept)
        beside.debugOverrides = []
        #expect(Android.policy(beside, debuggable: true).verdict(sent).decision == .reject)
    }

    @Test("PS-5-7: debug anchors are added to the base's and to each domain's own anchors, an empty list included")
    func debugAdded() {
        let bundle = NetworkSecurityConfig.Certificates(.resource(name: "@raw/debug", [Android.debug]))
        let system = NetworkSecurityConfig.Certificates(.system)
        let sent = [Android.debugLeaf]
        let based = Android.config(base: [system], debug: [bundle])
        #expect(Android.policy(based, debuggable: true).verdict(sent).decision == .accept)
        for anchors in [[system], []] {
            let config = Android.config(Android.domain("api.example.com", anchors: anchors), debug: [bundle])
            #expect(Android.policy(config, debuggable: true).verdict(sent).decision == .accept)
            #expect(Android.policy(config, debuggable: false).verdict(sent).decision == .reject)
        }
    }

    struct Host: Sendable, CustomStringConvertible {
        var host: String
        /// Whose pins are for it: exact, wide, deep or none.
        var whose: String

        init(_ host: String, _ whose: String) { (self.host, self.whose) = (host, whose) }

        var description: String { "\(host): \(whose)" }
    }

    @Test(
        "PS-5-8: exact wins, then the longest that includes subdomains at any depth, then the base",
        arguments: [
            Host("example.com", "wide"), Host("a.example.com", "wide"), Host("a.b.c.example.com", "wide"),
            Host("api.example.com", "exact"), Host("a.api.example.com", "wide"), Host("deep.example.com", "deep"),
            Host("a.deep.example.com", "deep"), Host("notexample.com", "none"), Host("com", "none"),
            Host("EXAMPLE.com", "wide"), Host("Api.Example.Com.", "exact"), Host("example.com..", "none"),
            Host("", "none"),
        ])
    func lookup(row: Host) {
        let config = Android.config(
            Android.domain("example.com", subdomains: true, pins: Android.pins("wide")),
            Android.domain("api.example.com", pins: Android.pins("exact")),
            Android.domain("deep.example.com", subdomains: true, pins: Android.pins("deep")))
        let answers = ["wide", "exact", "deep", "none"].filter { key in
            let leaf = minted("leaf", key: key)
            let path = FakeEvaluator(platform: invalid(.noAnchor), pinned: valid(leaf, minted("stranger")))
            let server = Minted.server([leaf], host: row.host)
            return Android.policy(config).evaluate(server, using: path).decision == .accept
        }
        // Without pins every key passes.
        #expect(answers == (row.whose == "none" ? ["wide", "exact", "deep", "none"] : [row.whose]))
    }

    @Test("PS-5-8: a host that begins with a dot, or none where domains have their own, makes the platform throw")
    func badHosts() {
        let policy = Android.policy(Android.config(Android.domain("example.com")))
        #expect(policy.verdict(host: ".example.com").decision == .configError)
        #expect(policy.verdict(host: ".example.com").reason == reason(.leadingDot(".example.com"), "PS-5-8"))
        #expect(policy.verdict(host: nil).decision == .configError)
        #expect(policy.verdict(host: nil).reason == reason(.hostUnknown, "PS-5-8"))
        #expect(policy.configurationProblem == nil)
        for config in [nil, NetworkSecurityConfig()] {
            #expect(Android.policy(config).verdict(host: nil).decision == .accept)
        }
    }
}
