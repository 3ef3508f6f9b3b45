import Pinning
import Testing
import Wire

/// What TrustKit raises an exception for when it loads a configuration, by hand from PS-3.1.
@Suite struct TrustKitConfigurationTests {
    private static let latest = LibraryVersion(3, 0, 7)
    private static let two = [pinText("leaf"), pinText("backup")]

    private static func problem(
        _ domains: [String: TrustKitDomain], version: LibraryVersion = latest,
        setting: TrustKitPolicy.Setting = .init(), swizzles: Bool = false
    ) -> PolicyReason? {
        TrustKitPolicy(
            version: version,
            configuration: TrustKitConfiguration(swizzlesDelegates: swizzles, domains: domains),
            suffixes: FewSuffixes(), setting: setting
        ).configurationProblem
    }

    private static func reason(_ domain: String?, _ mistake: TrustKitMistake, _ rule: String) -> PolicyReason {
        PolicyReason(.trustKit(.misconfigured(domain: domain, mistake)), rule: RuleID(rule))
    }

    @Test("PS-3.1-1: only the shared instance may swizzle")
    func swizzling() {
        let domains = ["example.com": TrustKitDomain(publicKeyHashes: Self.two)]
        #expect(Self.problem(domains, swizzles: true) == nil)
        let other = TrustKitPolicy.Setting(isSharedInstance: false)
        #expect(Self.problem(domains, setting: other) == nil)
        #expect(
            Self.problem(domains, setting: other, swizzles: true)
                == Self.reason(nil, .swizzlingNotShared, "PS-3.1-1"))
    }

    @Test("PS-3.1-3: there must be a domain")
    func noDomains() throws {
        #expect(Self.problem([:]) == Self.reason(nil, .noDomains, "PS-3.1-3"))
        let empty = try TrustKitConfiguration(properties: ["TSKPinnedDomains": .dictionary([:])])
        #expect(empty.domains.isEmpty)
    }

    @Test(
        "PS-3.1-3: a domain needs a public suffix that is known",
        arguments: ["localhost", "192.0.2.1", "db.internal", ""])
    func suffix(domain: String) {
        let domains = [domain: TrustKitDomain(publicKeyHashes: Self.two)]
        #expect(Self.problem(domains) == Self.reason(domain, .noPublicSuffix, "PS-3.1-3"))
    }

    @Test("PS-3.1-3: no subdomains of a bare public suffix", arguments: ["co.uk", "com"])
    func bareSuffix(domain: String) {
        #expect(
            Self.problem([domain: TrustKitDomain(publicKeyHashes: Self.two, includesSubdomains: true)])
                == Self.reason(domain, .subdomainsOfSuffix, "PS-3.1-3"))
        #expect(Self.problem([domain: TrustKitDomain(publicKeyHashes: Self.two)]) == nil)
    }

    @Test(
        "PS-3.1-3: a pin is the Base64 of 32 octets",
        arguments: [
            "", "not Base64!", Base64.encode([1, 2, 3]), Base64.encode(Array(repeating: 0, count: 20)),
            Base64.encode(Array(repeating: 0, count: 33)), "sha256/" + Base64.encode(Array(repeating: 0, count: 32)),
            String(Base64.encode(Array(repeating: 0, count: 32)).dropLast()),
        ])
    func hash(text: String) {
        let domain = TrustKitDomain(publicKeyHashes: [pinText("leaf"), pinText("backup"), text])
        #expect(
            Self.problem(["example.com": domain]) == Self.reason("example.com", .badHash(text), "PS-3.1-3"))
    }

    // The columns: release, enforcing, how many pins, how many of them differ, how many are needed.
    @Test(
        "PS-3.1-3: two different pins where they are enforced, one elsewhere; up to 1.3 always two",
        arguments: [
            ("3.0.7", true, 2, 2, nil), ("3.0.7", true, 1, 1, 2), ("3.0.7", true, 2, 1, 2), ("3.0.7", true, 0, 0, 2),
            ("3.0.7", false, 1, 1, nil), ("3.0.7", false, 0, 0, 1), ("1.5.0", false, 1, 1, nil),
            ("1.3.2", false, 1, 1, 2), ("1.3.2", false, 2, 2, nil), ("1.3.2", true, 2, 1, 2),
        ] as [(String, Bool, Int, Int, Int?)])
    func count(version: String, enforces: Bool, pins: Int, different: Int, least: Int?) throws {
        let names = (0..<pins).map { "key \(min($0, different - 1))" }
        let domain = TrustKitDomain(
            publicKeyHashes: names.map(pinText), enforcesPinning: enforces, publicKeyAlgorithms: [.rsa2048])
        let expected = least.map {
            Self.reason("example.com", .tooFewHashes(different, least: $0), "PS-3.1-3")
        }
        #expect(
            Self.problem(["example.com": domain], version: try #require(LibraryVersion(version))) == expected)
    }

    @Test(
        "PS-3.1-3: up to 1.5 algorithms are required, later they are not",
        arguments: [("1.0.0", true), ("1.5.3", true), ("1.6.0", false), ("3.0.7", false)])
    func algorithms(version: String, areRequired: Bool) throws {
        let version = try #require(LibraryVersion(version))
        var domain = TrustKitDomain(publicKeyHashes: Self.two)
        let expected = areRequired ? Self.reason("example.com", .noAlgorithms, "PS-3.1-3") : nil
        #expect(Self.problem(["example.com": domain], version: version) == expected)
        domain.publicKeyAlgorithms = []
        #expect(Self.problem(["example.com": domain], version: version) == expected)
        domain.publicKeyAlgorithms = [.secp384r1]
        #expect(Self.problem(["example.com": domain], version: version) == nil)
    }

    @Test("PS-3.1-3: a report URI that is none", arguments: ["", "https://exam ple.com/", "https://example.com/<id>"])
    func reportURI(text: String) {
        let domain = TrustKitDomain(
            publicKeyHashes: Self.two, reportURIs: ["https://report.example.com/log?id=1", text])
        #expect(
            Self.problem(["example.com": domain]) == Self.reason("example.com", .badReportURI(text), "PS-3.1-3"))
    }

    @Test("PS-3.1-4: an excluded domain needs a parent that includes subdomains")
    func excluded() {
        let parent = TrustKitDomain(publicKeyHashes: Self.two, includesSubdomains: true)
        #expect(Self.problem(["example.com": parent, "free.example.com": .excluded]) == nil)
        let expected = Self.reason("free.example.com", .excludedWithoutParent, "PS-3.1-4")
        let narrow = TrustKitDomain(publicKeyHashes: Self.two)
        #expect(Self.problem(["example.com": narrow, "free.example.com": .excluded]) == expected)
        #expect(Self.problem(["example.org": parent, "free.example.com": .excluded]) == expected)
    }

    @Test("PS-3.1: a broken configuration never gets as far as a verdict")
    func evaluation() {
        let policy = TrustKitPolicy(
            configuration: TrustKitConfiguration(domains: ["localhost": TrustKitDomain(publicKeyHashes: Self.two)]),
            suffixes: FewSuffixes())
        let leaf = keyed("leaf")
        let verdict = policy.evaluate(
            ServerTrust(sent: [leaf], host: HostName("example.com"), time: 1),
            using: FakeEvaluator(platform: valid(leaf), pinned: valid(leaf)))
        #expect(verdict.decision == .configError)
        #expect(verdict.reason == policy.configurationProblem)
    }

    @Test("PS-3.1: other releases are not emulated", arguments: [LibraryVersion(0, 9), LibraryVersion(4, 0)])
    func otherReleases(version: LibraryVersion) {
        let problem = Self.problem(["example.com": TrustKitDomain(publicKeyHashes: Self.two)], version: version)
        #expect(problem == PolicyReason(.versionNotEmulated("TrustKit \(version)"), rule: RuleID("PS-3.1")))
    }
}

/// How a dictionary becomes a configuration.
@Suite struct TrustKitPropertyTests {
    private let hashes = PropertyValue.array([.string(pinText("leaf")), .string(pinText("backup"))])

    private func configuration(_ domains: [String: PropertyValue]) throws -> TrustKitConfiguration {
        try TrustKitConfiguration(properties: ["TSKPinnedDomains": .dictionary(domains)])
    }

    @Test("PS-3.1-3: the keys and their defaults")
    func keys() throws {
        let configuration = try TrustKitConfiguration(properties: [
            "TSKSwizzleNetworkDelegates": .boolean(true),
            "TSKPinnedDomains": .dictionary([
                "plain.example.com": .dictionary(["TSKPublicKeyHashes": hashes]),
                "full.example.com": .dictionary([
                    "TSKPublicKeyHashes": hashes, "TSKIncludeSubdomains": .boolean(true),
                    "TSKEnforcePinning": .boolean(false), "TSKExpirationDate": .string("2030-01-02"),
                    "TSKReportUris": .array([.string("https://report.example.com/")]),
                    "TSKDisableDefaultReportUri": .boolean(true),
                    "TSKPublicKeyAlgorithms": .array([
                        .string("TSKAlgorithmEcDsaSecp256r1"), .string("TSKAlgorithmOdd"),
                    ]),
                ]),
            ]),
        ])
        let pins = [pinText("leaf"), pinText("backup")]
        #expect(
            configuration
                == TrustKitConfiguration(
                    swizzlesDelegates: true,
                    domains: [
                        "plain.example.com": TrustKitDomain(publicKeyHashes: pins),
                        "full.example.com": TrustKitDomain(
                            publicKeyHashes: pins, includesSubdomains: true, enforcesPinning: false,
                            expirationDate: "2030-01-02", reportURIs: ["https://report.example.com/"],
                            publicKeyAlgorithms: [.secp256r1]),
                    ]))
    }

    @Test("PS-3.1-1: swizzling is off by default")
    func swizzlingByDefault() throws { #expect(try !configuration([:]).swizzlesDelegates) }

    @Test("PS-3.1-4: the exclude key is the one with the typo; the documented one is not known")
    func excludeKey() throws {
        let parent = PropertyValue.dictionary(["TSKPublicKeyHashes": hashes, "TSKIncludeSubdomains": .boolean(true)])
        let typo = try configuration([
            "example.com": parent,
            "free.example.com": .dictionary(["kSKExcludeSubdomainFromParentPolicy": .boolean(true)]),
        ])
        #expect(typo.domains["free.example.com"] == .excluded)
        #expect(TrustKitPolicy(configuration: typo, suffixes: FewSuffixes()).configurationProblem == nil)
        let documented = try configuration([
            "example.com": parent,
            "free.example.com": .dictionary(["TSKExcludeSubdomainFromParentPolicy": .boolean(true)]),
        ])
        #expect(
            TrustKitPolicy(configuration: documented, suffixes: FewSuffixes()).configurationProblem
                == PolicyReason(
                    .trustKit(.misconfigured(domain: "free.example.com", .tooFewHashes(0, least: 2))),
                    rule: RuleID("PS-3.1-3")))
    }

    @Test("PS-3.1-4: excluded and anything else is a mistake; not excluded is nothing")
    func excludedWithOthers() throws {
        let expected = PolicyReason(
            .trustKit(.misconfigured(domain: "free.example.com", .excludedWithOtherKeys)), rule: RuleID("PS-3.1-4"))
        let error = #expect(throws: TrustKitConfigurationError.self) {
            try configuration([
                "free.example.com": .dictionary([
                    "kSKExcludeSubdomainFromParentPolicy": .boolean(true), "TSKEnforcePinning": .boolean(false),
                ])
            ])
        }
        #expect(error?.reason == expected)
        let included = try configuration([
            "free.example.com": .dictionary([
                "kSKExcludeSubdomainFromParentPolicy": .boolean(false), "TSKPublicKeyHashes": hashes,
            ])
        ])
        #expect(included.domains["free.example.com"]?.isExcluded == false)
    }

    @Test(
        "PS-3.1-3: values of other types",
        arguments: [
            ("TSKPinnedDomains", ["TSKPinnedDomains": .array([])]),
            ("example.com", ["TSKPinnedDomains": .dictionary(["example.com": .string("pin")])]),
            (
                "TSKPublicKeyHashes",
                ["TSKPinnedDomains": .dictionary(["example.com": .dictionary(["TSKPublicKeyHashes": .string("pin")])])]
            ),
            (
                "TSKReportUris",
                [
                    "TSKPinnedDomains": .dictionary([
                        "example.com": .dictionary(["TSKReportUris": .array([.integer(1)])])
                    ])
                ]
            ),
        ] as [(String, [String: PropertyValue])])
    func wrongTypes(key: String, properties: [String: PropertyValue]) {
        let error = #expect(throws: TrustKitConfigurationError.self) {
            try TrustKitConfiguration(properties: properties)
        }
        #expect(error?.reason.explanation.contains("\(key) is not of the expected type") == true)
    }
}
