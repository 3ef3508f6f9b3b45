import Pinning
import Testing

@Suite struct OkHttpCertificatePinnerTests {
    private static let leafPin = "sha1/bGVhZn5+fn5+fn5+fn5+fn5+fn4="
    private static let otherPin = "sha1/AAAA"

    private func pinner(
        _ version: LibraryVersion, _ entries: [(String, [String])], runtime: OkHttpCertificatePinner.Runtime = .android
    ) -> OkHttpCertificatePinner {
        OkHttpCertificatePinner(
            version: version, entries: entries.map { .init(pattern: $0, pins: $1) }, runtime: runtime)
    }

    static let bands = [
        LibraryVersion(2, 7), LibraryVersion(2, 7, 3), LibraryVersion(3, 0), LibraryVersion(3, 1),
        LibraryVersion(3, 4), LibraryVersion(3, 9), LibraryVersion(4, 3), LibraryVersion(5, 0),
    ]

    @Test("PS-4-4: a host that no pattern is for is left alone, on a valid chain for it", arguments: bands)
    func unpinned(version: LibraryVersion) {
        for entries in [[], [("www.example.com", [Self.leafPin])], [("api.example.com", [])]] {
            let verdict = pinner(version, entries).evaluate(Minted.server(), using: Minted.platform)
            #expect(verdict.decision == .default)
            #expect(verdict.reason == PolicyReason(.hostNotPinned("api.example.com"), rule: RuleID("PS-4-4")))
        }
        let verdict = pinner(version, []).evaluate(Minted.server([minted("stranger")]), using: Minted.platform)
        #expect(verdict.decision == .reject && verdict.reason.rule == RuleID("PS-4-5"))
    }

    @Test("PS-4-4: the pins of all patterns count, and any certificate of the chain will do", arguments: bands)
    func union(version: LibraryVersion) {
        let entries = [
            ("api.example.com", [Self.otherPin]), ("*.example.com", [Self.otherPin, Self.leafPin]),
        ]
        #expect(pinner(version, entries).evaluate(Minted.server(), using: Minted.platform).decision == .accept)
        let none = [("api.example.com", [Self.otherPin]), ("www.example.com", [Self.leafPin])]
        let verdict = pinner(version, none).evaluate(Minted.server(), using: Minted.platform)
        #expect(verdict.decision == .reject)
        #expect(verdict.reason == PolicyReason(.noPinMatched, rule: RuleID("PS-4-4")))
    }

    @Test(
        "PS-4-5: each platform is asked by its own rules, and what it finds wrong counts",
        arguments: [TrustError.Kind.weakSignature, .weakKey, .expired])
    func platforms(kind: TrustError.Kind) {
        let jvm = OkHttpCertificatePinner.Runtime.jvm(trustRoots: [Minted.root], hasSigned: mintedSignature)
        for (runtime, policy) in [(jvm, .jvm), (.android, .android)] as [(OkHttpCertificatePinner.Runtime, TrustPolicy)]
        {
            let found = invalid(kind, Minted.leaf, Minted.intermediate, Minted.root)
            let platform = FakeEvaluator(platform: found, pinned: found)
            let pinner = pinner(LibraryVersion(4, 12), [("api.example.com", [Self.leafPin])], runtime: runtime)
            let verdict = pinner.evaluate(Minted.server(), using: platform)
            #expect(verdict.decision == .reject && verdict.reason.rule == RuleID("PS-4-5"))
            #expect(platform.questions.map(\.policy) == [policy])
        }
    }

    @Test(
        "PS-0.5-2: before 4.5 on a JVM an IPv6 address is compared as Java writes it",
        arguments: [
            ("2001:db8::1", LibraryVersion(4, 4), false), ("2001:db8::1", LibraryVersion(4, 5), true),
            ("2001:db8:1:2:3:4:5:6", LibraryVersion(4, 4), true), ("192.0.2.1", LibraryVersion(4, 4), true),
        ])
    func addressText(address: String, version: LibraryVersion, onJVM: Bool) {
        let leaf = minted("addressed", by: Minted.intermediate, names: ["[\(address)]"])
        let path = valid(leaf, Minted.intermediate, Minted.root)
        let jvm = OkHttpCertificatePinner.Runtime.jvm(trustRoots: [Minted.root], hasSigned: mintedSignature)
        for (runtime, decision) in [(jvm, onJVM ? .default : .reject), (.android, .default)]
            as [(OkHttpCertificatePinner.Runtime, PolicyVerdict.Decision)]
        {
            let verdict = pinner(version, [], runtime: runtime).evaluate(
                Minted.server([leaf], host: address), using: FakeEvaluator(platform: path, pinned: path))
            #expect(verdict.decision == decision)
        }
    }

    @Test("PS-4-4: one pin is enough, and none expires")
    func onePin() {
        let one = pinner(LibraryVersion(4, 12), [("api.example.com", [Self.leafPin])])
        #expect(one.evaluate(Minted.server(time: .max), using: Minted.platform).decision == .accept)
        #expect(one.configurationProblem == nil)
    }

    @Test(
        "PS-4-6: CVE-2016-2402, a pinned certificate that is only sent along, by release",
        arguments: [
            (LibraryVersion(2, 7, 0), true), (LibraryVersion(2, 7, 2), true), (LibraryVersion(2, 7, 3), false),
            (LibraryVersion(2, 7, 5), false), (LibraryVersion(3, 0, 0), true), (LibraryVersion(3, 0, 1), true),
            (LibraryVersion(3, 1, 0), false), (LibraryVersion(3, 1, 2), false), (LibraryVersion(5, 4), false),
        ])
    func appended(version: LibraryVersion, isVulnerable: Bool) {
        let sent = [Minted.otherLeaf, Minted.leaf]
        let roots = [Minted.root, Minted.otherRoot]
        for runtime in [
            OkHttpCertificatePinner.Runtime.android, .jvm(trustRoots: roots, hasSigned: mintedSignature),
        ] {
            let pinner = pinner(version, [("api.example.com", [Self.leafPin])], runtime: runtime)
            let verdict = pinner.evaluate(Minted.server(sent), using: Minted.platform)
            if isVulnerable {
                let match = PinMatch(pin: Self.leafPin, certificate: Minted.leaf, depth: 1)
                #expect(verdict.reason == PolicyReason(.pinMatchedAsSent(match), rule: RuleID("PS-4-6")))
                #expect(verdict.decision == .accept && verdict.match == match)
                #expect(!verdict.path.contains(Minted.leaf))
            } else {
                #expect(verdict.decision == .reject)
                #expect(verdict.reason.kind == .noPinMatched)
            }
        }
    }

    @Test("PS-4-6: where the sent list is compared, a root that was not sent cannot be pinned")
    func unsentRoot() {
        let rootPin = "sha1/cm9vdH5+fn5+fn5+fn5+fn5+fn4="
        let entries = [("api.example.com", [rootPin])]
        #expect(
            pinner(LibraryVersion(2, 7, 2), entries).evaluate(Minted.server(), using: Minted.platform).decision
                == .reject)
        #expect(
            pinner(LibraryVersion(2, 7, 3), entries).evaluate(Minted.server(), using: Minted.platform).decision
                == .accept)
    }

    @Test("PS-4-7: another host may share a connection if its name and its pins match, and no proxy is between")
    func coalescing() {
        let leaf = minted("leaf", names: ["api.example.com", "www.example.com", "free.example.com"])
        let pinner = pinner(
            LibraryVersion(4, 12), [("api.example.com", [Self.leafPin]), ("www.example.com", [Self.otherPin])])
        #expect(pinner.coalesces(host: "api.example.com", onto: [leaf], isProxied: false))
        #expect(pinner.coalesces(host: "free.example.com", onto: [leaf], isProxied: false))
        #expect(!pinner.coalesces(host: "www.example.com", onto: [leaf], isProxied: false))
        #expect(!pinner.coalesces(host: "other.example.com", onto: [leaf], isProxied: false))
        #expect(!pinner.coalesces(host: "api.example.com", onto: [leaf], isProxied: true))
        #expect(!pinner.coalesces(host: "api.example.com", onto: [], isProxied: false))
        let older = self.pinner(LibraryVersion(3, 6), [("api.example.com", [Self.leafPin])])
        #expect(!older.coalesces(host: "api.example.com", onto: [leaf], isProxied: false))
    }

    @Test("PS-4-8: a list of patterns, each with its pins, is the whole configuration")
    func configuration() {
        let entries = [
            OkHttpCertificatePinner.Entry(pattern: "api.example.com", pins: [Self.leafPin]),
            OkHttpCertificatePinner.Entry(pattern: "*.cdn.example.com", pins: [Self.otherPin]),
        ]
        let pinner = OkHttpCertificatePinner(version: LibraryVersion(4, 12), entries: entries)
        #expect(pinner.isPinned("api.example.com") && pinner.isPinned("a.cdn.example.com"))
        #expect(!pinner.isPinned("example.com"))
    }
}
