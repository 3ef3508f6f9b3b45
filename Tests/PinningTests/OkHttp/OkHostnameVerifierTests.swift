import Pinning
import Testing

@Suite struct OkHostnameVerifierTests {
    struct Row: Sendable, CustomStringConvertible {
        var name: String
        var host: String
        var isFor: Bool

        init(_ name: String, _ host: String, _ isFor: Bool) { (self.name, self.host, self.isFor) = (name, host, isFor) }

        var description: String { "\(name) \(isFor ? "is" : "is not") for \(host)" }
    }

    static let rows = [
        Row("example.com", "example.com", true), Row("Example.COM", "eXample.com", true),
        Row("example.com", "api.example.com", false), Row("api.example.com", "example.com", false),
        // A dot at the end of either side is as good as none.
        Row("example.com", "example.com.", true), Row("example.com.", "example.com", true),
        Row("*.example.com", "api.example.com.", true), Row("example.com", "example.com..", false),
        Row(".example.com", "example.com", false), Row("example.com", ".example.com", false), Row("", "", false),
        // One whole left-most label.
        Row("*.example.com", "api.example.com", true), Row("*.example.com", "a.b.example.com", false),
        Row("*.example.com", "example.com", false), Row("*.example.com", ".example.com", false),
        Row("a*.example.com", "api.example.com", false), Row("api.*.com", "api.example.com", false),
        Row("*.*.com", "api.example.com", false), Row("*", "localhost", false), Row("*.", "localhost", false),
        // No list of public suffixes.
        Row("*.com", "example.com", true),
        Row("bücher.example", "bücher.example", false), Row("xn--bcher-kva.example", "xn--bcher-kva.example", true),
        // Addresses are compared as such, with iPAddress names only.
        Row("[192.0.2.1]", "192.0.2.1", true), Row("[192.0.2.1]", "192.0.2.2", false),
        Row("192.0.2.1", "192.0.2.1", false), Row("[2001:db8::1]", "2001:DB8:0::1", true),
        Row("[::ffff:192.0.2.1]", "192.0.2.1", true), Row("[192.0.2.1]", "api.example.com", false),
    ]

    @Test("PS-0.5-2: which names are for which hosts", arguments: rows)
    func covers(row: Row) {
        #expect(OkHostnameVerifier.accepts(minted("leaf", names: [row.name]), for: row.host) == row.isFor)
    }

    @Test("PS-0.5-2: only alternative names count, and any of them does")
    func anyName() {
        #expect(!OkHostnameVerifier.accepts(minted("api.example.com"), for: "api.example.com"))
        let many = minted("leaf", names: ["other.example", "api.example.com"])
        #expect(OkHostnameVerifier.accepts(many, for: "api.example.com"))
    }

    @Test("PS-0.5-2: a pinned certificate of another host is refused before its pins are looked at")
    func beforePins() {
        let pinner = OkHttpCertificatePinner(
            version: LibraryVersion(4, 12),
            entries: [.init(pattern: "**.example.com", pins: ["sha256/" + digestText("leaf")])])
        let verdict = pinner.evaluate(Minted.server(host: "www.example.com"), using: Minted.platform)
        #expect(verdict.decision == .reject)
        #expect(verdict.reason == PolicyReason(.hostMismatch("www.example.com"), rule: RuleID("PS-0.5-2")))
        #expect(pinner.evaluate(Minted.server(host: nil), using: Minted.platform).decision == .reject)
    }
}
