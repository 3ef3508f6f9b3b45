import Pinning
import PolicyFiles
import Testing

/// Which hosts a domain's pins are for.
///
/// Each row holds one letter for each host: x where the pins count.
@Suite("C43: the rules of domains differ from library to library")
struct DomainRuleTests {
    /// The domain itself, one label and two below it, the suffix trick, the prefix trick, upper case, a dot at the end,
    /// an address.
    static let hosts = [
        "example.com", "api.example.com", "a.api.example.com", "api.example.com.evil.test", "badexample.com",
        "API.EXAMPLE.COM", "api.example.com.", "192.0.2.1",
    ]

    /// What a server with another key than the pinned one is told.
    private func row(_ file: PolicyFile, _ environment: PolicyEnvironment) throws -> String {
        var row = ""
        for host in Self.hosts {
            let verdict = try file.verdict(on: host, in: environment)
            switch (verdict.decision, verdict.reason.kind) {
            case (.reject, .noPinMatched), (.reject, .pinnedDomains(.leafNotPinned(pins: 1))): row += "x"
            case (.default, _), (.accept, .chainValid): row += "."
            default: row += "?"
            }
        }
        return row
    }

    @Test(
        "C43: OkHttp",
        arguments: [
            ("example.com", "x......."), ("*.example.com", ".x...x.."), ("**.example.com", "xxx..x.."),
            ("api.example.com", ".x...x.."), ("EXAMPLE.com", "x......."), ("192.0.2.1", ".......x"),
        ])
    func okHttp(pattern: String, expected: String) throws {
        let file = try load("{\"\(pattern)\": [\"sha256/\(digest(0xAA))\"]}")
        #expect(try row(file, environment()) == expected)
        #expect(try row(file, environment(.android)) == expected)
    }

    @Test(
        "C43: React Native on Android",
        arguments: [
            ("example.com", false, "x......."), ("example.com", true, "xxx..x.."),
            ("api.example.com", false, ".x...x.."), ("api.example.com", true, ".xx..x.."),
            ("EXAMPLE.com", true, "xxx..x.."), ("192.0.2.1", false, ".......x"),
        ])
    func reactNative(domain: String, includeSubdomains: Bool, expected: String) throws {
        let file = try load(
            """
            {"\(domain)": {"includeSubdomains": \(includeSubdomains), "publicKeyHashes": ["\(digest(0xAA))"]}}
            """)
        #expect(try row(file, environment()) == expected)
    }

    @Test(
        "C43: Android's network security configuration",
        arguments: [
            ("example.com", false, "x......."), ("example.com", true, "xxx..xx."),
            ("api.example.com", false, ".x...xx."), ("api.example.com", true, ".xx..xx."),
            ("EXAMPLE.com", true, "xxx..xx."), ("192.0.2.1", false, ".......x"),
        ])
    func android(domain: String, includeSubdomains: Bool, expected: String) throws {
        #expect(try row(load(Self.android(domain, includeSubdomains)), environment()) == expected)
    }

    @Test(
        "C43: TrustKit for Android before API 24",
        arguments: [
            ("example.com", false, "x......."), ("example.com", true, "xxx....."),
            ("api.example.com", false, ".x......"), ("api.example.com", true, ".xx....."),
            ("badexample.com", true, "....x..."), ("EXAMPLE.com", true, "........"),
        ])
    func trustKitAndroid(domain: String, includeSubdomains: Bool, expected: String) throws {
        let text = Self.android(domain, includeSubdomains).replacing(
            "</domain-config>", with: "<trustkit-config enforcePinning=\"true\"/></domain-config>")
        #expect(try row(load(text), environment(apiLevel: 23)) == expected)
    }

    private static func android(_ domain: String, _ includeSubdomains: Bool) -> String {
        """
        <network-security-config><domain-config>
        <domain includeSubdomains="\(includeSubdomains)">\(domain)</domain>
        <pin-set><pin digest="SHA-256">\(digest(0xAA))</pin><pin digest="SHA-256">\(digest(0xAB))</pin></pin-set>
        </domain-config></network-security-config>
        """
    }

    @Test(
        "C43: TrustKit",
        arguments: [
            ("example.com", false, "x......."), ("example.com", true, "xxx....."),
            ("api.example.com", false, ".x......"), ("api.example.com", true, ".xx....."),
            ("badexample.com", true, "....x..."), ("EXAMPLE.com", true, "........"),
        ])
    func trustKit(domain: String, includeSubdomains: Bool, expected: String) throws {
        let file = try load(
            """
            <plist><dict><key>TSKPinnedDomains</key><dict><key>\(domain)</key><dict>
            <key>TSKIncludeSubdomains</key><\(includeSubdomains)/><key>TSKPublicKeyHashes</key>
            <array><string>\(digest(0xAA))</string><string>\(digest(0xAB))</string></array></dict></dict></dict></plist>
            """)
        #expect(try row(file, environment()) == expected)
    }

    @Test(
        "C43: NSPinnedDomains",
        arguments: [
            ("example.com", false, "x......."), ("example.com", true, "xx...xx."),
            ("api.example.com", false, ".x...xx."), ("api.example.com", true, ".xx..xx."),
            ("EXAMPLE.com", true, "xx...xx."), ("192.0.2.1", false, ".......x"),
        ])
    func pinnedDomains(domain: String, includesSubdomains: Bool, expected: String) throws {
        let file = try load(
            """
            <plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>\(domain)</key>
            <dict><key>NSIncludesSubdomains</key><\(includesSubdomains)/><key>NSPinnedLeafIdentities</key><array><dict>
            <key>SPKI-SHA256-BASE64</key><string>\(digest(0xAA))</string></dict></array></dict></dict></dict></dict></plist>
            """)
        #expect(try row(file, environment()) == expected)
    }

    @Test(
        "C43: Alamofire compares hosts letter by letter",
        arguments: [
            ("example.com", "x......."), ("*.example.com", "........"), ("api.example.com", ".x......"),
            ("API.EXAMPLE.COM", ".....x.."), ("api.example.com.", "......x."), ("192.0.2.1", ".......x"),
        ])
    func alamofire(host: String, expected: String) throws {
        let beside = ["certs/a.cer": try pinnedCertificate()]
        let evaluators = try load(
            """
            {"library": "alamofire", "allHostsMustBeEvaluated": false, "certificates": "certs",
             "evaluators": {"\(host)": "PublicKeysTrustEvaluator"}}
            """, beside: beside)
        #expect(try row(evaluators, environment()) == expected)
        let policies = try load(
            """
            {"library": "alamofire", "certificates": "certs", "policies": {"\(host)": "pinPublicKeys"}}
            """, beside: beside)
        #expect(try row(policies, environment()) == expected)
    }
}
