import Pinning
import Testing
import Wire

/// The decisions of TrustKit, by hand from PS-3.3.
@Suite struct TrustKitEvaluationTests {
    static let leaf = keyed("leaf")
    static let root = keyed("root")
    static let pinned = TrustKitDomain(
        publicKeyHashes: [pinText("leaf"), pinText("backup")], publicKeyAlgorithms: [.rsa2048, .secp256r1])

    static func policy(
        _ domain: TrustKitDomain = pinned, version: LibraryVersion = LibraryVersion(3, 0, 7),
        setting: TrustKitPolicy.Setting = .init(), ignoresUserAnchors: Bool = true
    ) -> TrustKitPolicy {
        TrustKitPolicy(
            version: version,
            configuration: TrustKitConfiguration(
                ignoresPinsForUserAnchors: ignoresUserAnchors, domains: ["example.com": domain]),
            suffixes: FewSuffixes(), setting: setting)
    }

    static func verdict(
        _ policy: TrustKitPolicy, _ trust: TrustResult, host: String = "example.com", time: Int64 = 1,
        userAnchors: [CertificateFacts] = []
    ) -> PolicyVerdict {
        policy.evaluate(
            ServerTrust(
                sent: trust.path, host: HostName(host), spelling: host, time: time, userAnchors: userAnchors),
            using: FakeEvaluator(platform: trust, pinned: trust))
    }

    @Test("PS-3.3-1: no entry, an excluded one: the platform decides")
    func notPinned() {
        let policy = TrustKitPolicy(
            configuration: TrustKitConfiguration(domains: [
                "example.com": TrustKitDomain(
                    publicKeyHashes: [pinText("leaf"), pinText("backup")], includesSubdomains: true),
                "free.example.com": .excluded,
            ]), suffixes: FewSuffixes())
        let other = Self.verdict(policy, invalid(.noAnchor), host: "example.org")
        #expect(
            other
                == PolicyVerdict(
                    .default, PolicyReason(.trustKit(.hostNotPinned("example.org")), rule: RuleID("PS-3.3-1"))))
        let excluded = Self.verdict(policy, invalid(.noAnchor), host: "free.example.com")
        #expect(excluded.decision == .default)
        #expect(excluded.reason.kind == .trustKit(.excluded(domain: "free.example.com")))
        #expect(Self.verdict(policy, valid(keyed("other")), host: "www.example.com").decision == .reject)
    }

    // 2030-01-02 00:00:00 UTC is 1893542400.
    @Test(
        "PS-3.3-1: pins expire when the start of the day has passed in UTC",
        arguments: [
            ("2030-01-02", 1_893_542_399, PolicyVerdict.Decision.reject), ("2030-01-02", 1_893_542_400, .reject),
            ("2030-01-02", 1_893_542_401, .default), ("someday", 1_893_542_401, .reject),
            ("2030-1-2", 1_893_542_401, .default), ("2030-02-30", .max, .reject), ("2030-01-02Z", .max, .reject),
            ("2030/01/02", .max, .reject), ("+2030-01-02", .max, .reject), (nil, .max, .reject),
        ] as [(String?, Int64, PolicyVerdict.Decision)])
    func expiry(date: String?, time: Int64, expected: PolicyVerdict.Decision) {
        var domain = Self.pinned
        domain.expirationDate = date
        let verdict = Self.verdict(Self.policy(domain), valid(keyed("other")), time: time)
        #expect(verdict.decision == expected)
        #expect(verdict.reason.rule.description == (expected == .default ? "PS-3.3-1" : "PS-3.3-5"))
    }

    @Test("PS-3.3-2: an invalid path is refused, enforced or not", arguments: [true, false])
    func invalidPath(enforces: Bool) {
        var domain = Self.pinned
        domain.enforcesPinning = enforces
        for error in [TrustError.Kind.noAnchor, .expired, .hostMismatch] {
            let verdict = Self.verdict(Self.policy(domain), invalid(error, Self.leaf, Self.root))
            #expect(verdict.decision == .reject, "though the leaf is pinned")
            #expect(verdict.reason.rule.description == "PS-3.3-2")
        }
        #expect(Self.verdict(Self.policy(domain), valid(Self.leaf, Self.root)).decision == .accept)
    }

    @Test("PS-3.3-2: the platform is asked about the host, with its own anchors")
    func question() {
        let platform = FakeEvaluator(platform: valid(Self.leaf), pinned: invalid(.noAnchor))
        let host = HostName("example.com")
        _ = Self.policy().evaluate(ServerTrust(sent: [Self.leaf], host: host, time: 9), using: platform)
        #expect(
            platform.questions == [
                .init(policy: .ssl(host: host), anchors: nil, anchorsOnly: false, sent: [Self.leaf], time: 9)
            ])
    }

    @Test("PS-3.3-3: any key of the path will do, and the root is met first")
    func match() {
        let both = TrustKitDomain(publicKeyHashes: [pinText("leaf"), pinText("root")])
        let verdict = Self.verdict(Self.policy(both), valid(Self.leaf, Self.root))
        #expect(verdict.decision == .accept)
        #expect(verdict.match == PinMatch(pin: pinText("root"), certificate: Self.root, depth: 1))
        #expect(verdict.reason.rule.description == "PS-3.3-3")
        let renewed = Self.verdict(Self.policy(), valid(keyed("renewed", key: "leaf"), Self.root))
        #expect(renewed.match?.depth == 0, "the key is pinned, not the certificate")
    }

    @Test(
        "PS-3.3-3: a key that cannot be hashed refuses the server, enforced or not, before the pinned leaf is reached",
        arguments: [
            (CertificateFacts.KeyKind.rsa(bits: 2048), "3.0.7", true), (.rsa(bits: 4096), "3.0.7", true),
            (.ellipticCurve("P-256", bits: 256), "1.6.0", true), (.ellipticCurve("P-384", bits: 384), "1.6.0", true),
            (.rsa(bits: 3072), "3.0.5", true), (.rsa(bits: 3072), "3.0.7", true), (.rsa(bits: 3072), "3.0.4", false),
            (.rsa(bits: 3072), "1.6.0", false), (.rsa(bits: 1024), "3.0.7", false), (.rsa(bits: 8192), "3.0.7", false),
            (.ellipticCurve("P-521", bits: 521), "3.0.7", false),
            (.ellipticCurve("secp256k1", bits: 256), "3.0.7", false), (.other("ED25519"), "3.0.7", false),
            (nil, "3.0.7", false),
        ] as [(CertificateFacts.KeyKind?, String, Bool)])
    func keyKinds(kind: CertificateFacts.KeyKind?, version: String, isSupported: Bool) throws {
        let odd = keyed("odd root", kind: kind)
        for enforces in [true, false] {
            var domain = Self.pinned
            domain.enforcesPinning = enforces
            let policy = Self.policy(domain, version: try #require(LibraryVersion(version)))
            let verdict = Self.verdict(policy, valid(Self.leaf, odd))
            #expect(verdict.decision == (isSupported ? .accept : .reject))
            #expect(verdict.reason.rule.description == "PS-3.3-3")
            guard !isSupported else { continue }
            #expect(verdict.reason.kind == .trustKit(.unsupportedKey(odd, depth: 1)))
        }
    }

    @Test("PS-3.3-3: a pin above the odd key is met before it")
    func pinBeforeOddKey() {
        let domain = TrustKitDomain(publicKeyHashes: [pinText("root"), pinText("backup")])
        let verdict = Self.verdict(Self.policy(domain), valid(keyed("odd", kind: .other("ED25519")), Self.root))
        #expect(verdict.decision == .accept)
    }

    @Test(
        "PS-3.3-3: up to 1.5 only keys of the configured algorithms are hashed, and others are passed over",
        arguments: [
            ("1.5.3", [TrustKitDomain.Algorithm.secp256r1], PolicyVerdict.Decision.accept),
            ("1.5.3", [.rsa2048, .rsa4096], .reject), ("1.0.0", [.rsa4096, .secp256r1], .accept),
            ("1.6.0", [.rsa2048], .accept),
        ])
    func algorithms(version: String, algorithms: [TrustKitDomain.Algorithm], expected: PolicyVerdict.Decision) throws {
        var domain = Self.pinned
        domain.publicKeyAlgorithms = algorithms
        let policy = Self.policy(domain, version: try #require(LibraryVersion(version)))
        let verdict = Self.verdict(policy, valid(Self.leaf, keyed("root", kind: .rsa(bits: 2048))))
        #expect(verdict.decision == expected)
        #expect(verdict.reason.rule.description == (expected == .accept ? "PS-3.3-3" : "PS-3.3-5"))
    }

    @Test("PS-3.3-3: up to 1.5 an odd key does not refuse the server")
    func oddKeyInOldRelease() {
        let trust = valid(Self.leaf, keyed("odd root", kind: .rsa(bits: 3072)))
        let old = Self.verdict(Self.policy(version: LibraryVersion(1, 5, 3)), trust)
        #expect(old.decision == .accept)
        #expect(Self.verdict(Self.policy(version: LibraryVersion(1, 6, 0)), trust).decision == .reject)
    }

    // The columns: macOS, the flag, an anchor of the user's on the path.
    @Test(
        "PS-3.3-4, PS-3.1-2: on macOS a user's anchor overrides pins, unless the flag is off",
        arguments: [
            (true, true, true, PolicyVerdict.Decision.accept), (true, true, false, .reject),
            (true, false, true, .reject), (false, true, true, .reject),
        ])
    func userAnchors(isMacOS: Bool, ignores: Bool, isOnPath: Bool, expected: PolicyVerdict.Decision) {
        let other = keyed("other")
        let policy = Self.policy(setting: .init(isMacOS: isMacOS), ignoresUserAnchors: ignores)
        let verdict = Self.verdict(
            policy, valid(other, Self.root), userAnchors: [isOnPath ? Self.root : keyed("elsewhere")])
        #expect(verdict.decision == expected)
        #expect(verdict.reason.rule.description == (expected == .accept ? "PS-3.3-4" : "PS-3.3-5"))
    }

    @Test("PS-3.1-2: the flag is on by default")
    func userAnchorsByDefault() throws {
        #expect(try TrustKitConfiguration(properties: [:]).ignoresPinsForUserAnchors)
        let off = try TrustKitConfiguration(properties: [
            "TSKIgnorePinningForUserDefinedTrustAnchors": .boolean(false)
        ])
        #expect(!off.ignoresPinsForUserAnchors)
    }

    @Test("PS-3.3-5: no match is refused where pins are enforced, and passes elsewhere")
    func mismatch() {
        let refused = Self.verdict(Self.policy(), valid(keyed("other"), Self.root))
        #expect(refused.reason == PolicyReason(.noPinMatched, rule: RuleID("PS-3.3-5")))
        #expect(refused.decision == .reject)
        let reporting = TrustKitDomain(publicKeyHashes: [pinText("leaf")], enforcesPinning: false)
        let passed = Self.verdict(Self.policy(reporting), valid(keyed("other"), Self.root))
        #expect(passed.decision == .accept)
        #expect(passed.reason.kind == .trustKit(.notEnforced(domain: "example.com")))
    }

    @Test("PS-3.1-1: neither swizzling nor a validator that is called: no pinning at all")
    func neverAsked() {
        let setting = TrustKitPolicy.Setting(callsValidator: false)
        let verdict = Self.verdict(Self.policy(setting: setting), valid(keyed("other")))
        #expect(verdict == PolicyVerdict(.default, PolicyReason(.policyNeverAsked, rule: RuleID("PS-3.1-1"))))
        var swizzling = Self.policy(setting: setting)
        swizzling.configuration.swizzlesDelegates = true
        #expect(Self.verdict(swizzling, valid(keyed("other"))).decision == .reject)
    }

    @Test(
        "PS-3.1-3: additional anchors count in builds for debugging with 1.5 only",
        arguments: [("1.5.0", true, true), ("1.5.0", false, false), ("1.4.0", true, false), ("1.6.0", true, false)])
    func additionalAnchors(version: String, isDebugBuild: Bool, areSet: Bool) throws {
        var domain = Self.pinned
        domain.additionalAnchors = [Self.root]
        let platform = FakeEvaluator(platform: invalid(.noAnchor, Self.leaf), pinned: valid(Self.leaf, Self.root))
        let policy = Self.policy(
            domain, version: try #require(LibraryVersion(version)), setting: .init(isDebugBuild: isDebugBuild))
        let verdict = policy.evaluate(
            ServerTrust(sent: [Self.leaf], host: HostName("example.com"), time: 1), using: platform)
        #expect(verdict.decision == (areSet ? .accept : .reject))
        #expect(platform.questions.map(\.anchors) == [areSet ? [Self.root] : nil])
        #expect(platform.questions.map(\.anchorsOnly) == [false], "the platform's own anchors stay")
    }
}
