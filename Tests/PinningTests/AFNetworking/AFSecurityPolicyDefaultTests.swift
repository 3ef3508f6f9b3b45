import Pinning
import Testing
import Wire

/// What an app gets that sets nothing, and what becomes of its files.
@Suite struct AFSecurityPolicyDefaultTests {
    private let leaf = certificate("leaf", summary: "api.example.com")

    private func pin(_ certificate: CertificateFacts?, _ name: String = "pin.cer") -> CertificatePin {
        CertificatePin(name: name, certificate: certificate)
    }

    // The columns: mode none by defaultPolicy, by policyWithPinningMode:; mode certificate by either.
    @Test(
        "PS-1.1: whether names are validated by default",
        arguments: [
            ("2.1.0", [false, true, false, true]), ("2.2.4", [false, true, false, true]),
            ("2.4.1", [false, true, false, true]), ("2.5.0", [false, false, true, true]),
            ("2.5.2", [false, false, true, true]), ("2.5.3", [true, true, true, true]),
            ("3.0.0", [true, true, true, true]), ("4.0.1", [true, true, true, true]),
        ])
    func validatesDomainName(text: String, expected: [Bool]) throws {
        let version = try #require(LibraryVersion(text))
        var seen: [Bool] = []
        for mode in [AFSecurityPolicy.Mode.none, .certificate] {
            for construction in [AFSecurityPolicy.Construction.defaultPolicy, .policyWithPinningMode] {
                seen.append(
                    AFSecurityPolicy(version: version, mode: mode, construction: construction).validatesDomainName)
            }
        }
        #expect(seen == expected)
    }

    @Test("PS-1.1: the usual way is defaultPolicy to pin nothing and policyWithPinningMode: otherwise")
    func usualConstruction() {
        let version = LibraryVersion(2, 4, 1)
        #expect(!AFSecurityPolicy(version: version).validatesDomainName)
        #expect(AFSecurityPolicy(version: version, mode: .publicKey).validatesDomainName)
        #expect(!AFSecurityPolicy(version: version, mode: .publicKey, validatesDomainName: false).validatesDomainName)
        #expect(AFSecurityPolicy(version: version).validatesCertificateChain)
    }

    @Test("PS-1.4: only files named .cer are found", arguments: ["pin.cer", "a.b.cer"])
    func files(name: String) { #expect(AFSecurityPolicy.loads(fileNamed: name)) }

    @Test(
        "PS-1.4: files of other names are not found",
        arguments: ["pin.CER", "pin.crt", "pin.der", "pin.cer.txt", "cer"])
    func otherFiles(name: String) { #expect(!AFSecurityPolicy.loads(fileNamed: name)) }

    @Test("PS-1.4: duplicates are dropped from 2.6.0 on", arguments: [("2.5.4", 3), ("2.6.0", 2), ("4.0.1", 2)])
    func duplicates(text: String, count: Int) throws {
        let policy = AFSecurityPolicy(
            version: try #require(LibraryVersion(text)), mode: .certificate,
            pins: [pin(leaf, "a.cer"), pin(certificate("other"), "b.cer"), pin(leaf, "c.cer")])
        #expect(policy.loadedPins.count == count)
        #expect(policy.loadedPins.map(\.name).prefix(2) == ["a.cer", "b.cer"])
    }

    @Test(
        "PS-1.4: up to 2.2.3 a pin that is no certificate crashes the app in every mode", arguments: ["2.0.0", "2.2.3"])
    func crashes(text: String) throws {
        let version = try #require(LibraryVersion(text))
        let expected = PolicyReason(.unusablePin(name: "pem.cer"), rule: RuleID("PS-1.4"))
        for mode in AFSecurityPolicy.Mode.allCases {
            let policy = AFSecurityPolicy(version: version, mode: mode, pins: [pin(leaf), pin(nil, "pem.cer")])
            #expect(policy.configurationProblem == expected)
            let verdict = policy.evaluate(
                ServerTrust(sent: [leaf], host: nil, time: 1),
                using: FakeEvaluator(platform: valid(leaf), pinned: valid(leaf)))
            #expect(verdict == PolicyVerdict(.configError, expected))
        }
    }

    @Test("PS-1.4: from 2.2.4 on it is skipped in public-key mode")
    func skipped() {
        let policy = AFSecurityPolicy(
            version: LibraryVersion(2, 2, 4), mode: .publicKey, pins: [pin(nil, "pem.cer"), pin(leaf)])
        #expect(policy.configurationProblem == nil)
        let verdict = policy.evaluate(
            ServerTrust(sent: [leaf], host: nil, time: 1),
            using: FakeEvaluator(platform: valid(leaf), pinned: invalid(.noAnchor)))
        #expect(verdict.decision == .accept)
    }

    @Test(
        "PS-0.5-3: label by label, and an asterisk on either side stands for any",
        arguments: [
            ("api.example.com", "api.example.com", true), ("API.Example.com", "api.example.COM", true),
            ("*.example.com", "api.example.com", true), ("api.*.com", "api.example.com", true),
            ("*.*.*", "api.example.com", true), ("api.example.com", "*.example.com", true),
            ("*", "localhost", true), ("example.com", "api.example.com", false),
            ("*.example.com", "a.api.example.com", false), ("*.com", "api.example.com", false),
            ("a*.example.com", "api.example.com", false), ("api.example.com", "api.example.com.", false),
            ("Example API", "api.example.com", false), ("", "api.example.com", false),
        ])
    func subjectSummary(summary: String, host: String, matches: Bool) {
        #expect(SubjectSummaryMatch.summary(summary, matches: host) == matches)
    }

    @Test("PS-0.5-3: the refusal names both")
    func summaryReason() {
        let policy = AFSecurityPolicy(
            version: LibraryVersion(2, 2, 3), mode: .certificate, pins: [pin(leaf)], validatesCertificateChain: false)
        let verdict = policy.evaluate(
            ServerTrust(sent: [leaf], host: HostName("www.example.com"), time: 1),
            using: FakeEvaluator(platform: valid(leaf), pinned: invalid(.noAnchor)))
        #expect(
            verdict.reason.description
                == "the library compares the subject, api.example.com, with www.example.com, and they differ (PS-0.5-3)"
        )
    }
}
