import Pinning
import Testing
import Wire

/// The pins of an app's Info.plist, by hand from PS-6.1.
@Suite struct PinnedDomainsTests {
    private static let leaf = keyed("leaf")
    private static let middle = keyed("middle")
    private static let root = keyed("root")

    private static func domains(_ entries: [String: PinnedDomains.Entry], required: Bool = false) -> PinnedDomains {
        PinnedDomains(entries: entries, isPinningRequired: required)
    }

    private static func pins(_ names: String...) -> [[UInt8]] { names.map(keyDigest) }

    private static func verdict(
        _ domains: PinnedDomains, _ trust: TrustResult, host: String? = "api.example.com"
    ) -> PolicyVerdict {
        PinnedDomainsPolicy(domains).evaluate(
            ServerTrust(sent: trust.path, host: host.flatMap { HostName($0) }, time: 1),
            using: FakeEvaluator(platform: trust, pinned: trust))
    }

    @Test(
        "PS-6.1-1: the name itself, whatever its case, and one label below it if subdomains are included",
        arguments: [
            ("example.com", true, "example.com", true), ("example.com", false, "example.com", true),
            ("Example.COM", false, "example.com", true), ("example.com", false, "EXAMPLE.com.", true),
            ("example.com", true, "a.example.com", true), ("example.com", false, "a.example.com", false),
            ("example.com", true, "a.b.example.com", false), ("example.com", true, "example.org", false),
            ("example.com", true, "badexample.com", false), ("a.example.com", true, "example.com", false),
            ("example.com.", true, "example.com", false), ("com", true, "example.com", true),
        ])
    func host(key: String, includesSubdomains: Bool, host: String, isPinned: Bool) throws {
        let entry = PinnedDomains.Entry(includesSubdomains: includesSubdomains, leafPins: Self.pins("other"))
        let domains = Self.domains([key: entry])
        #expect(domains.pins(for: try #require(HostName(host))).leafPins == (isPinned ? Self.pins("other") : nil))
        let verdict = Self.verdict(domains, valid(Self.leaf), host: host)
        #expect(verdict.decision == (isPinned ? .reject : .default))
        #expect(verdict.reason.rule.description == (isPinned ? "PS-6.1-4" : "PS-6.1-1"))
    }

    @Test("PS-6.1-1: no host, no pins")
    func noHost() {
        let domains = Self.domains(["example.com": .init(leafPins: [])])
        #expect(Self.verdict(domains, valid(Self.leaf), host: nil).decision == .default)
    }

    @Test("PS-6.1-2: the pins of all entries that match are joined, each kind by itself")
    func union() throws {
        let domains = Self.domains([
            "api.example.com": .init(leafPins: Self.pins("leaf")),
            "example.com": .init(
                includesSubdomains: true, leafPins: Self.pins("renewed"), authorityPins: Self.pins("root")),
            "example.org": .init(leafPins: Self.pins("foreign")),
        ])
        let joined = domains.pins(for: try #require(HostName("api.example.com")))
        #expect(Set(joined.leafPins ?? []) == Set(Self.pins("leaf", "renewed")))
        #expect(joined.authorityPins == Self.pins("root"))
        #expect(Self.verdict(domains, valid(Self.leaf, Self.root)).decision == .accept, "the exact entry's leaf pin")
        #expect(Self.verdict(domains, valid(keyed("renewed"), Self.root)).decision == .accept, "the parent's leaf pin")
        #expect(
            Self.verdict(domains, valid(Self.leaf, keyed("other"))).decision == .reject, "the parent's CA pins count")
        #expect(
            Self.verdict(domains, valid(keyed("foreign"), Self.root)).decision == .reject, "another domain's do not")
    }

    // The columns: leaf pins, CA pins, the path, the verdict.
    @Test(
        "PS-6.1-4: leaf pins in the leaf, CA pins above it, and both if there are both",
        arguments: [
            (["leaf"], nil, ["leaf", "root"], true), (["root"], nil, ["leaf", "root"], false),
            (nil, ["root"], ["leaf", "middle", "root"], true), (nil, ["middle"], ["leaf", "middle", "root"], true),
            (nil, ["leaf"], ["leaf", "root"], false), (nil, ["leaf"], ["leaf"], false),
            (nil, ["root"], ["leaf"], false),
            (["leaf"], ["root"], ["leaf", "root"], true), (["leaf"], ["other"], ["leaf", "root"], false),
            (["other"], ["root"], ["leaf", "root"], false), (["other", "leaf"], nil, ["leaf"], true),
        ] as [([String]?, [String]?, [String], Bool)])
    func pins(leafPins: [String]?, authorityPins: [String]?, path: [String], isAccepted: Bool) {
        let entry = PinnedDomains.Entry(
            leafPins: leafPins?.map(keyDigest), authorityPins: authorityPins?.map(keyDigest))
        let trust = TrustResult(path: path.map { keyed($0) }, errors: [], notChecked: [])
        let verdict = Self.verdict(Self.domains(["api.example.com": entry]), trust)
        #expect(verdict.decision == (isAccepted ? .accept : .reject))
        #expect(verdict.reason.rule.description == "PS-6.1-4")
    }

    @Test("PS-6.1-4: a pinned key on an invalid path")
    func invalidPath() {
        let domains = Self.domains(["api.example.com": .init(leafPins: Self.pins("leaf"))])
        let verdict = Self.verdict(domains, invalid(.expired, Self.leaf, Self.root))
        #expect(verdict.decision == .reject)
        #expect(verdict.reason.rule.description == "PS-6.1-4")
        #expect(Self.verdict(domains, valid(Self.leaf, Self.root)).decision == .accept)
    }

    @Test("PS-6.1-4: the reason names both pins")
    func reason() {
        let domains = Self.domains([
            "api.example.com": .init(leafPins: Self.pins("leaf"), authorityPins: Self.pins("root"))
        ])
        #expect(
            Self.verdict(domains, valid(Self.leaf, Self.root)).reason.explanation
                == "leaf pin \(pinText("leaf")) matches certificate 0 of the path, CN=leaf; "
                + "CA pin \(pinText("root")) matches certificate 1 of the path, CN=root")
    }

    @Test("PS-6.1-3: a key that is there and yields no pin refuses everybody", arguments: [true, false])
    func empty(isLeaf: Bool) {
        let entry = isLeaf ? PinnedDomains.Entry(leafPins: []) : PinnedDomains.Entry(authorityPins: [])
        let verdict = Self.verdict(Self.domains(["api.example.com": entry]), valid(Self.leaf, Self.root))
        #expect(verdict.decision == .reject)
        #expect(verdict.reason.rule.description == "PS-6.1-3")
    }

    @Test("PS-6.1-5: with SecTrustPinningRequired other rules apply; a host with two empty lists is exempt")
    func pinningRequired() {
        let pinned = Self.domains(["api.example.com": .init(leafPins: Self.pins("leaf"))], required: true)
        #expect(Self.verdict(pinned, valid(Self.leaf)).decision == .configError)
        #expect(Self.verdict(pinned, valid(Self.leaf)).reason.rule.description == "PS-6.1-5")
        let half = Self.domains(["api.example.com": .init(leafPins: [])], required: true)
        #expect(Self.verdict(half, valid(Self.leaf)).decision == .configError)
        let exempt = Self.domains(["api.example.com": .init(leafPins: [], authorityPins: [])], required: true)
        #expect(Self.verdict(exempt, valid(Self.leaf)).decision == .default)
        // It depends on the host, so it is no fault of the file.
        #expect(PinnedDomainsPolicy(pinned).configurationProblem == nil)
    }

    @Test("PS-6.1-6: the pins apply inside libraries that evaluate with the host, and not in those that do not")
    func insideLibraries() {
        let domains = Self.domains(["api.example.com": .init(leafPins: Self.pins("other"))])
        let platform = PinnedDomainsEvaluator(
            domains, on: FakeEvaluator(platform: valid(Self.leaf, Self.root), pinned: valid(Self.leaf, Self.root)))
        let server = ServerTrust(sent: [Self.leaf], host: HostName("api.example.com"), time: 1)
        let withHost = AFSecurityPolicy().evaluate(server, using: platform)
        #expect(withHost.decision == .reject)
        #expect(withHost.trust?.errors.map(\.kind) == [.pinMismatch])
        #expect(withHost.trust?.errors.map(\.rule.description) == ["PS-6.1-4"])
        #expect(AFSecurityPolicy(validatesDomainName: false).evaluate(server, using: platform).decision == .accept)
        let withoutHost = Alamofire5Session(evaluators: ["api.example.com": .default(validateHost: false)])
        #expect(withoutHost.evaluate(server, using: platform).decision == .accept)
        var elsewhere = server
        elsewhere.host = HostName("www.example.com")
        #expect(AFSecurityPolicy().evaluate(elsewhere, using: platform).decision == .accept)
    }
}

/// How an Info.plist becomes pins.
@Suite struct PinnedDomainsParsingTests {
    private func parsed(_ entry: PropertyValue) -> PinnedDomains {
        PinnedDomains(information: [
            "NSAppTransportSecurity": .dictionary(["NSPinnedDomains": .dictionary(["example.com": entry])])
        ])
    }

    private func identity(_ text: String) -> PropertyValue { .dictionary(["SPKI-SHA256-BASE64": .string(text)]) }

    @Test("PS-6.1-3: what can be read counts, the rest is skipped, and a digest may have any length")
    func identities() {
        let domains = parsed(
            .dictionary([
                "NSIncludesSubdomains": .boolean(true),
                "NSPinnedLeafIdentities": .array([
                    identity(pinText("leaf")), identity("not Base64!"), .string(pinText("bare")),
                    .dictionary(["SPKI-SHA256-BASE64": .integer(1)]),
                    .dictionary(["SPKI-SHA1-BASE64": .string("AAAA")]),
                    identity("AAEC"),
                ]),
            ]))
        #expect(
            domains.entries == [
                "example.com": .init(includesSubdomains: true, leafPins: [keyDigest("leaf"), [0, 1, 2]])
            ])
    }

    @Test(
        "PS-6.1-3: a key of another type, empty or with malformed elements only is there all the same",
        arguments: [
            PropertyValue.array([]), .string("pin"), .dictionary([:]), .boolean(false),
            .array([.string("pin"), .dictionary([:])]),
        ])
    func presence(value: PropertyValue) {
        let leaf = parsed(.dictionary(["NSPinnedLeafIdentities": value]))
        #expect(leaf.entries["example.com"] == .init(leafPins: []))
        let authority = parsed(.dictionary(["NSPinnedCAIdentities": value]))
        #expect(authority.entries["example.com"] == .init(authorityPins: []))
    }

    @Test("PS-6.1-3: a domain with neither key is not pinned, and one that is no dictionary is none")
    func neither() throws {
        let host = try #require(HostName("example.com"))
        #expect(parsed(.dictionary(["NSIncludesSubdomains": .boolean(true)])).pins(for: host).leafPins == nil)
        #expect(parsed(.string("pin")).entries == [:])
    }

    @Test(
        "PS-6.1-1: subdomains are included by exactly the boolean true",
        arguments: [
            (PropertyValue.boolean(true), true), (.boolean(false), false), (.integer(1), false),
            (.string("YES"), false),
        ])
    func subdomains(value: PropertyValue, expected: Bool) {
        let entry = parsed(.dictionary(["NSIncludesSubdomains": value])).entries["example.com"]
        #expect(entry?.includesSubdomains == expected)
    }

    @Test("PS-6.1-5: SecTrustPinningRequired stands beside, not below, NSAppTransportSecurity")
    func pinningRequired() {
        #expect(PinnedDomains(information: ["SecTrustPinningRequired": .boolean(true)]).isPinningRequired)
        #expect(!PinnedDomains(information: [:]).isPinningRequired)
    }
}
