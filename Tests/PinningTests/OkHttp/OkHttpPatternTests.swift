import Pinning
import Testing

/// Which hosts a pattern is for, in each release that reads it differently.
@Suite struct OkHttpPatternTests {
    struct Row: Sendable, CustomStringConvertible {
        var pattern: String
        var host: String
        /// In each of `versions`, in this order: y is pinned, n is not, x throws.
        var expected: String

        var description: String { "\(pattern) for \(host): \(expected)" }
    }

    static let versions = [
        LibraryVersion(2, 7), LibraryVersion(3, 3), LibraryVersion(3, 8, 1), LibraryVersion(3, 9), LibraryVersion(4, 2),
        LibraryVersion(4, 3), LibraryVersion(5, 4),
    ]

    static let rows: [Row] = [
        Row(pattern: "example.com", host: "example.com", expected: "yyyyyyy"),
        Row(pattern: "example.com", host: "api.example.com", expected: "nnnnnnn"),
        // One label, and no more.
        Row(pattern: "*.example.com", host: "api.example.com", expected: "yyyyyyy"),
        Row(pattern: "*.example.com", host: "a.api.example.com", expected: "nnnnnnn"),
        Row(pattern: "*.example.com", host: "example.com", expected: "nnnnnnn"),
        Row(pattern: "*.example.com", host: "notexample.com", expected: "nnnnnnn"),
        // 3.2 to 3.8 compare without regard to the length.
        Row(pattern: "*.foo.com", host: "bar.foo.com.evil.com", expected: "nyynnnn"),
        // What follows the first dot is everything where there is none.
        Row(pattern: "*.localhost", host: "localhost", expected: "nyyyynn"),
        // The oldest ones look wildcards up only for hosts with two dots.
        Row(pattern: "*.com", host: "example.com", expected: "nyyyyyy"),
        Row(pattern: "*.example.com", host: ".example.com", expected: "yyyyyyy"),
        // Any depth, none included, since 4.3; before it is text.
        Row(pattern: "**.example.com", host: "example.com", expected: "nnnnnyy"),
        Row(pattern: "**.example.com", host: "api.example.com", expected: "nnnnnyy"),
        Row(pattern: "**.example.com", host: "a.b.api.example.com", expected: "nnnnnyy"),
        Row(pattern: "**.example.com", host: "notexample.com", expected: "nnnnnnn"),
        // Asterisks elsewhere.
        Row(pattern: "api.*.com", host: "api.example.com", expected: "nnnnnxx"),
        Row(pattern: "*", host: "example.com", expected: "nnnnnxx"),
        Row(pattern: "*.*.com", host: "api.example.com", expected: "nnnnnxx"),
        Row(pattern: "***.example.com", host: "api.example.com", expected: "nnnnnxx"),
        // Canonical since 3.4.
        Row(pattern: "API.Example.COM", host: "api.example.com", expected: "nnyyyyy"),
        Row(pattern: "*.Example.COM", host: "api.example.com", expected: "nnyyyyy"),
        Row(pattern: "bücher.example", host: "xn--bcher-kva.example", expected: "nnyyyyy"),
        Row(pattern: "*.BÜCHER。example", host: "a.xn--bcher-kva.example", expected: "nnyyyyy"),
        Row(pattern: "ليهمابتكلموشعربي؟.example", host: "xn--egbpdaj6bu4bxfgehfvwxn.example", expected: "nnyyyyy"),
        Row(pattern: "[2001:DB8::0:1]", host: "2001:db8::1", expected: "nnyyyyy"),
        Row(pattern: "2001:DB8::0:1", host: "2001:db8::1", expected: "nnxxxyy"),
        // 3.4 to 4.2 put it behind "http://" and take the URL's host.
        Row(pattern: "example.com:8443", host: "example.com", expected: "nnyyyxx"),
        Row(pattern: "[2001:DB8::0:1]:443", host: "2001:db8::1", expected: "nnyyyxx"),
        Row(pattern: "example.com:", host: "example.com", expected: "nnyyyxx"),
        Row(pattern: "example.com:0", host: "example.com", expected: "nnxxxxx"),
        Row(pattern: "*.example.com/v1", host: "api.example.com", expected: "nnyyyxx"),
        Row(pattern: "me@example.com", host: "example.com", expected: "nnyyyxx"),
        Row(pattern: "https://example.com", host: "example.com", expected: "nnnnnxx"),
        // Nothing is the beginning of everything.
        Row(pattern: "*.", host: "example.com", expected: "nyxxxxx"),
        Row(pattern: "", host: "example.com", expected: "nnxxxxx"),
        Row(pattern: "a..example.com", host: "a.example.com", expected: "nnxxxxx"),
        Row(pattern: "api v1.example.com", host: "api.example.com", expected: "nnxxxxx"),
        // A dot at the end is another text (PS-4-3).
        Row(pattern: "example.com", host: "example.com.", expected: "nnnnnnn"),
        Row(pattern: "example.com.", host: "example.com.", expected: "yyyyyyy"),
        Row(pattern: "**.example.com", host: "api.example.com.", expected: "nnnnnnn"),
    ]

    @Test("PS-4-2: what a pattern is for, by release", arguments: rows)
    func patterns(row: Row) {
        let leaf = minted("leaf", by: Minted.intermediate, names: [row.host, "*.evil.com", "[2001:db8::1]"])
        let trusted = FakeEvaluator(
            platform: valid(leaf, Minted.intermediate), pinned: valid(leaf, Minted.intermediate))
        var found = ""
        for version in Self.versions {
            let pinner = OkHttpCertificatePinner(
                version: version, entries: [.init(pattern: row.pattern, pins: ["sha1/AAAA"])])
            if let problem = pinner.configurationProblem {
                #expect(
                    problem
                        == PolicyReason(
                            .invalidConfiguration(
                                ConfigurationFault(.invalidPattern(row.pattern), rule: RuleID("PS-4-2"))),
                            rule: RuleID("PS-4-2")))
                found += "x"
            } else {
                // The pinner is asked directly: no certificate can be for a host that begins with a dot.
                let pinned = pinner.isPinned(row.host)
                found += pinned ? "y" : "n"
                guard !row.host.hasPrefix("."), !row.host.contains("evil") else { continue }
                let verdict = pinner.evaluate(Minted.server([leaf], host: row.host), using: trusted)
                #expect(verdict.decision == (pinned ? .reject : .default))
            }
        }
        #expect(found == row.expected)
    }

    @Test("PS-4-3: a host with a dot at its end is not pinned, though its certificate is for it")
    func trailingDot() {
        let pinner = OkHttpCertificatePinner(
            version: LibraryVersion(3, 13, 1), entries: [.init(pattern: "api.example.com", pins: ["sha256/AAAA"])])
        let dotted = pinner.evaluate(Minted.server(host: "api.example.com."), using: Minted.platform)
        #expect(dotted.decision == .default)
        #expect(dotted.reason == PolicyReason(.hostNotPinned("api.example.com."), rule: RuleID("PS-4-3")))
        let plain = pinner.evaluate(Minted.server(host: "api.example.com"), using: Minted.platform)
        #expect(plain.reason == PolicyReason(.noPinMatched, rule: RuleID("PS-4-4")))
        // The URL is canonical, so that case never matters.
        let loud = pinner.evaluate(Minted.server(host: "API.example.com"), using: Minted.platform)
        #expect(loud.decision == .reject)
    }
}
