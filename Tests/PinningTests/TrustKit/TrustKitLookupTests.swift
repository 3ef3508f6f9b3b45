import Pinning
import Testing
import Wire

/// Which entry a host has, by hand from PS-3.2.
@Suite struct TrustKitLookupTests {
    private static func pinned(_ name: String, subdomains: Bool = true) -> TrustKitDomain {
        TrustKitDomain(publicKeyHashes: [pinText(name), pinText("backup")], includesSubdomains: subdomains)
    }

    private static let policy = TrustKitPolicy(
        configuration: TrustKitConfiguration(domains: [
            "example.com": pinned("example"), "api.example.com": pinned("api"),
            "only.example.org": pinned("only", subdomains: false), "free.example.com": .excluded,
            "example.co.uk": pinned("british"), "amazonaws.com": pinned("cloud"),
        ]), suffixes: FewSuffixes())

    /// The entry that a host has is the one whose pin its key has to be.
    private static func accepts(_ host: String, _ key: String) -> PolicyVerdict.Decision {
        let leaf = keyed(key)
        return policy.evaluate(
            ServerTrust(sent: [leaf], host: HostName(host), spelling: host, time: 1),
            using: FakeEvaluator(platform: valid(leaf), pinned: valid(leaf))
        ).decision
    }

    @Test(
        "PS-3.2: the exact entry, or else the longest that includes subdomains",
        arguments: [
            ("example.com", "example"), ("api.example.com", "api"), ("www.example.com", "example"),
            ("a.b.c.example.com", "example"), ("v1.api.example.com", "api"), ("only.example.org", "only"),
            ("www.example.co.uk", "british"), ("myapi.example.com", "example"),
            // Children of an excluded name fall back to the parent.
            ("below.free.example.com", "example"), ("eu.amazonaws.com", "cloud"),
        ])
    func entry(host: String, key: String) {
        #expect(Self.accepts(host, key) == .accept)
        #expect(Self.accepts(host, "stranger") == .reject)
    }

    @Test(
        "PS-3.2: hosts without an entry",
        arguments: [
            "example.org", "badexample.com", "a.only.example.org", "www.example.uk", "example.com.evil.org",
            "com", "localhost", "192.0.2.1",
            // Letter for letter, and CFNetwork lowers the case as a rule.
            "EXAMPLE.com", "WWW.EXAMPLE.COM",
            // A trailing dot makes another suffix of it.
            "example.com.", "www.example.com.",
            // A private suffix hides the names below it.
            "x.s3.amazonaws.com",
            "free.example.com",
        ])
    func noEntry(host: String) { #expect(Self.accepts(host, "stranger") == .default) }

    @Test("PS-3.2: no host, no entry")
    func noHost() {
        let leaf = keyed("example")
        let verdict = Self.policy.evaluate(
            ServerTrust(sent: [leaf], host: nil, time: 1),
            using: FakeEvaluator(platform: valid(leaf), pinned: valid(leaf)))
        #expect(verdict.reason.kind == .trustKit(.hostNotPinned(nil)))
        #expect(verdict.decision == .default)
    }
}
