import Pinning
import Testing

@Suite struct TrustKitAndroidTests {
    private static let enforced = NetworkSecurityConfig.TrustKitTag(enforcePinning: true)

    private func policy(
        _ config: NetworkSecurityConfig, api: Int = 23, debuggable: Bool = false, ahead: Int = 0,
        caller: TrustKitAndroidPolicy.Caller = .httpStack
    ) -> TrustKitAndroidPolicy {
        TrustKitAndroidPolicy(
            config, application: AndroidApplication(targetSDK: 34, isDebuggable: debuggable),
            device: Android.device(api: api, secondsAheadOfUTC: ahead), caller: caller)
    }

    private func fault(_ config: NetworkSecurityConfig) -> ConfigurationFault.Kind? {
        guard case .invalidConfiguration(let fault) = policy(config).configurationProblem?.kind else { return nil }
        return fault.kind
    }

    @Test("PS-3.4-1: pins are not enforced unless it is stated", arguments: [16, 17, 23, 24, 34])
    func enforcement(api: Int) {
        func decision(_ tag: NetworkSecurityConfig.TrustKitTag?) -> PolicyVerdict {
            let config = Android.config(
                Android.domain("api.example.com", pins: Android.pins("nobody", "nobody else"), trustKit: tag))
            return policy(config, api: api).verdict()
        }
        guard api >= 17 else {
            #expect(decision(Self.enforced).decision == .default)
            #expect(decision(Self.enforced).reason == PolicyReason(.leftToPlatform, rule: RuleID("PS-3.4-5")))
            return
        }
        #expect(decision(Self.enforced).decision == .reject)
        for tag in [nil, NetworkSecurityConfig.TrustKitTag()] {
            #expect(decision(tag).decision == .accept)
            #expect(decision(tag).reason == PolicyReason(.mismatchNotEnforced, rule: RuleID("PS-3.4-5")))
        }
    }

    @Test("PS-3.4-1: enforcing takes two pins, reporting takes one; no two texts that are the same count twice")
    func pinCount() {
        func fault(_ keys: [String], _ tag: NetworkSecurityConfig.TrustKitTag?) -> ConfigurationFault.Kind? {
            let set = NetworkSecurityConfig.PinSet(keys.map { .init(digestText($0)) })
            return self.fault(Android.config(Android.domain("example.com", pins: set, trustKit: tag)))
        }
        #expect(fault(["leaf", "root"], Self.enforced) == nil)
        #expect(fault(["leaf"], Self.enforced) == .tooFewPins(domain: "example.com", count: 1))
        #expect(fault(["leaf", "leaf"], Self.enforced) == .tooFewPins(domain: "example.com", count: 1))
        #expect(fault([], Self.enforced) == .tooFewPins(domain: "example.com", count: 0))
        #expect(fault(["leaf"], nil) == nil)
        #expect(fault([], nil) == nil)
    }

    @Test("PS-3.4-1: a pin is 32 octets in Base64 of the digest SHA-256, spelled so")
    func pinFormat() {
        func fault(_ pin: NetworkSecurityConfig.Pin) -> ConfigurationFault.Kind? {
            self.fault(Android.config(Android.domain("example.com", pins: .init([pin]))))
        }
        #expect(fault(.init(digestText("leaf"))) == nil)
        #expect(fault(.init(digestText("leaf"), digest: "sha-256")) == .unsupportedDigest("sha-256"))
        #expect(fault(.init(digestText("leaf"), digest: nil)) == .unsupportedDigest(nil))
        #expect(fault(.init("AAAA")) == .digestLength("AAAA", octets: 3))
        #expect(fault(.init("A")) == .notBase64("A"))
    }

    @Test("PS-3.4-1: Base64 is compared as text, so that what is not canonical never matches before API 24")
    func textComparison() {
        // The same 32 octets, without padding.
        let loose = String(digestText("leaf").dropLast())
        func decision(_ text: String, api: Int) -> PolicyVerdict.Decision {
            let pins = NetworkSecurityConfig.PinSet([.init(text), .init(digestText("nobody"))])
            let config = Android.config(Android.domain("api.example.com", pins: pins, trustKit: Self.enforced))
            return policy(config, api: api).verdict().decision
        }
        #expect(decision(digestText("leaf"), api: 23) == .accept)
        #expect(decision(loose, api: 23) == .reject)
        // From API 24 on the platform compares octets.
        #expect(decision(loose, api: 24) == .accept)
    }

    @Test("PS-3.4-2: only the last domain of a domain-config is kept, where the platform keeps all")
    func lastDomain() {
        let config = Android.config(
            Android.domain(
                "api.example.com", "www.example.com", pins: Android.pins("nobody", "nobody else"),
                trustKit: Self.enforced))
        #expect(policy(config).verdict(host: "api.example.com").decision == .default)
        #expect(
            policy(config).verdict(host: "api.example.com").reason
                == PolicyReason(.hostNotPinned("api.example.com"), rule: RuleID("PS-3.4-2")))
        #expect(policy(config).verdict(Self.both, host: "www.example.com").decision == .reject)
        // The platform, where it decides, knows both.
        #expect(policy(config, api: 24).verdict(host: "api.example.com").decision == .reject)
    }

    @Test("PS-3.4-2: an entry without pins, its own or inherited, is dropped")
    func dropped() {
        let config = Android.config(Android.domain("api.example.com", trustKit: Self.enforced))
        #expect(policy(config).verdict().decision == .default)
        let nested = Android.domain("api.example.com")
        let inherited = Android.config(
            Android.domain(
                "example.com", pins: Android.pins("nobody", "other"), trustKit: Self.enforced, nested: [nested]))
        #expect(policy(inherited).verdict().decision == .reject)
    }

    @Test("PS-3.4-2: the same domain twice, none at all, and what is no domain of a known top level")
    func domains() {
        func domain(_ name: String) -> NetworkSecurityConfig.DomainConfig {
            Android.domain(name, pins: Android.pins("leaf"))
        }
        #expect(fault(Android.config(domain("example.com"), domain("example.com"))) == .duplicateDomain("example.com"))
        #expect(fault(Android.config(domain("example.com"), domain("www.example.com"))) == nil)
        #expect(fault(Android.config(Android.domain(pins: Android.pins("leaf")))) == .noDomain)
        for name in [
            "localhost", "host.internal", "192.0.2.1", "example", "a_b.example.com", "example.com.", "host.42x",
        ] {
            #expect(fault(Android.config(domain(name))) == .invalidDomain(name))
        }
        for name in ["example.com", "a.example.co.uk", "xn--bcher-kva.xn--p1ai", "Example.COM"] {
            #expect(fault(Android.config(domain(name))) == nil)
        }
        // Entries that are dropped are not looked at.
        #expect(fault(Android.config(Android.domain("localhost"))) == nil)
    }

    @Test("PS-3.4-3: subdomains by text, the longest wins, the exact text first; case counts")
    func lookup() {
        func decision(_ host: String) -> PolicyVerdict.Decision {
            let config = Android.config(
                Android.domain(
                    "example.com", subdomains: true, pins: Android.pins("leaf", "b"), trustKit: Self.enforced),
                Android.domain("api.example.com", pins: Android.pins("nobody", "b"), trustKit: Self.enforced),
                Android.domain(
                    "x.example.com", subdomains: true, pins: Android.pins("nobody", "b"), trustKit: Self.enforced))
            let leaf = minted("leaf", names: [host])
            let path = FakeEvaluator(platform: invalid(.noAnchor), pinned: valid(leaf))
            return policy(config).evaluate(Minted.server([leaf], host: host), using: path).decision
        }
        #expect(decision("www.example.com") == .accept)
        #expect(decision("a.b.example.com") == .accept)
        #expect(decision("api.example.com") == .reject)
        #expect(decision("a.api.example.com") == .accept)
        #expect(decision("a.x.example.com") == .reject)
        for host in ["notexample.com", "com", "API.example.com.", "Example.com", "example.com."] {
            #expect(decision(host) == .default)
        }
    }

    @Test("PS-3.4-3: what a nested entry does not say it inherits; a tag that says nothing is a word against enforcing")
    func inheritance() {
        func decision(
            _ pins: NetworkSecurityConfig.PinSet? = nil, _ tag: NetworkSecurityConfig.TrustKitTag? = nil,
            host: String = "api.example.com", subdomains: Bool? = nil
        ) -> PolicyVerdict.Decision {
            let child = Android.domain("example.com", subdomains: subdomains, pins: pins, trustKit: tag)
            let config = Android.config(
                Android.domain(
                    "example.org", subdomains: true, pins: Android.pins("nobody", "other", expiration: "2024-01-05"),
                    trustKit: Self.enforced, nested: [child]))
            let leaf = minted("leaf", names: [host])
            let path = FakeEvaluator(platform: invalid(.noAnchor), pinned: valid(leaf))
            let server = Minted.server([leaf], host: host, time: Android.day)
            return policy(config).evaluate(server, using: path).decision
        }
        #expect(decision() == .reject)
        #expect(decision(subdomains: false) == .default)
        #expect(decision(Android.pins("leaf", "other")) == .accept)
        #expect(decision(Android.pins("third", "other")) == .reject)
        #expect(decision(nil, .init()) == .accept)
        #expect(decision(nil, Self.enforced) == .reject)
        #expect(decision(Android.pins("third", "other", expiration: "2024-01-04")) == .accept)
    }

    @Test("PS-3.4-3: a set without an expiration inherits its parent's, unlike the platform's")
    func inheritedExpiration() {
        let child = Android.domain("api.example.com", pins: Android.pins("third", "other"))
        let config = Android.config(
            Android.domain(
                "example.com", pins: Android.pins("nobody", "other", expiration: "2024-01-04"),
                trustKit: Self.enforced, nested: [child]))
        #expect(policy(config, api: 23).verdict().decision == .accept)
        #expect(policy(config, api: 24).verdict().decision == .reject)
    }

    private static let bundle = NetworkSecurityConfig.Certificates.Source.resource(name: "@raw/debug", [Android.debug])

    @Test(
        "PS-3.4-4: debug-overrides count in debuggable apps, with one switch for all and bundled authorities only",
        arguments: [
            ([true], true), ([false], false), ([nil], false), ([true, true], true), ([true, false], false),
            ([true, false, true], false), ([false, true], false),
        ] as [([Bool?], Bool)])
    func debugOverrides(switches: [Bool?], overrides: Bool) {
        let domain = Android.domain(
            "api.example.com", pins: Android.pins("nobody", "other"), trustKit: Self.enforced)
        let config = Android.config(domain, debug: switches.map { .init(Self.bundle, overridePins: $0) })
        // Pins are skipped everywhere, whatever the path ends in.
        for sent in [Minted.sent, [Android.debugLeaf]] {
            let verdict = policy(config, debuggable: true).verdict(sent)
            #expect(verdict.decision == (overrides ? .accept : .reject))
            if overrides {
                #expect(verdict.reason == PolicyReason(.pinsOverridden(anchor: nil), rule: RuleID("PS-3.4-4")))
            }
        }
        #expect(policy(config, debuggable: false).verdict().decision == .reject)
    }

    @Test("PS-3.4-4: authorities of a debuggable app are bundled ones; from API 24 on the platform's rule counts")
    func debugAuthorities() {
        let domain = Android.domain("api.example.com", pins: Android.pins("debug leaf"))
        let sent = [Android.debugLeaf]
        let config = Android.config(domain, debug: [.init(Self.bundle)])
        #expect(policy(config, debuggable: true).verdict(sent).decision == .accept)
        #expect(policy(config, debuggable: false).verdict(sent).decision == .reject)
        // An invalid path is refused even where pins are overridden.
        let overriding = Android.config(domain, debug: [.init(Self.bundle, overridePins: true)])
        #expect(
            policy(overriding, debuggable: true).verdict([minted("x", names: ["api.example.com"])]).decision == .reject)
        // Not stated: TrustKit says no, the platform yes.
        let strict = Android.config(
            Android.domain("api.example.com", pins: Android.pins("nobody", "other"), trustKit: Self.enforced),
            debug: [.init(Self.bundle)])
        #expect(policy(strict, api: 23, debuggable: true).verdict(sent).decision == .reject)
        #expect(policy(strict, api: 24, debuggable: true).verdict(sent).decision == .accept)
        #expect(policy(overriding, api: 24, debuggable: true).verdict(sent).decision == .accept)
    }

    @Test("PS-3.4-5: host and path must be right in any case", arguments: [17, 23, 24, 34])
    func always(api: Int) {
        let config = Android.config(
            Android.domain("api.example.com", pins: Android.pins("leaf")),
            Android.domain("www.example.com", pins: Android.pins("leaf")))
        #expect(policy(config, api: api).verdict().decision == .accept)
        let host = policy(config, api: api).verdict(host: "www.example.com")
        #expect(host.decision == .reject)
        #expect(host.reason == PolicyReason(.hostMismatch("www.example.com"), rule: RuleID("PS-3.4-5")))
        let path = policy(config, api: api).verdict([minted("leaf", names: ["api.example.com"])])
        #expect(path.decision == .reject)
        guard case .chainInvalid = path.reason.kind else {
            Issue.record("\(path.reason)")
            return
        }
    }

    @Test("PS-3.4-5: the user's authorities are trusted before API 24, whatever the target")
    func userAuthorities() {
        let config = Android.config(Android.domain("api.example.com", pins: Android.pins("user leaf")))
        #expect(policy(config, api: 23).verdict([Android.userLeaf]).decision == .accept)
        #expect(policy(config, api: 24).verdict([Android.userLeaf]).decision == .reject)
    }

    @Test(
        "PS-3.4-5: expired pins are skipped, by the clock on the device's wall",
        arguments: [
            (0, 0, true), (0, 1, false), (7200, -7200, true), (7200, -7199, false),
        ])
    func expiry(ahead: Int, offset: Int64, counts: Bool) {
        let config = Android.config(
            Android.domain(
                "api.example.com", pins: Android.pins("nobody", "other", expiration: "2024-01-05"),
                trustKit: Self.enforced))
        let verdict = policy(config, ahead: ahead).verdict(time: Android.day + offset)
        #expect(verdict.decision == (counts ? .reject : .accept))
        #expect(
            fault(Android.config(Android.domain("example.com", pins: Android.pins("leaf", expiration: "soon"))))
                == .invalidDate("soon"))
    }

    @Test("PS-3.4-5: from API 24 on the platform's faults are faults too")
    func platformFaults() {
        // Without pins of its own TrustKit drops it; the platform misses the domain.
        let config = Android.config(Android.domain())
        #expect(policy(config, api: 23).configurationProblem == nil)
        #expect(policy(config, api: 24).configurationProblem?.rule == RuleID("PS-5-1"))
        #expect(policy(config, api: 24).verdict().decision == .configError)
    }

    @Test("PS-3.4-6: no client is trusted, and WebViews are covered by the platform alone, from API 24 on")
    func uncovered() {
        let config = Android.config(Android.domain("api.example.com", pins: Android.pins("nobody")))
        #expect(policy(config).evaluateClient().decision == .reject)
        #expect(policy(config).evaluateClient().reason == PolicyReason(.clientsRefused, rule: RuleID("PS-3.4-6")))
        let old = policy(config, api: 23, caller: .webView).verdict()
        #expect(old.decision == .default)
        #expect(old.reason == PolicyReason(.leftToPlatform, rule: RuleID("PS-3.4-6")))
        #expect(policy(config, api: 24, caller: .webView).verdict().decision == .reject)
        #expect(policy(config, api: 24).verdict().decision == .accept)
    }

    private static let both = [
        minted("leaf", by: Minted.intermediate, names: ["www.example.com"]), Minted.intermediate,
    ]
}

extension TrustKitAndroidPolicy {
    fileprivate func verdict(
        _ sent: [CertificateFacts] = Minted.sent, host: String? = "api.example.com", time: Int64 = Android.day
    ) -> PolicyVerdict {
        var platform = Android.platform
        if let leaf = sent.first, leaf.details.issuerName == Minted.intermediate.details.subjectName {
            platform.known.append(.init(certificate: leaf, issuer: Minted.intermediate))
        }
        return evaluate(Minted.server(sent, host: host, time: time), using: platform)
    }
}
