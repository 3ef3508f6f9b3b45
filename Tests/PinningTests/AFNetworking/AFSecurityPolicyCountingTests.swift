import Pinning
import Testing
import Wire

/// How `AFSecurityPolicy` counts from 2.2.4 to 2.5.4, by hand from PS-1.1-5 and PS-1.2, and patched as in PS-11-8.
@Suite struct AFSecurityPolicyCountingTests {
    static let leaf = certificate("leaf")
    static let middle = certificate("middle")
    static let root = certificate("root")

    struct Row: Sendable, CustomStringConvertible {
        var rule: String
        var mode: AFSecurityPolicy.Mode
        var pins: [CertificateFacts] = []
        var allowInvalid = false
        var validatesChain = true
        var isPatched = false
        var before: TrustResult
        var pinned = invalid(.noAnchor)
        var decision: PolicyVerdict.Decision
        var why: String

        var description: String { "\(rule): \(why)" }
    }

    static let rows: [Row] = [
        // PS-1.1-5: validity. There is no rule G yet.
        Row(rule: "PS-1.1-5", mode: .none, before: valid(leaf, root), decision: .accept, why: "valid chain"),
        Row(
            rule: "PS-1.1-5", mode: .none, before: invalid(.noAnchor, leaf), decision: .reject, why: "unanchored chain"),
        Row(
            rule: "PS-1.1-5", mode: .none, allowInvalid: true, before: invalid(.noAnchor, leaf), decision: .accept,
            why: "mode none with invalid certificates allowed takes anything, whatever the name"),
        Row(
            rule: "PS-1.1-5", mode: .certificate, pins: [leaf, root], before: invalid(.expired, leaf, root),
            pinned: valid(leaf), decision: .reject, why: "not valid before the pins are looked at"),

        // PS-1.2-1: certificates.
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [leaf, root], before: valid(leaf, root),
            pinned: valid(leaf), decision: .accept, why: "every certificate of the path is pinned"),
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [leaf], before: valid(leaf, root), pinned: valid(leaf),
            decision: .reject, why: "the root is not pinned"),
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [root], before: valid(leaf, root), pinned: valid(leaf, root),
            decision: .reject, why: "the leaf is not pinned"),
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [root], allowInvalid: true, before: invalid(.noAnchor, leaf),
            pinned: valid(leaf, root), decision: .reject,
            why: "a private root that is not sent is not on the path that is counted"),
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [leaf], allowInvalid: true, before: invalid(.expired, leaf),
            pinned: invalid(.expired, leaf), decision: .reject, why: "expiry counts even if invalid ones are allowed"),
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [root], validatesChain: false, before: valid(leaf, root),
            pinned: valid(leaf, root), decision: .accept, why: "without the chain's validation nothing is counted"),

        // PS-1.2-2: keys.
        Row(
            rule: "PS-1.2-2", mode: .publicKey, pins: [leaf, root], before: valid(leaf, root), decision: .accept,
            why: "every key of the path is pinned"),
        Row(
            rule: "PS-1.2-2", mode: .publicKey, pins: [root], before: valid(leaf, root), decision: .reject,
            why: "one key of two"),
        Row(
            rule: "PS-1.2-2", mode: .publicKey, pins: [leaf, certificate("renewed", key: "leaf")],
            before: valid(leaf, root), decision: .accept, why: "pairs are counted: two pins with one key are two"),
        Row(
            rule: "PS-1.2-2", mode: .publicKey, pins: [leaf, root, certificate("renewed", key: "leaf")],
            before: valid(leaf, root), decision: .reject, why: "and may be one too many"),
        Row(
            rule: "PS-1.2-2", mode: .publicKey, pins: [leaf], validatesChain: false, before: valid(leaf, root),
            decision: .accept, why: "the leaf's key alone"),
        Row(
            rule: "PS-1.2-2", mode: .publicKey, pins: [root], validatesChain: false, before: valid(leaf, root),
            decision: .reject, why: "and only the leaf's"),
        Row(
            rule: "PS-1.2-2", mode: .publicKey, pins: [leaf, root], allowInvalid: true,
            before: invalid(.expired, leaf, root), decision: .accept, why: "the path need not be valid"),

        // PS-11-8: the patch.
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [root], isPatched: true, before: valid(leaf, root),
            pinned: valid(leaf, root), decision: .accept, why: "patched: one of two"),
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [root], isPatched: true, before: valid(leaf, middle, root),
            pinned: valid(leaf, middle, root), decision: .reject, why: "patched: one of three"),
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [middle, root], isPatched: true,
            before: valid(leaf, middle, root), pinned: valid(leaf, middle), decision: .accept,
            why: "patched: two of three"),
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [leaf, root], isPatched: true, before: valid(leaf, root),
            pinned: valid(leaf), decision: .reject, why: "patched: all of them are one too many"),
        Row(
            rule: "PS-1.2-1", mode: .certificate, pins: [leaf], isPatched: true, before: valid(leaf),
            pinned: valid(leaf), decision: .reject, why: "patched: a self-signed certificate cannot be pinned"),
        Row(
            rule: "PS-1.2-2", mode: .publicKey, pins: [root], isPatched: true, before: valid(leaf, middle, root),
            decision: .accept, why: "patched: one key is enough"),
        Row(
            rule: "PS-1.2-2", mode: .publicKey, pins: [certificate("stranger")], isPatched: true,
            before: valid(leaf, root), decision: .reject, why: "patched: none is not"),
    ]

    @Test(arguments: rows) func decidesAsTheTableSays(_ row: Row) {
        // The counts are the same from 2.2.4 on; the steps before them are those of 2.5.2.
        let earlier = [
            LibraryVersion(2, 2, 4), LibraryVersion(2, 4, 1), LibraryVersion(2, 5, 0), LibraryVersion(2, 5, 1),
        ]
        let later = [LibraryVersion(2, 5, 2), LibraryVersion(2, 5, 3), LibraryVersion(2, 5, 4)]
        for version in row.rule == "PS-1.1-5" ? later : earlier + later {
            let policy = AFSecurityPolicy(
                version: version, mode: row.mode, pins: row.pins.map { .init(name: $0.subject, certificate: $0) },
                allowInvalidCertificates: row.allowInvalid, validatesCertificateChain: row.validatesChain,
                isPatched: row.isPatched)
            let verdict = policy.evaluate(
                ServerTrust(sent: [Self.leaf], host: HostName("api.example.com"), time: 1),
                using: FakeEvaluator(platform: row.before, pinned: row.pinned))
            #expect(verdict.decision == row.decision, "\(version)")
            #expect(verdict.reason.rule.description == row.rule, "\(version)")
        }
    }

    @Test("PS-11-8: the app's anchors count beside the platform's, until the library replaces them by the pins")
    func anchors() {
        let evaluator = FakeEvaluator(platform: invalid(.noAnchor), pinned: valid(Self.leaf, Self.root))
        let policy = AFSecurityPolicy(
            version: LibraryVersion(2, 5, 3),
            mode: .certificate, pins: [.init(name: "ca.cer", certificate: Self.root)], validatesDomainName: false,
            isPatched: true, anchorsBefore: [Self.root])
        let sent = [Self.leaf]
        let verdict = policy.evaluate(ServerTrust(sent: sent, host: nil, time: 9), using: evaluator)
        #expect(verdict.decision == .accept)
        #expect(
            evaluator.questions == [
                .init(policy: .basicX509, anchors: [Self.root], anchorsOnly: false, sent: sent, time: 9),
                .init(policy: .basicX509, anchors: [Self.root], anchorsOnly: true, sent: sent, time: 9),
            ])
    }

    @Test("PS-1.4: a pin that is no certificate is an exception in certificate mode, once it is reached")
    func brokenPin() {
        let policy = AFSecurityPolicy(
            version: LibraryVersion(2, 5, 3),
            mode: .certificate,
            pins: [.init(name: "root.cer", certificate: Self.root), .init(name: "pem.cer", certificate: nil)])
        let verdict = policy.evaluate(
            ServerTrust(sent: [Self.leaf], host: nil, time: 1),
            using: FakeEvaluator(platform: valid(Self.leaf, Self.root), pinned: valid(Self.leaf, Self.root)))
        #expect(verdict.decision == .configError)
        #expect(verdict.reason == PolicyReason(.unusablePin(name: "pem.cer"), rule: RuleID("PS-1.4")))
    }
}
