import Pinning
import Testing
import Wire

@Suite struct UrllibFingerprintTests {
    /// "leaf" and as many tildes as the digest takes.
    private static let sha256 = "6c656166" + String(repeating: "7e", count: 28)
    private static let sha1 = "6c656166" + String(repeating: "7e", count: 16)
    private static let md5 = "6c656166" + String(repeating: "7e", count: 12)

    private func verdict(
        _ fingerprint: String, verifies: Bool = true, sent: [CertificateFacts] = Minted.sent,
        path: TrustResult = valid(Minted.leaf, Minted.intermediate, Minted.root)
    ) -> PolicyVerdict {
        UrllibFingerprintPolicy(fingerprint: fingerprint, verifiesChain: verifies).evaluate(
            Minted.server(sent), using: FakeEvaluator(platform: path, pinned: invalid(.noAnchor)))
    }

    @Test(
        "PS-10-6: the length picks MD5, SHA-1 or SHA-256; colons and case do not matter",
        arguments: [
            sha256, sha1, md5, sha256.uppercased(), "6C:65:61:66" + String(repeating: ":7e", count: 12),
            "::" + md5 + ":",
        ])
    func matches(fingerprint: String) {
        let verdict = verdict(fingerprint)
        #expect(verdict.decision == .accept)
        let match = PinMatch(pin: fingerprint, certificate: Minted.leaf, depth: 0)
        #expect(verdict.reason == PolicyReason(.pinMatched(match), rule: RuleID("PS-10-6")))
        let other = fingerprint.replacing("6", with: "7", maxReplacements: 1)
        #expect(self.verdict(other).reason == PolicyReason(.fingerprintDiffers, rule: RuleID("PS-10-6")))
        #expect(self.verdict(other).decision == .reject)
    }

    @Test(
        "PS-10-6: another length or what is no hexadecimal is an exception",
        arguments: [
            String(sha256.dropLast(2)), "6c656166", String(repeating: "z", count: 64), sha256 + "00", ":",
            " " + md5.dropFirst(),
        ])
    func exceptions(fingerprint: String) {
        let policy = UrllibFingerprintPolicy(fingerprint: fingerprint)
        #expect(verdict(fingerprint).decision == .configError)
        #expect(verdict(fingerprint, verifies: false).decision == .configError)
        guard case .invalidConfiguration(let fault) = policy.configurationProblem?.kind else {
            Issue.record("no problem")
            return
        }
        #expect(fault == ConfigurationFault(.invalidFingerprint(fingerprint), rule: RuleID("PS-10-6")))
        #expect(UrllibFingerprintPolicy(fingerprint: Self.md5).configurationProblem == nil)
    }

    @Test("PS-10-6: of the leaf only")
    func leafOnly() {
        #expect(verdict(Self.sha256, sent: [Minted.intermediate, Minted.leaf]).decision == .reject)
        #expect(verdict(Self.sha256, verifies: false, sent: []).decision == .reject)
    }

    @Test("PS-10-6: it stands in the place of the host; the chain counts unless CERT_NONE leaves it out")
    func replacesHost() {
        let evaluator = FakeEvaluator(platform: valid(Minted.leaf), pinned: valid(Minted.leaf))
        _ = UrllibFingerprintPolicy(fingerprint: Self.sha256).evaluate(Minted.server(time: 3), using: evaluator)
        _ = UrllibFingerprintPolicy(fingerprint: "", authorities: [Minted.root])
            .evaluate(Minted.server(time: 3), using: evaluator)
        _ = UrllibFingerprintPolicy(fingerprint: Self.sha256, verifiesChain: false)
            .evaluate(Minted.server(time: 3), using: evaluator)
        #expect(
            evaluator.questions == [
                .init(policy: .openssl(host: nil), anchors: nil, anchorsOnly: false, sent: Minted.sent, time: 3),
                .init(
                    policy: .openssl(host: HostName("api.example.com")), anchors: [Minted.root], anchorsOnly: true,
                    sent: Minted.sent, time: 3),
            ])
        let bad = invalid(.noAnchor, Minted.leaf)
        #expect(verdict(Self.sha256, path: bad).decision == .reject)
        let alone = verdict(Self.sha256, verifies: false, path: bad)
        #expect(alone.decision == .accept)
        #expect(alone.reason.kind == .pinMatchedAlone(PinMatch(pin: Self.sha256, certificate: Minted.leaf, depth: 0)))
    }

    @Test("PS-10-6: an authority that has not signed itself only links, unless partial chains are accepted")
    func partialChains() {
        let evaluator = FakeEvaluator(platform: valid(Minted.leaf), pinned: valid(Minted.leaf))
        for accepts in [false, true] {
            _ = UrllibFingerprintPolicy(
                fingerprint: Self.sha256, authorities: [Minted.intermediate, Minted.root], acceptsPartialChains: accepts
            ).evaluate(Minted.server([Minted.leaf], time: 3), using: evaluator)
        }
        #expect(
            evaluator.questions == [
                .init(
                    policy: .openssl(host: nil), anchors: [Minted.root], anchorsOnly: true,
                    sent: [Minted.leaf, Minted.intermediate], time: 3),
                .init(
                    policy: .openssl(host: nil), anchors: [Minted.intermediate, Minted.root], anchorsOnly: true,
                    sent: [Minted.leaf], time: 3),
            ])
    }

    @Test("PS-10-6: an empty fingerprint is none")
    func empty() {
        #expect(UrllibFingerprintPolicy(fingerprint: "").configurationProblem == nil)
        #expect(verdict("").reason.kind == .chainValid)
        #expect(verdict("", verifies: false, path: invalid(.noAnchor)).reason.kind == .anythingAllowed)
        #expect(verdict("", path: invalid(.noAnchor)).decision == .reject)
    }
}
