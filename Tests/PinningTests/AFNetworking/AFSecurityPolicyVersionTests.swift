import Pinning
import Testing
import Wire

/// The decisions of each band of `AFSecurityPolicy`'s releases, by hand from PS-1.1.
@Suite struct AFSecurityPolicyVersionTests {
    static let leaf = certificate("leaf", summary: "api.example.com")
    static let root = certificate("root")
    static let stranger = certificate("stranger")

    static let pinsAlone = ["2.0.0", "2.0.3"]
    static let firstOwnNames = ["2.1.0"]
    static let laterOwnNames = ["2.2.0", "2.2.3"]
    static let counts = ["2.2.4", "2.3.1", "2.4.1", "2.5.0"]
    static let countsAgain = ["2.5.2", "2.5.4"]
    static let anyPinBefore = ["2.6.0", "2.6.3", "2.7.0"]
    static let anyPinAfter = ["3.0.0", "3.2.1", "4.0.0", "4.0.1"]

    struct Row: Sendable, CustomStringConvertible {
        var rule: String
        var versions: [String]
        var mode: AFSecurityPolicy.Mode
        var pins: [CertificateFacts] = []
        var allowInvalid = false
        var validatesDomain = true
        var validatesChain = true
        var host: String? = "api.example.com"
        var before: TrustResult
        var pinned = invalid(.noAnchor)
        var decision: PolicyVerdict.Decision
        var why: String

        var description: String { "\(rule) \(versions[0]): \(why)" }
    }

    static let rows: [Row] = [
        // PS-1.1-1: mode none is the platform's answer; the pinned modes look at nothing but the path.
        Row(
            rule: "PS-1.1-1", versions: pinsAlone, mode: .none, before: valid(leaf, root), decision: .accept,
            why: "a valid chain"),
        Row(
            rule: "PS-1.1-1", versions: pinsAlone, mode: .none, before: invalid(.noAnchor, leaf), decision: .reject,
            why: "an unanchored chain"),
        Row(
            rule: "PS-1.1-1", versions: pinsAlone, mode: .none, allowInvalid: true, before: invalid(.noAnchor, leaf),
            decision: .accept, why: "any certificate is allowed"),
        Row(
            rule: "PS-1.1-1", versions: pinsAlone, mode: .certificate, pins: [leaf],
            before: invalid(.expired, leaf, root), decision: .accept, why: "a pinned certificate that has expired"),
        Row(
            rule: "PS-1.1-1", versions: pinsAlone, mode: .certificate, pins: [root],
            before: invalid(.hostMismatch, leaf, root), decision: .accept, why: "a pinned authority, for any host"),
        Row(
            rule: "PS-1.1-1", versions: pinsAlone, mode: .certificate, pins: [stranger], before: valid(leaf, root),
            decision: .reject, why: "a valid chain without the pin"),
        Row(
            rule: "PS-1.1-1", versions: pinsAlone, mode: .certificate, pins: [certificate("renewed", key: "leaf")],
            before: valid(leaf, root), decision: .reject, why: "the bytes are compared, not the key"),
        Row(
            rule: "PS-1.1-1", versions: pinsAlone, mode: .publicKey, pins: [certificate("renewed", key: "leaf")],
            before: invalid(.noAnchor, leaf), decision: .accept, why: "a pinned key, on a path to nowhere"),
        Row(
            rule: "PS-1.1-1", versions: pinsAlone, mode: .publicKey, pins: [root], before: invalid(.noAnchor, leaf),
            decision: .reject, why: "a key that is not on the path"),

        // PS-1.1-2: validity first, from 2.2.0 on unless any certificate is allowed.
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .none, allowInvalid: true,
            before: invalid(.noAnchor, leaf), decision: .accept, why: "mode none, any certificate is allowed"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .none, before: invalid(.noAnchor, leaf),
            decision: .reject, why: "an unanchored chain"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .none, before: valid(leaf, root),
            decision: .accept, why: "a valid chain"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames, mode: .certificate, pins: [leaf], allowInvalid: true,
            before: invalid(.noAnchor, leaf), decision: .reject, why: "2.1.0 refuses invalid chains whatever is allowed"
        ),
        Row(
            rule: "PS-1.1-2", versions: laterOwnNames, mode: .certificate, pins: [leaf], allowInvalid: true,
            before: invalid(.noAnchor, leaf), decision: .accept, why: "2.2.0 does not"),
        Row(
            rule: "PS-1.1-2", versions: laterOwnNames, mode: .certificate, pins: [leaf],
            before: invalid(.noAnchor, leaf), decision: .reject, why: "unless it is told to"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .certificate, pins: [leaf, root],
            before: valid(leaf, root), decision: .accept, why: "every certificate is pinned"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .certificate, pins: [leaf],
            before: valid(leaf, root), decision: .reject, why: "the root is not"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .certificate, pins: [leaf],
            validatesChain: false, before: valid(leaf, root), decision: .accept, why: "the leaf alone"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .certificate, pins: [root],
            validatesChain: false, before: valid(leaf, root), decision: .reject, why: "and only the leaf"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .publicKey, pins: [leaf, root],
            before: valid(leaf, root), decision: .accept, why: "every key is pinned"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .publicKey, pins: [root],
            before: valid(leaf, root), decision: .reject, why: "one key of two"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .publicKey, pins: [root],
            validatesChain: false, before: valid(leaf, root), decision: .reject, why: "only the leaf's key counts"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames + laterOwnNames, mode: .publicKey, pins: [leaf],
            validatesChain: false, before: valid(leaf, root), decision: .accept, why: "the leaf's key"),

        // PS-0.5-3: the name, by the subject's summary, where a pin matched.
        Row(
            rule: "PS-0.5-3", versions: laterOwnNames, mode: .certificate, pins: [leaf], validatesChain: false,
            host: "www.example.com", before: valid(leaf, root), decision: .reject, why: "another host"),
        Row(
            rule: "PS-0.5-3", versions: laterOwnNames, mode: .certificate, pins: [stranger], validatesChain: false,
            before: valid(stranger, root), decision: .reject, why: "no summary"),
        Row(
            rule: "PS-1.1-2", versions: laterOwnNames, mode: .certificate, pins: [leaf], validatesDomain: false,
            validatesChain: false, host: "www.example.com", before: valid(leaf, root), decision: .accept,
            why: "names are not validated"),
        Row(
            rule: "PS-1.1-2", versions: laterOwnNames, mode: .certificate, pins: [leaf], validatesChain: false,
            host: nil, before: valid(leaf, root), decision: .accept, why: "no host is given"),
        Row(
            rule: "PS-1.1-2", versions: laterOwnNames, mode: .none, host: "www.example.com",
            before: valid(leaf, root), decision: .accept, why: "mode none does not come to the name"),
        Row(
            rule: "PS-1.1-2", versions: firstOwnNames, mode: .publicKey, pins: [leaf], validatesChain: false,
            host: "www.example.com", before: valid(leaf, root), decision: .accept,
            why: "2.1.0 returns before it comes to the name"),

        // PS-1.1-3.
        Row(
            rule: "PS-1.1-3", versions: counts, mode: .none, before: valid(leaf, root), decision: .accept,
            why: "a valid chain"),
        Row(
            rule: "PS-1.1-3", versions: counts, mode: .none, before: invalid(.hostMismatch, leaf, root),
            decision: .reject, why: "another host"),
        Row(
            rule: "PS-1.1-3", versions: counts, mode: .none, allowInvalid: true, before: invalid(.noAnchor, leaf),
            decision: .accept, why: "any certificate is allowed, though names are validated"),
        Row(
            rule: "PS-1.1-3", versions: counts, mode: .publicKey, pins: [leaf], before: invalid(.expired, leaf),
            decision: .reject, why: "an expired chain with a pinned key"),

        // PS-1.1-4: the default policy of 2.5.1 looks at nothing.
        Row(
            rule: "PS-1.1-4", versions: ["2.5.1"], mode: .none, before: invalid(.noAnchor, leaf), decision: .accept,
            why: "mode none accepts every certificate"),
        Row(
            rule: "PS-1.1-4", versions: ["2.5.1"], mode: .none, validatesDomain: false,
            before: invalid(.expired, leaf), decision: .accept, why: "whatever the flags"),
        Row(
            rule: "PS-1.1-4", versions: ["2.5.1"], mode: .certificate, pins: [leaf], before: invalid(.noAnchor, leaf),
            pinned: valid(leaf), decision: .reject, why: "the pinned modes do look"),

        // PS-1.1-5.
        Row(
            rule: "PS-1.1-5", versions: countsAgain, mode: .none, before: invalid(.noAnchor, leaf), decision: .reject,
            why: "mode none looks again"),
        Row(
            rule: "PS-1.1-5", versions: countsAgain, mode: .none, allowInvalid: true,
            before: invalid(.noAnchor, leaf), decision: .accept, why: "unless any certificate is allowed"),

        // PS-1.1-6: rule G, and the chain as it was before the pins were anchors.
        Row(
            rule: "PS-1.1-G", versions: anyPinBefore, mode: .none, allowInvalid: true, before: valid(leaf, root),
            decision: .reject, why: "the contradiction"),
        Row(
            rule: "PS-1.1-6", versions: anyPinBefore, mode: .none, before: valid(leaf, root), decision: .accept,
            why: "a valid chain"),
        Row(
            rule: "PS-1.1-6", versions: anyPinBefore, mode: .none, before: invalid(.noAnchor, leaf),
            decision: .reject, why: "an unanchored chain"),
        Row(
            rule: "PS-1.1-6", versions: anyPinBefore, mode: .none, allowInvalid: true, host: nil,
            before: invalid(.noAnchor, leaf), decision: .accept, why: "without a host rule G is skipped"),
        Row(
            rule: "PS-1.3-1", versions: anyPinBefore, mode: .certificate, pins: [root], allowInvalid: true,
            before: invalid(.noAnchor, leaf), pinned: valid(leaf, root), decision: .reject,
            why: "a private root that is pinned and not sent is not on the earlier chain"),
        Row(
            rule: "PS-1.3-1", versions: anyPinAfter, mode: .certificate, pins: [root], allowInvalid: true,
            before: invalid(.noAnchor, leaf), pinned: valid(leaf, root), decision: .accept,
            why: "and is on the later one"),
        Row(
            rule: "PS-1.3-1", versions: anyPinBefore, mode: .certificate, pins: [root], allowInvalid: true,
            before: invalid(.noAnchor, leaf, root), pinned: valid(leaf, root), decision: .accept,
            why: "a private root that is sent"),
        Row(
            rule: "PS-1.3-2", versions: anyPinBefore, mode: .publicKey, pins: [root], before: valid(leaf, root),
            decision: .accept, why: "one pinned key is enough"),
        Row(
            rule: "PS-1.3-2", versions: anyPinBefore, mode: .publicKey, pins: [stranger], before: valid(leaf, root),
            decision: .reject, why: "none is not"),
        Row(
            rule: "PS-1.1-7", versions: anyPinAfter, mode: .none, before: invalid(.expired, leaf, root),
            decision: .reject, why: "an expired chain"),
        Row(
            rule: "PS-1.1-7", versions: anyPinAfter, mode: .none, before: valid(leaf, root), decision: .accept,
            why: "a valid chain"),
    ]

    @Test(arguments: rows) func decidesAsTheTableSays(_ row: Row) throws {
        for text in row.versions {
            let policy = AFSecurityPolicy(
                version: try #require(LibraryVersion(text)), mode: row.mode,
                pins: row.pins.map { .init(name: $0.subject, certificate: $0) },
                allowInvalidCertificates: row.allowInvalid, validatesDomainName: row.validatesDomain,
                validatesCertificateChain: row.validatesChain)
            let verdict = policy.evaluate(
                ServerTrust(sent: [Self.leaf, Self.stranger], host: row.host.flatMap { HostName($0) }, time: 1),
                using: FakeEvaluator(platform: row.before, pinned: row.pinned))
            #expect(verdict.decision == row.decision, "\(text): \(verdict.reason)")
            #expect(verdict.reason.rule.description == row.rule, "\(text)")
        }
    }

    @Test("PS-1.1: before 2.2.4 the platform's own policy stays, later releases set one", arguments: [true, false])
    func policies(validatesDomainName: Bool) throws {
        let host = HostName("api.example.com")
        for (text, expected) in [
            ("2.0.3", TrustPolicy.ssl(host: host)), ("2.2.3", .ssl(host: host)),
            ("2.2.4", validatesDomainName ? .ssl(host: host) : .basicX509),
            ("2.7.0", validatesDomainName ? .ssl(host: host) : .basicX509),
        ] {
            let evaluator = FakeEvaluator(platform: valid(Self.leaf), pinned: valid(Self.leaf))
            let policy = AFSecurityPolicy(
                version: try #require(LibraryVersion(text)), validatesDomainName: validatesDomainName)
            _ = policy.evaluate(ServerTrust(sent: [Self.leaf], host: host, time: 1), using: evaluator)
            #expect(evaluator.questions.map(\.policy) == [expected], "\(text)")
        }
    }

    @Test("PS-1.1: releases that no band holds are not emulated", arguments: ["1.3.4", "1.9.9", "5.0.0"])
    func otherReleases(text: String) throws {
        let policy = AFSecurityPolicy(version: try #require(LibraryVersion(text)))
        let reason = PolicyReason(.versionNotEmulated("AFNetworking \(text)"), rule: RuleID("PS-1.1"))
        #expect(policy.configurationProblem == reason)
        let verdict = policy.evaluate(
            ServerTrust(sent: [Self.leaf], host: nil, time: 1),
            using: FakeEvaluator(platform: valid(Self.leaf), pinned: valid(Self.leaf)))
        #expect(verdict == PolicyVerdict(.configError, reason))
    }
}
